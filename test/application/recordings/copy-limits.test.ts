import { expect, it } from "vitest";
import {
  bounded,
  diskProblem,
  recentDisk,
  recordedCalls,
} from "../../../application/recordings/copy-limits.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { at, began, completed, connected, REQUEST, requested } from "../../domain/call/example-call.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { movingClock } from "../../support/moving-clock.ts";

const { callId, owner, maxDurationSeconds } = REQUEST;

it("knows how long its call may last, and tells the call once that its recording failed", async () => {
  const log = memoryLog();
  const available: CallEvent = {
    type: "CallRecordingAvailable",
    data: {
      callId,
      at: at(60),
      status: "available",
      recordingRef: "rec-1",
      carrierRef: "carrier-1",
      sequence: 9,
    },
  };
  const history = [requested, began, connected, completed, available];
  await log.storeFor(owner, `call-${callId}`, ...history);
  const recorded = recordedCalls(log.aggregates.calls, { now: () => at(70) });
  expect(await recorded.maxDurationSeconds(callId)).toBe(maxDurationSeconds);
  await recorded.fail(callId, owner, "too large");
  await recorded.fail(callId, owner, "too large");
  const events = await log.eventStore.read(`call-${callId}`);
  expect(events.slice(history.length)).toMatchObject([
    {
      type: "CallRecordingAvailable",
      data: { status: "failed", recordingRef: null, reason: "too large" },
      metadata: { owner, actor: "process:recordings" },
    },
  ]);
});

const files = { disk: async () => ({ freeBytes: 1e12, totalBytes: 1e12 }) };

it("allows 32 KiB for each second, and 1 MiB, for which nobody asks how long the call was", async () => {
  const asked: string[] = [];
  const copied = async (...pieces: readonly number[]): Promise<number> => {
    const source = from(pieces.map((bytes) => new Uint8Array(bytes)));
    const seconds = async () => asked.push(callId) && 10;
    const kept = await Array.fromAsync(bounded({ files, clock: systemClock }, seconds, source));
    return kept.reduce((total, { byteLength }) => total + byteLength, 0);
  };
  expect(await copied(1_000_000, 48_576)).toBe(1_048_576);
  expect(asked).toEqual([]);
  expect(await copied(1_048_576, 1, 300_000, 27_679)).toBe(1_048_576 + 10 * 32_768);
  expect(asked).toEqual([callId]);
  await expect(copied(1_048_577, 327_680)).rejects.toThrow("more than 1376256 bytes");
});

async function* from<T>(pieces: readonly T[]): AsyncGenerator<T> {
  yield* pieces;
}

it("ends a source that only drips after 10 minutes, and closes it", async () => {
  let millis = 0;
  let closed = false;
  async function* drip(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        millis += 1_000;
        yield new Uint8Array(1);
      }
    } finally {
      closed = true;
    }
  }
  const clock = { ...systemClock, monotonicMillis: () => millis };
  await expect(Array.fromAsync(bounded({ files, clock }, async () => 1, drip()))).rejects.toThrow(
    "10 minutes",
  );
  expect([millis, closed]).toEqual([601_000, true]);
});

it("asks the disk once a second, and refuses from the next second on when it is full", async () => {
  const clock = movingClock();
  const asked: number[] = [];
  let freeBytes = 1e12;
  const disk = recentDisk({
    files: {
      disk: async () => {
        asked.push(clock.monotonicMillis());
        return { freeBytes, totalBytes: 1e12 };
      },
    },
    clock,
  });
  const problems = () => Promise.all([diskProblem({ disk }), diskProblem({ disk })]);
  expect(await problems()).toEqual([null, null]);
  clock.advance(999);
  freeBytes = 0;
  expect([await problems(), asked]).toEqual([[null, null], [0]]);
  clock.advance(1);
  const full = expect.stringContaining("0 MiB free");
  expect([await problems(), asked]).toEqual([
    [full, full],
    [0, 1_000],
  ]);
});

it("asks a disk that did not answer again at once", async () => {
  const clock = movingClock();
  const answers = [
    Promise.reject(new Error("no such disk")),
    Promise.resolve({ freeBytes: 1, totalBytes: 2 }),
  ];
  const disk = recentDisk({
    files: { disk: () => answers.shift() ?? Promise.reject(new Error("asked a third time")) },
    clock,
  });
  const failed = await Promise.allSettled([disk(), disk()]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([await disk(), await disk()]).toEqual([
    { freeBytes: 1, totalBytes: 2 },
    { freeBytes: 1, totalBytes: 2 },
  ]);
});
