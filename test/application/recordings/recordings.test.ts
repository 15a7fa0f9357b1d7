import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Carrier, CarrierRecording } from "../../../application/ports/carrier.ts";
import type { SubjectKey } from "../../../application/ports/subject-keys.ts";
import { hearRecording } from "../../../application/recordings/hear-recording.ts";
import { takeStep } from "../../../application/recordings/recording-steps.ts";
import { recordingsRound } from "../../../application/recordings/run-recordings.ts";
import { indexSegments } from "../../../application/recordings/segment-upkeep.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { postgresRecordings } from "../../../infrastructure/recordings/postgres-recordings.ts";
import { postgresSegmentIndex } from "../../../infrastructure/recordings/postgres-segment-index.ts";
import { recordingFiles } from "../../../infrastructure/recordings/recording-files.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import {
  crashingCarrier,
  crashingRecordingFiles,
  crashingRecordings,
} from "../../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../../simulation/crash-points/with-crash-points.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { keptRecordings } from "../../support/kept-recordings.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const CALL: CallId = "call_a1";
const OWNER = "usr_1";
const INSTANCE = "journal-1";
const SOUND = randomBytes(150_000);
const MAX_DURATION_SECONDS = 10;
/** 32 KiB for each of 10 s, and 1 MiB. */
const MOST_BYTES = 10 * 32 * 1024 + 1024 * 1024;
const on = new AbortController().signal;

