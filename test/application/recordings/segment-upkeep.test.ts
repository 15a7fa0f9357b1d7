import { randomBytes } from "node:crypto";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Carrier } from "../../../application/ports/carrier.ts";
import type { RecordingCopy } from "../../../application/ports/recordings.ts";
import type { SubjectKey } from "../../../application/ports/subject-keys.ts";
import { hearRecording } from "../../../application/recordings/hear-recording.ts";
import { recordingsRound } from "../../../application/recordings/run-recordings.ts";
import { giveBackSegments, indexSegments } from "../../../application/recordings/segment-upkeep.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { postgresRecordings } from "../../../infrastructure/recordings/postgres-recordings.ts";
import { postgresSegmentIndex } from "../../../infrastructure/recordings/postgres-segment-index.ts";
import { recordingFiles } from "../../../infrastructure/recordings/recording-files.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import {
  crashingRecordingFiles,
  crashingRecordings,
  crashingSegmentIndex,
  crashingSegments,
} from "../../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../../simulation/crash-points/with-crash-points.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { keptRecordings } from "../../support/kept-recordings.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const OWNER = "usr_1";
const CARRIER = { kind: "simulated", connectionId: null, instance: "journal-1" } as const;
const TWO_DAYS = 2 * 86_400_000;
const on = new AbortController().signal;
const ALL = ["call_a", "call_b", "call_c", "call_d"] as const;
const SOUNDS = new Map<CallId, Buffer>(ALL.map((callId) => [callId, randomBytes(50_000)]));

