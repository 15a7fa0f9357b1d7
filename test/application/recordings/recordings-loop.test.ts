import { describe, expect, it } from "vitest";
import type { Carrier } from "../../../application/ports/carrier.ts";
import type { LogFields } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type {
  PlacedRecording,
  RecordingBacklog,
  RecordingStep,
  RecordingTask,
} from "../../../application/ports/recordings.ts";
import { recordingsRound, runRecordings } from "../../../application/recordings/run-recordings.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const ROUND = 64;
const FREE = { freeBytes: 3_000, totalBytes: 3_001 };
const KEY = { kind: "open", key: new Uint8Array(32) } as const;
const BACKLOG: RecordingBacklog = { toCopy: 7, toDelete: 5, failing: 1, problem: null };
const toDelete = (id: string): RecordingTask => ({
  ...{ callId: `call_${id}`, owner: `usr_${id[0]}`, carrier: null },
  ...{ recordingRef: id, copy: "copied", place: null, tries: 0 },
});
const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => toDelete(`${prefix}${index}`));
/** Everything that can run without the clock has run. */
const settled = async () => {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((go) => setImmediate(go));
};

/**
 * The list of work in memory: `rounds` are what its looks find, then nothing. Of each round the first
 * recording was erased meanwhile.
 */
function world(rounds: (readonly RecordingTask[] | Error)[] = []) {
  const clock = movingClock();
  const looks: [at: number, limit: number][] = [];
  const gauges: Parameters<Metrics["gauges"]>[] = [];
  const said: [message: string, fields: LogFields][] = [];
  const deleted: string[] = [];
  const steps: RecordingStep[] = [];
  const removed: (readonly string[])[] = [];
  const keysOf: (readonly string[])[] = [];
  const turns: string[] = [];
  const stop = new AbortController();
  const remove = async (recordings: readonly PlacedRecording[]) =>
    void removed.push(recordings.map(({ callId }) => callId));
  const unused = () => Promise.reject(new Error("not used here"));
  const carrier: Carrier = {
    placeCall: unused,
    ...QUIET_CARRIER,
    deleteRecording: async (ref) => {
      deleted.push(ref);
      return "done";
    },
  };
  const deps = {
    recordings: {
      ...{ expect: unused, add: unused, erase: unused, copyOf: unused, lost: unused },
      due: async (limit: number) => {
        looks.push([clock.monotonicMillis(), limit]);
        const found = rounds.shift() ?? [];
        if (found instanceof Error) throw found;
        return found;
      },
      stepped: async (given: readonly RecordingStep[]) => {
        steps.push(...given);
        return new Set(
          given
            .filter(({ copy }) => copy === "copied")
            .map(({ callId }) => callId)
            .slice(0, 1),
        );
      },
      backlog: async () => BACKLOG,
    },
    files: { write: unused, flush: unused, open: unused, remove, disk: async () => FREE },
    segments: { list: async () => [], read: unused, copy: unused, erase: unused, drop: unused },
    segmentIndex: {
      ...{ indexed: async () => new Map(), erasedBytes: async () => new Map() },
      ...{ setIndexed: unused, found: unused, rowsOf: unused, moved: unused, dropped: unused },
    },
    unknown: new Map(),
    keys: {
      of: async (subjects: readonly string[]) => {
        keysOf.push(subjects);
        return new Map();
      },
    },
    carriers: { dialledOn: async (): Promise<Carrier | null> => carrier },
    recorded: { maxDurationSeconds: unused, stateOf: unused, found: unused, fail: unused },
    clock,
    logger: {
      ...silentLogger,
      warn: (fields: LogFields, message: string) => void said.push([message, fields]),
    },
    metrics: {
      ...silentMetrics,
      gauges: (...given: Parameters<Metrics["gauges"]>) => void gauges.push(given),
    },
    turns: {
      tryTake: async (processor: string) => {
        turns.push(processor);
        return { lost: new AbortController().signal, release: () => void turns.push("released") };
      },
    },
  };
  return { deps, clock, looks, gauges, said, deleted, steps, removed, keysOf, turns, carrier, stop };
}

