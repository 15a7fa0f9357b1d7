/**
 * What happens to one append (each entry is used up by one). "commit_…": the events are stored, only the
 * answer goes wrong. The batch path knows the refusals, "no_answer", "commit_no_answer" and
 * "commit_unavailable"; the others are the classic path's.
 */
export type AppendFault =
  | "unavailable"
  | "not_ready"
  | "too_busy"
  | "cancelled"
  | "not_leader"
  | "too_large"
  | "no_answer"
  | "commit_no_answer"
  | "commit_unavailable"
  | "commit_timeout"
  | "commit_wrong_version"
  | "wrong_version";

/**
 * What happens to one read or subscription. A number breaks the stream (UNAVAILABLE)
 * after that many messages.
 */
export type ReadFault =
  | "unavailable"
  | "unknown"
  | "not_ready"
  | "not_leader"
  | "no_answer"
  | { readonly breakAfter: number };

/** Faults that tests inject into the protocol server. */
export interface Faults {
  nextAppends(...faults: readonly AppendFault[]): void;
  nextReads(...faults: readonly ReadFault[]): void;
  nextSubscriptions(...faults: readonly ReadFault[]): void;
  /** Requests are taken and nothing is answered, as by a stopped process, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Appends stay in flight until `releaseCommits`. */
  holdCommits(): void;
  releaseCommits(): void;
  /** Each message of a read or a subscription comes this much later. */
  slowStreams(millis: number): void;
  /** How a duplicate is answered whose original is in flight (fact 4). */
  answerDuplicatesInFlightWith(answer: "timeout" | "wrong_version"): void;
  /** Ends every open subscription as a too slow consumer's (fact 6). */
  dropSubscriptions(): void;
  /** Breaks every open read and subscription as a lost connection does. */
  breakStreams(): void;
}

type Gate = { readonly open: Promise<void>; readonly release: () => void };

/** What the handlers ask: `take…` uses a fault up. */
export type FaultState = {
  readonly faults: Faults;
  takeAppendFault(): AppendFault | undefined;
  takeReadFault(kind: "read" | "subscription"): ReadFault | undefined;
  answering(): Promise<void>;
  committing(): Promise<void>;
  streamDelay(): number;
  duplicateAnswer(): "timeout" | "wrong_version";
  /** Registers an open stream, so that it can be ended from outside; returns the way to deregister. */
  registerStream(stream: BreakableStream): () => void;
  openStreams(): number;
};

export type BreakableStream = { readonly subscription: boolean; drop(): void; breakOff(): void };

export function createFaultState(): FaultState {
  const appends: AppendFault[] = [];
  const reads: ReadFault[] = [];
  const subscriptions: ReadFault[] = [];
  const open = new Set<BreakableStream>();
  let frozen: Gate | undefined;
  let held: Gate | undefined;
  let delay = 0;
  let duplicates: "timeout" | "wrong_version" = "timeout";

  const faults: Faults = {
    nextAppends: (...more) => void appends.push(...more),
    nextReads: (...more) => void reads.push(...more),
    nextSubscriptions: (...more) => void subscriptions.push(...more),
    freeze() {
      frozen ??= closedGate();
    },
    thaw() {
      frozen?.release();
      frozen = undefined;
    },
    holdCommits() {
      held ??= closedGate();
    },
    releaseCommits() {
      held?.release();
      held = undefined;
    },
    slowStreams(millis) {
      delay = millis;
    },
    answerDuplicatesInFlightWith(answer) {
      duplicates = answer;
    },
    dropSubscriptions() {
      for (const stream of [...open]) if (stream.subscription) stream.drop();
    },
    breakStreams() {
      for (const stream of [...open]) stream.breakOff();
    },
  };

  return {
    faults,
    takeAppendFault: () => appends.shift(),
    takeReadFault: (kind) => (kind === "read" ? reads : subscriptions).shift(),
    answering: async () => frozen?.open,
    committing: async () => held?.open,
    streamDelay: () => delay,
    duplicateAnswer: () => duplicates,
    openStreams: () => open.size,
    registerStream(stream) {
      open.add(stream);
      return () => open.delete(stream);
    },
  };
}

function closedGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: promise, release: resolve };
}