let database: WorkDatabase;
let folder: string;
let clock: MovingClock;
/** What the carrier still has, and what it was asked for: two at once, so in any order. */
let kept: Set<string>;
let asked: string[];
let keys: Map<CallId, SubjectKey>;
beforeEach(async () => {
  database = await workDatabase();
  folder = await mkdtemp(join(tmpdir(), "ringfold-upkeep-"));
  clock = movingClock(Date.now());
  kept = new Set(ALL);
  asked = [];
  keys = new Map(ALL.map((callId) => [callId, { kind: "open", key: randomBytes(32) }]));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const carrier: Carrier = {
  placeCall: async () => ({ kind: "unknown", cause: "not asked", noAnswerAtAll: false }),
  ...QUIET_CARRIER,
  instance: async () => CARRIER.instance,
  recording: async (ref: string) => {
    asked.push(ref);
    async function* bytes() {
      yield SOUNDS.get(ref as CallId) ?? Buffer.alloc(0);
    }
    return kept.has(ref) ? { kind: "found", contentType: "audio/wav", bytes: bytes() } : { kind: "absent" };
  },
  deleteRecording: async (ref: string) => {
    kept.delete(ref);
    return "done";
  },
};

/** A process over the stores; it writes to segments of its own. */
function process(crashPoints: CrashPoints | null = null) {
  const withCrashPoints = withCrashPointsAt(crashPoints);
  const { segments, ...files } = recordingFiles(folder, clock);
  const deps = {
    recordings: withCrashPoints(postgresRecordings(database.pool), crashingRecordings),
    files: withCrashPoints(files, crashingRecordingFiles),
    segments: withCrashPoints(segments, crashingSegments),
    segmentIndex: withCrashPoints(postgresSegmentIndex(database.pool), crashingSegmentIndex),
    keys: { of: async (ids: readonly CallId[]) => new Map(ids.flatMap((id) => keyOf(id))) },
    carriers: { dialledOn: async () => carrier },
    recorded: {
      stateOf: () => Promise.reject(new Error("its recording was told of")),
      found: () => Promise.reject(new Error("its recording was told of")),
      maxDurationSeconds: async () => 60,
      fail: async () => undefined,
    },
    ...{ clock, logger: silentLogger, metrics: createMetrics().metrics },
  };
  const start = async () => {
    const unknown = await indexSegments(deps);
    return (rounds: number) => inTurns(rounds, () => recordingsRound({ ...deps, unknown }, on));
  };
  const giveBack = () => giveBackSegments(deps, on);
  const hear = async (callId: CallId): Promise<Buffer | string> => {
    const hearing = await hearRecording({ ...deps, clock: systemClock }, callId);
    if (hearing.kind !== "found") return hearing.kind;
    const { recording } = hearing;
    return Buffer.concat(await Array.fromAsync(recording.read(0, recording.bytes - 1)));
  };
  const erase = async (...callIds: readonly CallId[]) => {
    for (const callId of callIds) keys.set(callId, { kind: "erased" });
    await deps.files.remove(await deps.recordings.erase(callIds));
  };
  return { ...deps, start, giveBack, hear, erase };
}

function keyOf(callId: CallId): (readonly [CallId, SubjectKey])[] {
  const key = keys.get(callId);
  return key === undefined ? [] : [[callId, key]];
}

async function inTurns(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await work();
}

const tellOf = (...callIds: readonly CallId[]) =>
  process().recordings.add(
    callIds.map((callId) => ({ callId, owner: OWNER, carrier: CARRIER, recordingRef: callId })),
  );
/** They are copied by a process of their own and deleted at the carrier. */
async function copied(...callIds: readonly CallId[]): Promise<void> {
  await tellOf(...callIds);
  await (await process().start())(2);
  expect(callIds.filter((callId) => kept.has(callId))).toEqual([]);
}
const dyingAt = (point: string): CrashPoints => ({
  reached: (here) => {
    if (here === point) throw new Error("died");
    return undefined;
  },
});
const segments = () => readdir(join(folder, "segments")).catch(() => []);
/** What a database that was restored says: this row was never copied. */
const restoredRow = (callId: CallId, copy: RecordingCopy | null) =>
  copy === null
    ? database.pool.query("delete from work.recordings where call_id = $1", [callId])
    : database.pool.query(
        `update work.recordings set copy = $2, segment = null, segment_at = null, segment_length = null,
           at_carrier = true, due_at = now() where call_id = $1`,
        [callId, copy],
      );
const restoredIndex = () => database.pool.query("delete from work.recording_segments");
const isHeard = async (callId: CallId) =>
  SOUNDS.get(callId)?.equals(Buffer.from(await process().hear(callId)));

describe("recordings of a process that died", () => {
  it("before it told of them are found where it wrote them, and not fetched again", async () => {
    await tellOf(...ALL);
    const dying = await process(dyingAt("recordings.stepped.before")).start();
    await expect(dying(1)).rejects.toThrow("died");
    kept.clear();
    asked = [];
    await (await process().start())(1);
    expect(await Promise.all(ALL.map(isHeard))).toEqual([true, true, true, true]);
    expect(asked).toEqual([]);
  });

  it("are fetched again if the end of the segment is not whole, which is never heard", async () => {
    await tellOf("call_a");
    const dying = await process(dyingAt("recordings.stepped.before")).start();
    await expect(dying(1)).rejects.toThrow("died");
    const [name = ""] = await segments();
    await cutInside(name);
    expect((await process().segments.read(name, 0)).records).toHaveLength(1);
    await (await process().start())(1);
    expect([asked, await isHeard("call_a")]).toEqual([["call_a", "call_a"], true]);
  });

  it("and were erased meanwhile are overwritten", async () => {
    await tellOf("call_a", "call_b");
    const dying = await process(dyingAt("recordings.stepped.before")).start();
    await expect(dying(1)).rejects.toThrow("died");
    await process().erase("call_a");
    expect(await keptRecordings(folder)).toHaveLength(2);
    await (await process().start())(1);
    expect(await keptRecordings(folder)).toEqual(["call_b"]);
    expect([await process().hear("call_a"), await isHeard("call_b")]).toEqual(["none", true]);
  });
});

/** As a write that came to the disk only in part: zeros in the middle of its first piece. */
async function cutInside(name: string): Promise<void> {
  const file = await open(join(folder, "segments", name), "r+");
  await file.write(Buffer.alloc(4_096), 0, 4_096, 8_192);
  await file.close();
}

describe("a database that is older than the segments", () => {
  it("finds what it had to copy still, and where the copies are by now", async () => {
    await copied("call_a", "call_b");
    await restoredRow("call_a", "waiting");
    await restoredIndex();
    await (await process().start())(2);
    expect(await Promise.all((["call_a", "call_b"] as const).map(isHeard))).toEqual([true, true]);
    expect(asked.toSorted()).toEqual(["call_a", "call_b"]);
  });

  it("finds a recording whose row comes later from the log", async () => {
    await copied("call_a", "call_b");
    await restoredRow("call_a", null);
    await restoredIndex();
    const rounds = await process().start();
    await tellOf("call_a");
    await rounds(1);
    expect([await isHeard("call_a"), asked.toSorted()]).toEqual([true, ["call_a", "call_b"]]);
  });

  it("finds those that were moved since from a segment that is gone", async () => {
    await copied(...ALL);
    const { rows } = await database.pool.query("select * from work.recordings");
    await process().erase("call_a", "call_b");
    clock.advance(TWO_DAYS);
    await process().giveBack();
    await database.pool.query(
      `update work.recordings r set segment = old.segment, segment_at = old.segment_at,
         segment_length = old.segment_length
       from json_populate_recordset(null::work.recordings, $1) old where r.call_id = old.call_id`,
      [JSON.stringify(rows)],
    );
    await restoredIndex();
    await process().start();
    expect([await isHeard("call_c"), await isHeard("call_d")]).toEqual([true, true]);
  });

  it("keeps no bytes of a call whose key is erased, though it has no row of it", async () => {
    await copied("call_a", "call_b");
    await restoredRow("call_a", null);
    await restoredIndex();
    keys.set("call_a", { kind: "erased" });
    await process().start();
    expect(await keptRecordings(folder)).toEqual(["call_b"]);
  });
});

describe("the space of erased recordings", () => {
  it("is given back when they are half of a segment, and the others are heard from another one", async () => {
    await copied(...ALL);
    const before = await segments();
    await process().erase("call_a");
    clock.advance(TWO_DAYS);
    await process().giveBack();
    expect(await segments()).toEqual(before);
    await process().erase("call_b");
    await process().giveBack();
    expect([(await segments()).length, (await segments())[0] === before[0]]).toEqual([1, false]);
    expect([...(await keptRecordings(folder))].sort()).toEqual(["call_c", "call_d"]);
    expect([await isHeard("call_c"), await isHeard("call_d")]).toEqual([true, true]);
    expect((await process().segmentIndex.erasedBytes()).size).toBe(0);
  });

  it("is forgotten with a file that somebody removed, but not when the whole folder is away", async () => {
    await copied("call_a");
    await process().erase("call_a");
    const [name = ""] = await segments();
    await rm(join(folder, "segments", name));
    await process().giveBack();
    expect((await process().segmentIndex.erasedBytes()).size).toBe(1);
    await copied("call_b");
    await process().giveBack();
    expect((await process().segmentIndex.erasedBytes()).size).toBe(0);
  });

  it("of a segment that somebody may write to is not", async () => {
    await copied(...ALL);
    await process().erase(...ALL);
    const before = await segments();
    await process().giveBack();
    expect(await segments()).toEqual(before);
    clock.advance(TWO_DAYS);
    await process().giveBack();
    expect(await segments()).toEqual([]);
  });

  it.each([
    "segments.copy.after",
    "segmentIndex.moved.before",
    "segmentIndex.moved.after",
    "segmentIndex.dropped.before",
    "segmentIndex.dropped.after",
    "segments.drop.before",
  ])(
    "is given back in the end by a process that dies %s, and each recording is heard at any time",
    async (point) => {
      await copied(...ALL);
      const [old = ""] = await segments();
      await process().erase("call_a", "call_b");
      clock.advance(TWO_DAYS);
      await expect(process(dyingAt(point)).giveBack()).rejects.toThrow("died");
      expect([await isHeard("call_c"), await isHeard("call_d")]).toEqual([true, true]);
      clock.advance(TWO_DAYS);
      const next = process();
      await next.start();
      await next.giveBack();
      expect([await isHeard("call_c"), await isHeard("call_d")]).toEqual([true, true]);
      expect([...(await keptRecordings(folder))].sort()).toEqual(["call_c", "call_d"]);
      expect(await segments()).not.toContain(old);
    },
  );

  it("has nothing of a recording that is erased while it is moved", async () => {
    await copied(...ALL);
    await process().erase("call_a", "call_b");
    clock.advance(TWO_DAYS);
    const erasing: CrashPoints = {
      reached: async (point) => {
        if (point === "segmentIndex.moved.before") await process().erase("call_c");
      },
    };
    await process(erasing).giveBack();
    expect([await keptRecordings(folder), await isHeard("call_d")]).toEqual([["call_d"], true]);
  });

  it("is kept beside a recording that no row knows", async () => {
    await copied(...ALL);
    await process().erase("call_a", "call_b");
    await restoredRow("call_c", null);
    clock.advance(TWO_DAYS);
    await process().giveBack();
    expect([...(await keptRecordings(folder))].sort()).toEqual(["call_c", "call_d"]);
  });

  it("is none that a listener misses: whoever asked before a move hears it after", async () => {
    await copied(...ALL);
    await process().erase("call_a", "call_b");
    clock.advance(TWO_DAYS);
    const listener = process();
    let isMoved = false;
    const copyOf = async (callId: CallId) => {
      const known = await listener.recordings.copyOf(callId);
      if (!isMoved) await process().giveBack();
      isMoved = true;
      return known;
    };
    const looking = { ...listener, clock: systemClock, recordings: { ...listener.recordings, copyOf } };
    const heard = await hearRecording(looking, "call_c");
    expect(isMoved).toBe(true);
    expect(heard.kind).toBe("found");
    if (heard.kind === "found") await heard.recording.close();
  });
});
