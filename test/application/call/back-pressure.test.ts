import { beforeEach, describe, expect, it } from "vitest";
import { connectionStates, tellConnections } from "../../../application/call/connection-states.ts";
import { createBackPressure } from "../../../application/call/health/back-pressure.ts";
import { turnInTime } from "../../../application/call/watchdog/late-turn.ts";
import type { PlaceCallResult } from "../../../application/ports/carrier.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const THROTTLED: PlaceCallResult = { kind: "throttled", retryAfterMillis: 3_000 };
const ACCEPTED: PlaceCallResult = { kind: "accepted", carrierRef: "ref" };
const refusal = (carrierCode: string | null): PlaceCallResult => ({
  kind: "rejected",
  endReason: "carrier_error",
  carrierCode,
  message: "no",
  noAnswerAtAll: false,
});

let clock: ReturnType<typeof movingClock>;
let told: unknown[];
let errors: unknown[];
let fails: boolean;
const AWAY = new Error("away");
beforeEach(() => {
  clock = movingClock();
  [told, errors, fails] = [[], [], false];
});

describe("a carrier that has too much to do", () => {
  const pressure = () =>
    createBackPressure({
      clock,
      logger: { ...silentLogger, error: (...line) => void errors.push(line) },
      admission: {
        slowDown: async (...slowed) => {
          told.push(slowed);
          if (fails) throw AWAY;
        },
        tookDial: async (...took) => void told.push(took),
      },
    });

  it("is slowed down for as long as it says, alone, until a dial is taken that began later", async () => {
    const { saw, slowed } = pressure();
    clock.advance(1_000);
    await saw("a", THROTTLED, 900);
    await saw("b", ACCEPTED, 900);
    expect([slowed(), told]).toEqual([
      ["a"],
      [
        ["a", 3_000],
        ["b", 100],
      ],
    ]);
    clock.advance(500);
    await saw("a", ACCEPTED, 999);
    expect([slowed(), told.at(-1)]).toEqual([["a"], ["a", 501]]);
    await saw("a", ACCEPTED, 1_000);
    expect([slowed(), told.at(-1)]).toEqual([[], ["a", 500]]);
  });

  it("has taken a dial that it refuses by a code of its own, and none of those that left no trace", async () => {
    const { saw } = pressure();
    await saw("a", refusal("486"), 0);
    expect(told).toEqual([["a", 0]]);
    await saw("a", refusal(null), 0);
    await saw("a", { kind: "unknown", cause: "late", noAnswerAtAll: true }, 0);
    expect(told).toHaveLength(1);
  });

  it("counts as slowed for two minutes at the most", async () => {
    const { saw, slowed } = pressure();
    await saw("a", THROTTLED, 0);
    clock.advance(120_000);
    expect(slowed()).toEqual(["a"]);
    clock.advance(1);
    expect(slowed()).toEqual([]);
  });

  it("is dialled on when its pace cannot be changed", async () => {
    fails = true;
    await expect(pressure().saw("a", THROTTLED, 0)).resolves.toBeUndefined();
    expect(errors).toEqual([[{ connection: "a", error: AWAY }, "the pace of a connection was not changed"]]);
  });
});

describe("a dial that missed its turn", () => {
  const carriers = (callsPerSecond: number | null) =>
    oneCarrier({
      ...QUIET_CARRIER,
      can: { ...QUIET_CARRIER.can, callsPerSecond },
      placeCall: async () => ACCEPTED,
    });
  /** What is asked at the moment 0, for a turn so long ago. */
  async function turn(
    lateMillis: number,
    {
      pace = 1,
      next = 1_000,
      dialByMillis = 9_000,
    }: {
      readonly pace?: number | null;
      readonly next?: number | null;
      readonly dialByMillis?: number;
    } = {},
  ) {
    const start = clock.now();
    const late = {
      owner: "usr_1",
      connectionId: null,
      to: "+12025550100",
      dialBy: plusMillis(start, dialByMillis),
    } as const;
    const takeTurn = async (_turn: unknown, before: Instant) => {
      told.push(before);
      return next === null ? null : plusMillis(start, next);
    };
    let waited = 0;
    const sleep = async (millis: number) => {
      waited = millis;
    };
    const deps = { carriers: carriers(pace), admission: { takeTurn }, clock: { ...clock, sleep } };
    const at = await turnInTime(deps, late, plusMillis(start, -lateMillis), new AbortController().signal);
    return [Date.parse(at) - Date.parse(start), waited];
  }

  it("takes another, and waits for it; one that is late by 250 ms goes on", async () => {
    expect(await turn(251)).toEqual([1_000, 1_000]);
    expect(await turn(250)).toEqual([-250, 0]);
    expect(told).toEqual([plusMillis(clock.now(), 9_000)]);
  });

  it("waits until its time is over when there is none before", async () => {
    expect(await turn(1_000, { next: null })).toEqual([9_000, 9_000]);
  });

  it("waits for none that is past", async () => {
    expect(await turn(1_000, { next: -10 })).toEqual([-10, 0]);
  });

  it("goes on where its connection has no pace, and where its time is over", async () => {
    expect(await turn(1_000, { pace: null })).toEqual([-1_000, 0]);
    expect(await turn(1_000, { dialByMillis: 0 })).toEqual([-1_000, 0]);
    expect(told).toEqual([]);
  });
});

describe("connections that are not well", () => {
  const routeKey = (key: string) => ({ key, owner: "usr_1", connectionId: null }) as const;
  const states = connectionStates(
    { away: () => [routeKey("b"), routeKey("c")] },
    { slowed: () => ["a", "b"] },
  );

  it("are told by name; one that does not answer is not only slowed", () => {
    expect(states).toEqual({ a: "slowed", b: "unavailable", c: "unavailable" });
  });

  it("are counted by what they lack, also when there are none", () => {
    const gauged = new Map<string, number>();
    const metrics: typeof silentMetrics = {
      ...silentMetrics,
      gauge: (name, value, labels) => void gauged.set([name, ...Object.values(labels)].join(" "), value),
    };
    tellConnections(metrics, states);
    const name = "ringfold_connections_not_well";
    expect(Object.fromEntries(gauged)).toEqual({ [`${name} unavailable`]: 2, [`${name} slowed`]: 1 });
    tellConnections(metrics, {});
    expect([...gauged.values()]).toEqual([0, 0]);
  });
});
