import type { CallId } from "../../domain/shared/ids.ts";
import type { Calls } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import type { Clock } from "../ports/clock.ts";
import type { RecordingFiles } from "../ports/recordings.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** 16 bits at 16 kHz, more than any carrier records; the rest is for the head of a file and late ends. */
const BYTES_A_SECOND = 32 * 1024;
const BYTES_MORE = MIB;
const LEFT_FREE = { bytes: GIB, part: 0.05 };
const LOOK_AT_DISK_EVERY = 8 * MIB;
/** The longest recording at the pace of a slow line; a source that only drips holds its place no longer. */
const LONGEST_COPY_MILLIS = 600_000;

/** The source has sent more than a call of that length can have. It is not asked for again. */
export class RecordingTooLargeError extends Error {
  override readonly name = "RecordingTooLargeError";
}

export function mostBytes(maxDurationSeconds: number): number {
  return maxDurationSeconds * BYTES_A_SECOND + BYTES_MORE;
}

/** What copies of recordings may take of the disk. null: enough is free; else a sentence of ours. */
export async function diskProblem(files: Pick<RecordingFiles, "disk">): Promise<string | null> {
  const { freeBytes, totalBytes } = await files.disk();
  if (freeBytes >= LEFT_FREE.bytes && freeBytes >= LEFT_FREE.part * totalBytes) return null;
  return `the disk of RECORDINGS_DIR has ${Math.floor(freeBytes / MIB)} MiB free: nothing is copied below 1 GiB or 5 %`;
}

/** The source, ended by an error where it exceeds its bytes or its time, or the disk gets full. */
export async function* bounded(
  { files, clock }: { readonly files: Pick<RecordingFiles, "disk">; readonly clock: Clock },
  most: number,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const until = clock.monotonicMillis() + LONGEST_COPY_MILLIS;
  let bytes = 0;
  let lookedAt = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > most) throw new RecordingTooLargeError(`the recording has more than ${most} bytes`);
    if (clock.monotonicMillis() > until) throw new Error("the recording did not come within 10 minutes");
    if (bytes - lookedAt >= LOOK_AT_DISK_EVERY) {
      lookedAt = bytes;
      const problem = await diskProblem(files);
      if (problem !== null) throw new Error(problem);
    }
    yield chunk;
  }
}

/** What a copy has to know of its call, and what it has to say to it. */
export type RecordedCalls = {
  readonly maxDurationSeconds: (callId: CallId) => Promise<number>;
  /** The call's `recordingStatus` becomes `failed`; again: changes nothing. */
  readonly fail: (callId: CallId, owner: string, reason: string) => Promise<void>;
};

export function recordedCalls(calls: Calls, clock: Pick<Clock, "now">): RecordedCalls {
  return {
    maxDurationSeconds: (callId) =>
      calls.query(callStream(callId), ({ maxDurationSeconds }) => maxDurationSeconds),
    fail: async (callId, owner, reason) => {
      const origin = { owner, actor: "process:recordings", correlationId: callId, causationId: null };
      await calls.handle(callStream(callId), [{ type: "FailRecording", reason, now: clock.now() }], origin);
    },
  };
}
