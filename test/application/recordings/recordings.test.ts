import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Carrier, CarrierRecording } from "../../../application/ports/carrier.ts";
import type { SubjectKey } from "../../../application/ports/subject-keys.ts";
import { hearRecording } from "../../../application/recordings/hear-recording.ts";
import type { RecordingStepsDeps } from "../../../application/recordings/recording-steps.ts";
import { recordingsRound } from "../../../application/recordings/run-recordings.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { postgresRecordings } from "../../../infrastructure/recordings/postgres-recordings.ts";
import { recordingFiles } from "../../../infrastructure/recordings/recording-files.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import {
  crashingCarrier,
  crashingRecordingFiles,
  crashingRecordings,
} from "../../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../../simulation/crash-points/with-crash-points.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const CALL: CallId = "call_a1";
const OWNER = "usr_1";
const INSTANCE = "journal-1";
const SOUND = randomBytes(150_000);
const on = new AbortController().signal;

let database: WorkDatabase;
let folder: string;
let key: SubjectKey;
/** What the carrier still has. */
let kept: Set<string>;
let asked: string[];
let instance: string | null;
beforeEach(async () => {
  database = await workDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-recordings-"));
  key = { kind: "open", key: randomBytes(32) };
  kept = new Set(["rec-1"]);
  asked = [];
  instance = INSTANCE;
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

type Changes = Partial<RecordingStepsDeps> & {
  readonly at?: Carrier | null;
  readonly crashPoints?: CrashPoints | null;
};

function process({ at = carrier, crashPoints = null, ...changes }: Changes = {}): RecordingStepsDeps {
  const withCrashPoints = withCrashPointsAt(crashPoints);
  return {
    recordings: withCrashPoints(postgresRecordings(database.pool), crashingRecordings),
    files: withCrashPoints(recordingFiles(folder), crashingRecordingFiles),
    keys: { of: async (subjects) => new Map(subjects.map((subject) => [subject, key])) },
    carriers: { dialledOn: async () => at && withCrashPoints(at, crashingCarrier) },
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

const files = async () =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes("call_"));
const dyingAt = (point: string): CrashPoints => ({
  reached: (here) => {
    if (here === point) throw new Error("died");
    return undefined;
  },
});
const rounds = async (deps: RecordingStepsDeps, count: number) => {
  for (let round = 0; round < count; round += 1) await recordingsRound(deps, on);
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
    await rounds(process({ files: { ...recordingFiles(folder), write } }), 1);
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
    await recordingFiles(folder).remove([CALL]);
    expect(await heard()).toBe("pending");
    await rounds(process(), 2);
    expect(SOUND.equals((await heard()) as Buffer)).toBe(true);
    await recordingFiles(folder).remove([CALL]);
    expect(await heard()).toBe("unavailable");
  });

  it("that the carrier has lost is none", async () => {
    kept.clear();
    await toldOf();
    await rounds(process(), 2);
    expect([await heard(), asked]).toEqual(["none", ["get rec-1"]]);
  });
});