let database: WorkDatabase;
let folder: string;
let key: SubjectKey;
/** What the carrier still has. */
let kept: Set<string>;
let asked: string[];
let instance: string | null;
let failed: (readonly string[])[];
beforeEach(async () => {
  database = await workDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-recordings-"));
  key = { kind: "open", key: randomBytes(32) };
  kept = new Set(["rec-1"]);
  asked = [];
  instance = INSTANCE;
  failed = [];
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function* sound(): AsyncGenerator<Uint8Array> {
  yield SOUND;
}

const carrier: Carrier = {
  placeCall: async () => ({ kind: "unknown", cause: "not asked", noAnswerAtAll: false }),
  ...QUIET_CARRIER,
  instance: async () => instance,
  recording: async (ref): Promise<CarrierRecording> => {
    asked.push(`get ${ref}`);
    return kept.has(ref) ? { kind: "found", contentType: "audio/wav", bytes: sound() } : { kind: "absent" };
  },
  deleteRecording: async (ref) => {
    asked.push(`delete ${ref}`);
    kept.delete(ref);
    return "done";
  },
};

const NEVER_EXPECTED = {
  stateOf: () => Promise.reject(new Error("its recording was told of")),
  found: () => Promise.reject(new Error("its recording was told of")),
};

type Process = Parameters<typeof recordingsRound>[0];
type Changes = Partial<Process> & {
  readonly at?: Carrier | null;
  readonly crashPoints?: CrashPoints | null;
};

function process({ at = carrier, crashPoints = null, ...changes }: Changes = {}): Process {
  const withCrashPoints = withCrashPointsAt(crashPoints);
  const { segments, ...stored } = recordingFiles(folder, systemClock);
  return {
    recordings: withCrashPoints(postgresRecordings(database.pool), crashingRecordings),
    files: withCrashPoints(stored, crashingRecordingFiles),
    ...{ segments, segmentIndex: postgresSegmentIndex(database.pool), unknown: new Map() },
    keys: { of: async (subjects) => new Map(subjects.map((subject) => [subject, key])) },
    carriers: { dialledOn: async () => at && withCrashPoints(at, crashingCarrier) },
    recorded: {
      ...NEVER_EXPECTED,
      maxDurationSeconds: async () => MAX_DURATION_SECONDS,
      fail: async (callId, owner, reason) => void failed.push([callId, owner, reason]),
    },
    clock: systemClock,
    logger: silentLogger,
    metrics: createMetrics().metrics,
    ...changes,
  };
}

async function toldOf(): Promise<void> {
  const carrierOfCall = { kind: "simulated", connectionId: null, instance: INSTANCE } as const;
  const { recordings } = process();
  await recordings.add([{ callId: CALL, owner: OWNER, carrier: carrierOfCall, recordingRef: "rec-1" }]);
}

/** Its pauses are over. */
const later = () => database.pool.query("update work.recordings set due_at = now() where due_at is not null");

async function heard(): Promise<string | Buffer> {
  const hearing = await hearRecording(process(), CALL);
  if (hearing.kind !== "found") return hearing.kind;
  const { bytes } = hearing.recording;
  return Buffer.concat(await Array.fromAsync(hearing.recording.read(0, bytes - 1)));
}

const files = () => keptRecordings(folder);
/** As after an unmount. */
const loseFiles = () => rm(folder, { recursive: true, force: true });
const dyingAt = (point: string): CrashPoints => ({
  reached: (here) => {
    if (here === point) throw new Error("died");
    return undefined;
  },
});
const rounds = async (deps: Process, count: number) => {
  const unknown = await indexSegments(deps);
  for (let round = 0; round < count; round += 1) await recordingsRound({ ...deps, unknown }, on);
};

describe("a recording", () => {
  it("is copied, then deleted at the carrier, and heard from the copy", async () => {
    await toldOf();
    await rounds(process(), 3);
    expect(asked).toEqual(["get rec-1", "delete rec-1"]);
    expect(SOUND.equals((await heard()) as Buffer)).toBe(true);
    expect(await process().recordings.backlog()).toEqual({
      toCopy: 0,
      toDelete: 0,
      failing: 0,
      problem: null,
    });
  });

  it.each([
    "recordingFiles.write.before",
    "recordingFiles.write.after",
    "recordingFiles.flush.before",
    "recordingFiles.flush.after",
    "recordings.stepped.before",
    "carrier.deleteRecording.before",
    "carrier.deleteRecording.after",
  ])("of a process that dies %s is whole in the end, and was never in no place", async (point) => {
    await toldOf();
    await rounds(process({ crashPoints: dyingAt(point) }), 2).catch(() => undefined);
    const isSafe = kept.has("rec-1") || (await files()).length === 1;
    expect(isSafe).toBe(true);
    await later();
    await rounds(process(), 2);
    expect(SOUND.equals((await heard()) as Buffer)).toBe(true);
    expect(kept.size).toBe(0);
    expect(await files()).toHaveLength(1);
  });

  it("stays at the carrier while the disk is full, and says so", async () => {
    await toldOf();
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const write = async () => Promise.reject(full);
    await rounds(process({ files: { ...recordingFiles(folder, systemClock), write } }), 1);
    expect(await process().recordings.backlog()).toMatchObject({
      toCopy: 1,
      failing: 1,
      problem: "the disk of RECORDINGS_DIR is full",
    });
    expect([kept.size, await files()]).toEqual([1, []]);
    // It waits longer each time, and is not forgotten.
    expect(await recordingsRound(process(), on)).toBe(0);
    await later();
    await rounds(process(), 2);
    expect(SOUND.equals((await heard()) as Buffer)).toBe(true);
  });

  it("is not told of before it is on the disk: a flush that fails counts as a copy that failed", async () => {
    await toldOf();
    const { files: stored, ...others } = process();
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const counted: unknown[] = [];
    const { metrics } = createMetrics();
    const count = (name: string, labels: object) => void counted.push([name, labels]);
    const files = { ...stored, flush: async () => Promise.reject(full) };
    await rounds({ ...others, files, metrics: { ...metrics, count } }, 1);
    expect(await process().recordings.copyOf(CALL)).toEqual({ copy: "waiting", place: null });
    expect(await process().recordings.backlog()).toMatchObject({
      toCopy: 1,
      failing: 1,
      problem: "the disk of RECORDINGS_DIR is full",
    });
    expect(counted).toEqual([["ringfold_recordings_total", { step: "copy", result: "failed" }]]);
    await later();
    await rounds(process(), 2);
    expect(SOUND.equals((await heard()) as Buffer)).toBe(true);
  });

  it("that is a file of its own, from before there were segments, is heard and erased", async () => {
    await toldOf();
    await rounds(process({ at: sending(MOST_BYTES).at }), 2);
    const before = await process().recordings.copyOf(CALL);
    expect([before, await files()]).toEqual([{ copy: "copied", place: null }, [CALL]]);
    expect(((await heard()) as Buffer).length).toBe(MOST_BYTES);
    const { recordings, files: stored } = process();
    await stored.remove(await recordings.erase([CALL]));
    expect(await files()).toEqual([]);
  });

  it("is not looked for on the disk at its first try", async () => {
    await toldOf();
    const { files: stored, ...others } = process();
    const looks: string[] = [];
    const open: typeof stored.open = async (recording, by) => {
      looks.push(recording.callId);
      return stored.open(recording, by);
    };
    const deps = { ...others, files: { ...stored, open } };
    instance = null;
    await rounds(deps, 1);
    expect(looks).toEqual([]);
    await later();
    await rounds(deps, 1);
    expect(looks).toEqual([CALL]);
  });

  it("is asked to be deleted again and again while the carrier does not", async () => {
    await toldOf();
    const refuses: Carrier = { ...carrier, deleteRecording: async () => "unavailable" };
    for (let time = 0; time < 3; time += 1) {
      await rounds(process({ at: refuses }), 2);
      await later();
    }
    expect(await process().recordings.backlog()).toMatchObject({
      toDelete: 1,
      failing: 1,
      problem: "the carrier did not delete it",
    });
    await rounds(process(), 1);
    expect(kept.size).toBe(0);
  });

  it.each([
    [
      "another far side answers",
      () => (instance = "journal-2"),
      carrier,
      "another carrier answers than the one it was dialled on",
    ],
    ["nobody answers", () => (instance = null), carrier, "the carrier does not answer"],
    [
      "its connection is gone",
      () => undefined,
      null,
      "the connection that it was dialled on is not configured any more",
    ],
  ])("is asked of nobody else when %s", async (_when, change, at, problem) => {
    await toldOf();
    change();
    await rounds(process({ at }), 1);
    expect(asked).toEqual([]);
    expect((await process().recordings.backlog()).problem).toBe(problem);
  });

  it("is not copied without a key, and its call is named", async () => {
    await toldOf();
    await rounds(process({ keys: { of: async () => new Map() } }), 1);
    expect((await process().recordings.backlog()).problem).toBe(`no key of ${CALL}`);
    expect(asked).toEqual([]);
  });

  it("of an erased call is never copied, and deleted at the carrier", async () => {
    await toldOf();
    key = { kind: "erased" };
    await rounds(process(), 2);
    expect([asked, await files(), await heard()]).toEqual([["delete rec-1"], [], "none"]);
  });

  it("that is erased while it is being copied leaves no file", async () => {
    await toldOf();
    const { recordings } = process();
    const erasing: CrashPoints = {
      reached: async (point) => {
        if (point === "recordingFiles.write.after") await recordings.erase([CALL]);
      },
    };
    await rounds(process({ crashPoints: erasing }), 2);
    expect([await files(), kept.size, await heard()]).toEqual([[], 0, "none"]);
  });

  it("whose file is lost is copied again while the carrier has it, and told of when not", async () => {
    await toldOf();
    await rounds(process(), 1);
    await loseFiles();
    expect(await heard()).toBe("pending");
    await rounds(process(), 2);
    expect(SOUND.equals((await heard()) as Buffer)).toBe(true);
    await loseFiles();
    expect(await heard()).toBe("unavailable");
  });

  it("that the carrier cannot give now is tried again, with its reason", async () => {
    await toldOf();
    const at: Carrier = { ...carrier, recording: async () => ({ kind: "unavailable", cause: "HTTP 503" }) };
    await rounds(process({ at }), 1);
    expect(await process().recordings.backlog()).toMatchObject({
      ...{ toCopy: 1, failing: 1, problem: "the carrier: HTTP 503" },
    });
  });

  it("is not copied with a key that another SECRETS_KEY has sealed, and its call is named", async () => {
    await toldOf();
    key = { kind: "unusable" };
    await rounds(process(), 1);
    expect((await process().recordings.backlog()).problem).toBe(
      `the key of ${CALL} does not open with this SECRETS_KEY`,
    );
    expect(asked).toEqual([]);
  });

  it("that the carrier has lost is none", async () => {
    kept.clear();
    await toldOf();
    await rounds(process(), 2);
    expect([await heard(), asked]).toEqual(["none", ["get rec-1"]]);
  });
});

describe("a step", () => {
  const clock = movingClock();
  const task = { callId: CALL, owner: OWNER, recordingRef: "rec-1", copy: "waiting", place: null } as const;

  it.each([
    [0, 1_000],
    [5, 32_000],
    [12, 3_600_000],
    [2_000, 3_600_000],
  ])("that failed %d times before is tried again after %d ms", async (tries, pause) => {
    const step = await takeStep(process({ at: null, clock }), { ...task, carrier: null, tries }, key);
    const problem = "the connection that it was dialled on is not configured any more";
    expect(step).toMatchObject({ copy: "waiting", atCarrier: true, again: { problem } });
    expect(millisOf(step.again?.at ?? clock.now()) - clock.nowMillis()).toBe(pause);
  });

  it("that fails otherwise than expected says how", async () => {
    await toldOf();
    const write = async () => Promise.reject(new Error("EIO: the disk is broken"));
    await rounds(process({ files: { ...recordingFiles(folder, systemClock), write } }), 1);
    expect((await process().recordings.backlog()).problem).toBe("Error: EIO: the disk is broken");
  });

  it("is counted by what it was and how it ended", async () => {
    await toldOf();
    const counted: unknown[] = [];
    const { metrics } = createMetrics();
    const deps = process({ metrics: { ...metrics, count: (name, labels) => counted.push([name, labels]) } });
    await rounds(deps, 2);
    await rounds(process(), 1);
    expect(counted).toEqual([
      ["ringfold_recordings_total", { step: "copy", result: "copied" }],
      ["ringfold_recordings_total", { step: "delete", result: "done" }],
    ]);
  });

  it("of an erased recording deletes the file of a writer that ended after the erasure", async () => {
    await toldOf();
    await process().recordings.erase([CALL]);
    await recordingFiles(folder, systemClock).write(CALL, randomBytes(32), "audio/wav", sound());
    await rounds(process(), 1);
    expect([await files(), asked]).toEqual([[], ["delete rec-1"]]);
  });
});

/** A carrier whose recording has so many bytes; `taken`: how many chunks of 64 KiB were asked of it. */
function sending(bytes: number) {
  const seen = { taken: 0, closed: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let left = bytes; left > 0; left -= 65_536) {
        seen.taken += 1;
        yield new Uint8Array(Math.min(left, 65_536));
      }
    } finally {
      seen.closed = true;
    }
  }
  const at: Carrier = {
    ...carrier,
    recording: async () => ({ kind: "found", contentType: "audio/wav", bytes: chunks() }),
  };
  return { at, seen };
}

