import type { CarrierRef } from "../../domain/call/carrier-identity.ts";
import type { CallCommand } from "../../domain/call/decider.ts";
import type { RecordingStatus } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Calls } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import type { CarrierCall } from "../ports/carrier.ts";
import type { Clock } from "../ports/clock.ts";
import type { RecordingFiles } from "../ports/recordings.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** 16 bits at 16 kHz, more than any carrier records; the rest is for the head of a file and late ends. */
const BYTES_A_SECOND = 32 * 1024;
const BYTES_MORE = MIB;
const LEFT_FREE = { bytes: GIB, part: 0.05 };
const LOOK_AT_DISK_EVERY = 8 * MIB;
/** In that time one process cannot write what copies leave free. */
const DISK_KNOWN_MILLIS = 1_000;
/** The longest recording at the pace of a slow line; a source that only drips holds its place no longer. */
const LONGEST_COPY_MILLIS = 600_000;

/** The source has sent more than a call of that length can have. It is not asked for again. */
export class RecordingTooLargeError extends Error {
  override readonly name = "RecordingTooLargeError";
}

function mostBytes(maxDurationSeconds: number): number {
  return maxDurationSeconds * BYTES_A_SECOND + BYTES_MORE;
}

/** The disk is asked once a second at most, however many copies begin; a failure is not kept. */
export function recentDisk({
  files,
  clock,
}: {
  readonly files: Pick<RecordingFiles, "disk">;
  readonly clock: Pick<Clock, "monotonicMillis">;
}): RecordingFiles["disk"] {
  let asked: { readonly at: number; readonly answer: ReturnType<RecordingFiles["disk"]> } | null = null;
  return async () => {
    const now = clock.monotonicMillis();
    if (asked === null || now - asked.at >= DISK_KNOWN_MILLIS) asked = { at: now, answer: files.disk() };
    const { answer } = asked;
    try {
      return await answer;
    } catch (error) {
      if (asked?.answer === answer) asked = null;
      throw error;
    }
  };
}

/** What copies of recordings may take of the disk. null: enough is free; else a sentence of ours. */
export async function diskProblem(files: Pick<RecordingFiles, "disk">): Promise<string | null> {
  const { freeBytes, totalBytes } = await files.disk();
  if (freeBytes >= LEFT_FREE.bytes && freeBytes >= LEFT_FREE.part * totalBytes) return null;
  return `the disk of RECORDINGS_DIR has ${Math.floor(freeBytes / MIB)} MiB free: nothing is copied below 1 GiB or 5 %`;
}

/**
 * The source, ended by an error where it exceeds its bytes or its time, or the disk gets full. How long the
 * call may have been is asked only of a recording with more bytes than the shortest may have.
 */
export async function* bounded(
  { files, clock }: { readonly files: Pick<RecordingFiles, "disk">; readonly clock: Clock },
  maxDurationSeconds: () => Promise<number>,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const until = clock.monotonicMillis() + LONGEST_COPY_MILLIS;
  let bytes = 0;
  let most = mostBytes(0);
  let isAsked = false;
  let lookedAt = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > most && !isAsked) {
      most = mostBytes(await maxDurationSeconds());
      isAsked = true;
    }
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

/** What the work on recordings has to know of their calls, and what it has to say to them. */
export type RecordedCalls = {
  readonly maxDurationSeconds: (callId: CallId) => Promise<number>;
  readonly stateOf: (callId: CallId) => Promise<RecordedCall>;
  /** The carrier has it, as if it had told. */
  readonly found: (
    callId: CallId,
    owner: string,
    carrierRef: CarrierRef | null,
    recordingRef: string,
  ) => Promise<void>;
  /** The call's `recordingStatus` becomes `failed`; again: changes nothing. */
  readonly fail: (callId: CallId, owner: string, reason: string) => Promise<void>;
};

/** An ended call, and what its carrier has told of its recording. */
export type RecordedCall = {
  readonly status: RecordingStatus | null;
  readonly isErased: boolean;
  readonly endedAt: Instant;
  readonly call: CarrierCall;
};

export function recordedCalls(calls: Calls, clock: Pick<Clock, "now">): RecordedCalls {
  const tell = async (callId: CallId, owner: string, command: CallCommand): Promise<void> => {
    const origin = { owner, actor: "process:recordings", correlationId: callId, causationId: null };
    await calls.handle(callStream(callId), [command], origin);
  };
  return {
    maxDurationSeconds: (callId) =>
      calls.query(callStream(callId), ({ maxDurationSeconds }) => maxDurationSeconds),
    stateOf: (callId) =>
      calls.query(callStream(callId), (state) => ({
        status: state.recordingStatus,
        isErased: state.contentErased,
        endedAt: state.endedAt ?? clock.now(),
        call: {
          callId,
          carrierRef: state.carrierRef,
          instance: state.carrier?.instance ?? null,
          dialBy: state.dialBy ?? clock.now(),
        },
      })),
    found: async (callId, owner, carrierRef, recordingRef) => {
      if (carrierRef === null) return;
      const now = clock.now();
      const fact = { carrierRef, sequence: null, occurredAt: now, now };
      await tell(callId, owner, { type: "RecordRecording", status: "available", recordingRef, ...fact });
    },
    fail: (callId, owner, reason) => tell(callId, owner, { type: "FailRecording", reason, now: clock.now() }),
  };
}