describe("the work on recordings", () => {
  it("asks the disk once for all copies of a second", async () => {
    const toCopy = many("a", 3).map((task): RecordingTask => ({ ...task, copy: "waiting" }));
    const { deps, clock, stop, steps } = world([toCopy, [], toCopy]);
    const keys = { of: async (subjects: readonly string[]) => new Map(subjects.map((of) => [of, KEY])) };
    const asked: number[] = [];
    const disk = async () => {
      asked.push(clock.monotonicMillis());
      return { freeBytes: 0, totalBytes: 1e12 };
    };
    const running = runRecordings({ ...deps, keys, files: { ...deps.files, disk } }, stop.signal);
    await settled();
    expect([asked, steps.length]).toEqual([[0], 3]);
    clock.advance(500);
    await settled();
    clock.advance(500);
    await settled();
    expect([asked, steps.length]).toEqual([[0, 1_000], 6]);
    expect(steps.map(({ again }) => again?.problem)).toEqual(
      steps.map(() => expect.stringContaining("0 MiB free")),
    );
    stop.abort();
    await running;
  });

  it("is looked for every half second, and at once while more may be due", async () => {
    const { deps, clock, looks, deleted, stop, turns } = world([many("a", ROUND), many("b", 2)]);
    const running = runRecordings(deps, stop.signal);
    await settled();
    expect(looks).toEqual([
      [0, ROUND],
      [0, ROUND],
    ]);
    expect(deleted).toHaveLength(ROUND + 2);
    clock.advance(499);
    await settled();
    expect(looks).toHaveLength(2);
    clock.advance(1);
    await settled();
    expect(looks.map(([at]) => at)).toEqual([0, 0, 500]);
    expect(turns).toEqual(["recording-copies"]);
    stop.abort();
    await running;
    expect([looks.length, turns]).toEqual([3, ["recording-copies", "released"]]);
  });

  it("tells every 15 s how much waits, and what is free of the disk", async () => {
    const { deps, clock, gauges, stop } = world();
    const running = runRecordings(deps, stop.signal);
    await settled();
    const told = [
      ["ringfold_recordings_disk_free_bytes", [{ labels: {}, value: FREE.freeBytes }]],
      [
        "ringfold_recordings_waiting",
        [
          { labels: { step: "copy" }, value: BACKLOG.toCopy },
          { labels: { step: "delete" }, value: BACKLOG.toDelete },
        ],
      ],
    ];
    expect(gauges).toEqual(told);
    clock.advance(15_000);
    await settled();
    expect(gauges).toEqual(told);
    clock.advance(500);
    await settled();
    expect(gauges).toEqual([...told, ...told]);
    stop.abort();
    await running;
  });

  it("goes on 5 s after the list could not be read, and says why", async () => {
    const { deps, clock, looks, said, stop, turns } = world([new Error("no connection")]);
    const running = runRecordings(deps, stop.signal);
    await settled();
    expect(said).toEqual([
      ["recordings cannot be looked for; tried again", { problem: "Error: no connection" }],
    ]);
    clock.advance(4_999);
    await settled();
    expect(looks).toHaveLength(1);
    clock.advance(1);
    await settled();
    expect(looks.map(([at]) => at)).toEqual([0, 5_000]);
    expect(turns).toEqual(["recording-copies", "released", "recording-copies"]);
    stop.abort();
    await running;
  });
});

describe("one round", () => {
  it("takes four steps at once, two of an owner, and the next as soon as one has ended", async () => {
    const tasks = ["a", "b", "c"].flatMap((owner) => many(owner, 3));
    const { deps, carrier, stop } = world([tasks]);
    const underWay: { readonly ref: string; readonly end: () => void }[] = [];
    const slow: Carrier = {
      ...carrier,
      deleteRecording: (ref) => new Promise((resolve) => underWay.push({ ref, end: () => resolve("done") })),
    };
    const round = recordingsRound({ ...deps, carriers: { dialledOn: async () => slow } }, stop.signal);
    const refs = () => underWay.map(({ ref }) => ref);
    await settled();
    expect(refs()).toEqual(["a0", "a1", "b0", "b1"]);
    underWay[0]?.end();
    await settled();
    expect(refs().slice(4)).toEqual(["a2"]);
    underWay[2]?.end();
    await settled();
    expect(refs().slice(5)).toEqual(["b2"]);
    for (let ended = 0; ended < tasks.length; ended += 1) {
      underWay[ended]?.end();
      await settled();
    }
    expect(await round).toBe(9);
    expect(refs().toSorted()).toEqual(tasks.map(({ recordingRef }) => recordingRef));
  });

  it("stores how every step ended, then removes the files of what was erased meanwhile", async () => {
    const { deps, steps, removed, stop } = world([many("a", 3)]);
    await recordingsRound(deps, stop.signal);
    const ids = ["call_a0", "call_a1", "call_a2"];
    expect(steps).toEqual(
      ids.map((callId) => ({ callId, copy: "copied", place: null, atCarrier: false, again: null })),
    );
    expect(removed).toEqual([["call_a0"]]);
  });

  it("begins no step after a stop", async () => {
    const { deps, carrier, stop, deleted } = world([many("a", 2), many("a", 3)]);
    const stopping: Carrier = {
      ...carrier,
      deleteRecording: async (ref) => {
        stop.abort();
        return carrier.deleteRecording(ref);
      },
    };
    const stopped = { ...deps, carriers: { dialledOn: async () => stopping } };
    expect(await recordingsRound(stopped, stop.signal)).toBe(2);
    expect(await recordingsRound(stopped, stop.signal)).toBe(3);
    expect(deleted).toEqual(["a0", "a1"]);
  });

  it("asks for the keys of those that are to be copied, and for no other", async () => {
    const waiting = (id: string): RecordingTask => ({ ...toDelete(id), copy: "waiting" });
    const { deps, keysOf, stop, said } = world([
      [toDelete("a1"), waiting("b2"), waiting("c3")],
      [toDelete("a1")],
    ]);
    await recordingsRound(deps, stop.signal);
    await recordingsRound(deps, stop.signal);
    expect(keysOf).toEqual([["call_b2", "call_c3"]]);
    const message = "a recording could not be copied; it stays at the carrier and is tried again";
    expect(said).toEqual(
      ["call_b2", "call_c3"].map((callId) => [message, { callId, problem: `no key of ${callId}`, tries: 1 }]),
    );
  });

  it("says what could not be deleted, and of which time it was", async () => {
    const { deps, stop, said } = world([[{ ...toDelete("a1"), tries: 4 }]]);
    await recordingsRound({ ...deps, carriers: { dialledOn: async () => null } }, stop.signal);
    const problem = "the connection that it was dialled on is not configured any more";
    expect(said).toEqual([
      [
        "a recording could not be deleted at the carrier; it is tried again",
        { callId: "call_a1", problem, tries: 5 },
      ],
    ]);
  });
});