describe("a recording that is larger than its call can be", () => {
  it("is cut while it comes, fails with its reason, leaves nothing on the disk, and is not asked for again", async () => {
    await toldOf();
    const { at, seen } = sending(600 * 1024 * 1024);
    await rounds(process({ at }), 2);
    await later();
    await rounds(process({ at }), 2);
    expect(failed).toEqual([[CALL, OWNER, `the recording has more than ${MOST_BYTES} bytes`]]);
    expect(seen).toEqual({ taken: Math.floor(MOST_BYTES / 65_536) + 1, closed: true });
    expect([await files(), await heard(), asked]).toEqual([[], "none", []]);
    expect(await process().recordings.backlog()).toMatchObject({ toCopy: 0, toDelete: 0, failing: 0 });
  });

  it("is copied up to exactly that size", async () => {
    await toldOf();
    const { at } = sending(MOST_BYTES);
    await rounds(process({ at }), 1);
    expect([failed, await process().recordings.copyOf(CALL)]).toEqual([[], { copy: "copied", place: null }]);
  });

  it("is still deleted at the carrier when its call is erased", async () => {
    await toldOf();
    await rounds(process({ at: sending(2 * MOST_BYTES).at }), 1);
    await process().recordings.erase([CALL]);
    await rounds(process(), 1);
    expect(asked).toEqual(["delete rec-1"]);
  });
});

