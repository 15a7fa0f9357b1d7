import { beforeEach, describe, expect, it } from "vitest";
import { type CarrierHealth, createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import { runCarrierProbe } from "../../../application/call/health/carrier-probe.ts";
import type { PlaceCallResult } from "../../../application/ports/carrier.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { pass, QUIET_CARRIER, sharedStores, until } from "../engine-world.ts";

const silent: PlaceCallResult = { kind: "unknown", cause: "no answer", noAnswerAtAll: true };
const late: PlaceCallResult = { kind: "unknown", cause: "late", noAnswerAtAll: false };
const accepted: PlaceCallResult = { kind: "accepted", carrierRef: "ref" };
const unreached: PlaceCallResult = {
  kind: "rejected",
  endReason: "carrier_error",
  carrierCode: null,
  message: "refused",
  noAnswerAtAll: true,
};

const WAY = { key: "simulated", owner: "usr_1", connectionId: null } as const;
const OTHER = { ...WAY, key: "conn_2", connectionId: "conn_2" } as const;

let health: CarrierHealth;
let changes: boolean[];
beforeEach(() => {
  health = createCarrierHealth();
  changes = [];
  health.onChange(() => changes.push(health.unavailable("simulated")));
});
const see = (...results: readonly PlaceCallResult[]) => {
  for (const result of results) health.sawDial(WAY, result);
  return health.unavailable("simulated");
};

describe("a carrier", () => {
  it("is available at first", () => expect(health.unavailable("simulated")).toBe(false));

  it("is unavailable after five dials in a row without an answer, whichever way there was none", () => {
    expect(see(silent, silent, unreached, silent)).toBe(false);
    expect(see(unreached)).toBe(true);
    expect(changes).toEqual([true]);
  });

  it.each([
    ["accepted", accepted],
    ["answered late", late],
    ["refused for now", { kind: "throttled", retryAfterMillis: 1_000 } as const],
  ])("counts from the beginning after one that was %s", (_what, answer) => {
    expect(see(silent, silent, silent, silent, answer, silent, silent, silent, silent)).toBe(false);
    expect(changes).toEqual([]);
  });

  it("is available again by any answer, and that is told once", () => {
    see(silent, silent, silent, silent, silent, silent);
    health.sawAnswer("simulated");
    health.sawAnswer("simulated");
    expect(changes).toEqual([true, false]);
  });

  it("can be assumed unavailable, also when it is already", () => {
    health.assumeUnavailable(WAY);
    health.assumeUnavailable(WAY);
    expect([health.unavailable("simulated"), changes]).toEqual([true, [true]]);
  });

  it("is away alone: another connection is not touched by it", () => {
    see(silent, silent, silent, silent, silent);
    health.sawDial(OTHER, silent);
    expect([health.unavailable("conn_2"), health.away()]).toEqual([false, [WAY]]);
    health.assumeUnavailable(OTHER);
    health.sawAnswer("simulated");
    expect(health.away()).toEqual([OTHER]);
  });

  it("tells nobody who listens no more", () => {
    const heard: string[] = [];
    health.onChange(() => heard.push("change"))();
    health.assumeUnavailable(WAY);
    expect(heard).toEqual([]);
  });
});

describe("the probe", () => {
  it("asks an unavailable carrier every 10 s until it answers, and an available one never", async () => {
    const stores = sharedStores();
    const { clock } = stores;
    const asked: number[] = [];
    const stop = new AbortController();
    const telephony = {
      ...QUIET_CARRIER,
      placeCall: async () => silent,
      available: async () => {
        asked.push(clock.elapsed());
        return asked.length >= 3;
      },
    };
    const running = runCarrierProbe(
      { carriers: oneCarrier(telephony), carrierHealth: health, clock },
      stop.signal,
    );
    await pass(stores, 60_000);
    expect(asked).toEqual([]);
    health.assumeUnavailable(WAY);
    await pass(stores, 60_000);
    expect(asked).toEqual([70_000, 80_000, 90_000]);
    expect(health.unavailable("simulated")).toBe(false);
    health.assumeUnavailable(WAY);
    await pass(stores, 10_500);
    expect(asked).toHaveLength(4);
    stop.abort();
    await until(stores, running);
  });

  /** Asks a carrier that was away from the beginning, with what it answers and when. */
  async function probed(available: () => Promise<boolean>, route?: () => Promise<null>) {
    const stores = sharedStores();
    const stop = new AbortController();
    let asked = 0;
    const telephony = {
      ...QUIET_CARRIER,
      placeCall: async () => silent,
      available: () => {
        asked += 1;
        return available();
      },
    };
    const carriers = oneCarrier(telephony);
    health.assumeUnavailable(WAY);
    const deps = {
      carriers: { route: route ?? carriers.route },
      carrierHealth: health,
      clock: stores.clock,
    };
    const running = runCarrierProbe(deps, stop.signal);
    return { stores, stop, running, asked: () => asked };
  }

  it("asks again a carrier that fails to answer", async () => {
    const { stores, stop, running, asked } = await probed(() => Promise.reject(new Error("away")));
    await pass(stores, 25_000);
    expect([asked(), health.unavailable("simulated")]).toEqual([2, true]);
    stop.abort();
    await until(stores, running);
  });

  it("asks no more about a connection that is gone", async () => {
    const { stores, stop, running } = await probed(
      async () => false,
      async () => null,
    );
    await pass(stores, 10_500);
    expect(health.away()).toEqual([]);
    stop.abort();
    await until(stores, running);
  });

  it("asks nobody twice at once, and does not wait for an answer when it stops", async () => {
    const { stores, stop, running, asked } = await probed(() => new Promise<boolean>(() => undefined));
    await pass(stores, 35_000);
    expect(asked()).toBe(1);
    stop.abort();
    await until(stores, running);
    expect(health.unavailable("simulated")).toBe(true);
  });

  it("asks nobody any more when it stops before its time, and hears of no change then", async () => {
    const { stores, stop, running, asked } = await probed(async () => false);
    await pass(stores, 5_000);
    stop.abort();
    await until(stores, running);
    expect(asked()).toBe(0);
  });
});
