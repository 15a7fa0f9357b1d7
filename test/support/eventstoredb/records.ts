export type Expected = bigint | "no_stream" | "any" | "stream_exists";

export type ProposedEvent = {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

export type LogRecord = ProposedEvent & {
  readonly stream: string;
  readonly revision: bigint;
  /** Commit and prepare position are one number here, as on a node that writes no explicit transactions. */
  readonly position: bigint;
  /** 100 ns since 1970, as the protocol carries it. */
  readonly createdTicks: bigint;
};

export type StreamState = {
  readonly records: LogRecord[];
  /** Revisions below it cannot be read any more (deleteStream sets it beyond the end). */
  truncateBefore: bigint;
  deleted: boolean;
  tombstoned: boolean;
};

export type AppendOutcome =
  | { readonly kind: "written"; readonly revision: bigint; readonly position: bigint }
  | { readonly kind: "nothing_given" }
  | { readonly kind: "wrong_expected_version"; readonly expected: Expected; readonly actual: bigint | null }
  | { readonly kind: "stream_deleted" }
  | { readonly kind: "no_answer" };