describe("a disk that is nearly full", () => {
  const GIB = 1024 ** 3;
  const disk = (freeBytes: number, totalBytes: number) => ({
    ...recordingFiles(folder, systemClock),
    disk: async () => ({ freeBytes, totalBytes }),
  });

  it.each([
    ["less than 1 GiB", GIB - 1, 2 * GIB],
    ["less than 5 %", 4 * GIB, 100 * GIB],
  ])("stops copying, and says so: %s", async (_, free, total) => {
    await toldOf();
    await rounds(process({ files: disk(free, total) }), 1);
    const { problem, toCopy } = await process().recordings.backlog();
    expect([toCopy, problem, asked]).toEqual([1, expect.stringContaining("MiB free"), []]);
    await later();
    await rounds(process({ files: disk(5 * GIB, 100 * GIB) }), 1);
    expect(await process().recordings.copyOf(CALL)).toMatchObject({ copy: "copied" });
  });

  it("is noticed while a recording comes", async () => {
    await toldOf();
    const { at, seen } = sending(100 * 1024 * 1024);
    const left = [2 * GIB, 0];
    const filling = {
      ...recordingFiles(folder, systemClock),
      disk: async () => ({ freeBytes: left.shift() ?? 0, totalBytes: 4 * GIB }),
    };
    const long = { ...NEVER_EXPECTED, maxDurationSeconds: async () => 7_200, fail: async () => undefined };
    await rounds(process({ at, files: filling, recorded: long }), 1);
    expect([seen, await files()]).toEqual([{ taken: 128, closed: true }, []]);
    expect(await process().recordings.backlog()).toMatchObject({ toCopy: 1, failing: 1 });
  });

  it("is asked of the disk itself, also before its folder is made", async () => {
    const { freeBytes, totalBytes } = await recordingFiles(join(folder, "not", "made"), systemClock).disk();
    expect(freeBytes).toBeGreaterThan(0);
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
  });
});

it("of one owner are copied two at once, so that a slow carrier of his keeps nobody waiting", async () => {
  const { recordings } = process();
  const carrierOfCall = { kind: "simulated", connectionId: null, instance: INSTANCE } as const;
  const tell = (owner: "usr_1" | "usr_2", ids: readonly CallId[]) =>
    recordings.add(ids.map((callId) => ({ callId, owner, carrier: carrierOfCall, recordingRef: callId })));
  await tell("usr_1", ["call_a1", "call_a2", "call_a3", "call_a4"]);
  await tell("usr_2", ["call_b1"]);
  const slow = Promise.withResolvers<void>();
  const at: Carrier = {
    ...carrier,
    recording: async (ref) => {
      asked.push(ref);
      if (ref.startsWith("call_a")) await slow.promise;
      return { kind: "absent" };
    },
  };
  const round = recordingsRound(process({ at }), on);
  await expect.poll(() => asked.filter((ref) => ref.startsWith("call_b"))).toEqual(["call_b1"]);
  expect(asked.filter((ref) => ref.startsWith("call_a"))).toHaveLength(2);
  slow.resolve();
  await round;
  expect(asked).toHaveLength(5);
});
