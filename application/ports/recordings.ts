import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/**
 * expected: the carrier has not told of it yet. waiting: to be copied from the carrier. absent: the carrier
 * no longer has it. erased: it must not exist. refused: it is larger than its call can be; it stays at the
 * carrier.
 */
export type RecordingCopy = "expected" | "waiting" | "copied" | "absent" | "erased" | "refused";

/** Where a recording stands in a segment, which is a file of many (bytes). */
export type RecordingPlace = { readonly segment: string; readonly at: number; readonly length: number };

/** A recording of ours. `place` null: it is a file of its own, or there is none. */
export type PlacedRecording = { readonly callId: CallId; readonly place: RecordingPlace | null };

/** A recording of a carrier, and the next step for it. */
export type RecordingTask = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  /** Carrier of its dial; null: a call from before dials stored it. */
  readonly carrier: CarrierIdentity | null;
  /** null: the carrier has not told it. */
  readonly recordingRef: string | null;
  readonly copy: RecordingCopy;
  /** While it is waiting: a process that died had written it there, perhaps not to its end. */
  readonly place: RecordingPlace | null;
  /** Failed tries since the last step that succeeded. */
  readonly tries: number;
};

export type NewRecording = Pick<RecordingTask, "callId" | "owner" | "carrier"> & {
  readonly recordingRef: string;
};

/** A recording that is to come; `lookAt`: when its carrier is asked for it. */
export type ExpectedRecording = Pick<RecordingTask, "callId" | "owner" | "carrier"> & {
  readonly lookAt: Instant;
};

/**
 * How a step ended. `again`: when it is tried again, because of `problem` (our own words; null: nothing is
 * wrong).
 */
export type RecordingStep = {
  readonly callId: CallId;
  readonly copy: RecordingCopy;
  /** Where this step has written it in a segment; null: the place that is known stays. */
  readonly place: RecordingPlace | null;
  /** Whether the carrier still has its copy. */
  readonly atCarrier: boolean;
  readonly again: { readonly at: Instant; readonly problem: string | null } | null;
};

export type RecordingBacklog = {
  /** Recordings to be copied, and carrier copies to be deleted. */
  readonly toCopy: number;
  readonly toDelete: number;
  /** Those whose tries failed. */
  readonly failing: number;
  /** The problem of the oldest that fails. */
  readonly problem: string | null;
};

/** The durable list of work on recordings. Everything may be repeated. */
export interface Recordings {
  /** Of calls of which nothing is known yet. */
  expect(recordings: readonly ExpectedRecording[]): Promise<void>;
  /** The first recording of a call counts. */
  add(recordings: readonly NewRecording[]): Promise<void>;
  /** Recordings whose next step is due, the longest waiting first. */
  due(limit: number): Promise<readonly RecordingTask[]>;
  /**
   * Returns those whose recordings were erased meanwhile: their new copies must be deleted. One that was
   * expected and was told of meanwhile stays as told.
   */
  stepped(steps: readonly RecordingStep[]): Promise<ReadonlySet<CallId>>;
  /**
   * Erased recordings are not copied any more; the carrier's copies are deleted as soon as possible. Returns
   * where they stand, all of them and each time.
   */
  erase(callIds: readonly CallId[]): Promise<readonly PlacedRecording[]>;
  /** null: nothing is known of it. */
  copyOf(callId: CallId): Promise<Pick<RecordingTask, "copy" | "place"> | null>;
  /** The copy is lost: it is made again if the carrier still has the recording. False: it has not. */
  lost(callId: CallId): Promise<boolean>;
  backlog(): Promise<RecordingBacklog>;
}

/** A recording of ours, open for reading. */
export type OpenRecording = {
  readonly contentType: string;
  readonly bytes: number;
  /** Equal for equal bytes. */
  readonly version: string;
  /** From `from` to `to`, both included. Rejects when a part cannot be decrypted. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
  /** Harmless after `read` has ended. */
  close(): Promise<void>;
};

export type FoundRecording =
  | { readonly kind: "found"; readonly recording: OpenRecording }
  | { readonly kind: "missing" }
  /** The file is not what was written, or its key is not the one that it was encrypted with. */
  | { readonly kind: "damaged" };

/** The files in RECORDINGS_DIR, encrypted with the keys of their calls. */
export interface RecordingFiles {
  /**
   * null: a file of its own, complete and on the disk. Else its place in a segment of this process, where it
   * is on the disk only after the next `flush`. Rejects when it cannot be written or the source fails.
   */
  write(
    callId: CallId,
    key: Uint8Array,
    contentType: string,
    source: AsyncIterable<Uint8Array>,
  ): Promise<RecordingPlace | null>;
  /**
   * Everything that was written is on the disk when it resolves. Rejects when a write since the last flush
   * failed: then no place that was returned since then counts.
   */
  flush(): Promise<void>;
  /** Of one with a place only the last piece is proven to be whole: `read` rejects at another that is not. */
  open(recording: PlacedRecording, key: Uint8Array): Promise<FoundRecording>;
  /** The bytes of those in segments are overwritten. Missing ones count as done. */
  remove(recordings: readonly PlacedRecording[]): Promise<void>;
  /** Of the disk that they are on. */
  disk(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
}
