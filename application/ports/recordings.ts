import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** waiting: it is to be copied from the carrier. absent: the carrier had it no longer. erased: nobody is to have it. */
export type RecordingCopy = "waiting" | "copied" | "absent" | "erased";

/** A recording that a carrier made, and what is still to be done with it. */
export type RecordingTask = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  /** Where it was dialled; null: a call from before dials stored it. */
  readonly carrier: CarrierIdentity | null;
  readonly recordingRef: string;
  readonly copy: RecordingCopy;
  /** Tries that failed, since the last step that was done. */
  readonly tries: number;
};

export type NewRecording = Pick<RecordingTask, "callId" | "owner" | "carrier" | "recordingRef">;

/** How a step ended. `again`: it is tried again then, because of `problem` (our own words). */
export type RecordingStep = {
  readonly callId: CallId;
  readonly copy: RecordingCopy;
  /** Whether the carrier still has one. */
  readonly atCarrier: boolean;
  readonly again: { readonly at: Instant; readonly problem: string } | null;
};

export type RecordingBacklog = {
  /** Recordings to be copied, and copies to be deleted at the carrier. */
  readonly toCopy: number;
  readonly toDelete: number;
  /** Those of them that were tried in vain. */
  readonly failing: number;
  /** Of the oldest that fails. */
  readonly problem: string | null;
};

/** What is to be done with recordings, durably. Everything may be repeated. */
export interface Recordings {
  /** The first one of a call stands. */
  add(recordings: readonly NewRecording[]): Promise<void>;
  /** Those whose next step is due, the longest waiting first. */
  due(limit: number): Promise<readonly RecordingTask[]>;
  /** Answers the calls among them whose recordings were erased meanwhile: what was copied of them has to go. */
  stepped(steps: readonly RecordingStep[]): Promise<ReadonlySet<CallId>>;
  /** Nobody is to have them any more; what the carrier has is deleted there as soon as it can be. */
  erase(callIds: readonly CallId[]): Promise<void>;
  /** null: nothing is known of it (yet). */
  copyOf(callId: CallId): Promise<RecordingCopy | null>;
  /** The copy is lost: it is made again if the carrier still has one. False: it has none. */
  lost(callId: CallId): Promise<boolean>;
  backlog(): Promise<RecordingBacklog>;
}

/** A recording of ours, open to be read. */
export type OpenRecording = {
  readonly contentType: string;
  readonly bytes: number;
  /** The same for the same bytes. */
  readonly version: string;
  /** From `from` to `to`, both included. Rejects when a piece of it does not open. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** Harmless after `read` has come to its end. */
  close(): Promise<void>;
};

export type FoundRecording =
  | { readonly kind: "found"; readonly recording: OpenRecording }
  | { readonly kind: "missing" }
  /** There is a file, and it is not what was written, or its key is not the one that it was sealed with. */
  | { readonly kind: "damaged" };

/** The files in RECORDINGS_DIR, sealed with the keys of their calls. */
export interface RecordingFiles {
  /** Whole and on the disk when it resolves; before that nobody finds it. Rejects when it cannot be written or the source breaks off. */
  write(
    callId: CallId,
    key: Uint8Array,
    contentType: string,
    source: AsyncIterable<Uint8Array>,
  ): Promise<void>;
  open(callId: CallId, key: Uint8Array): Promise<FoundRecording>;
  /** Those that are not there count as done. */
  remove(callIds: readonly CallId[]): Promise<void>;
}
