import { beforeEach, describe, expect, it } from "vitest";
import { createAssistantHealth } from "../../../application/call/health/assistant-health.ts";
import { runAssistantProbe } from "../../../application/call/health/assistant-probe.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import { runCarrierProbe } from "../../../application/call/health/carrier-probe.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const MODEL = { owner: "usr_1", connectionId: null, model: null } as const;
const WAY = { key: "simulated", owner: "usr_1", connectionId: null } as const;

let clock: ReturnType<typeof movingClock>;
let asked: number[];
let listening: number;
let stop: AbortController;
beforeEach(() => {
  [clock, asked, listening, stop] = [movingClock(), [], 0, new AbortController()];
});

/** It does not work again. */
const ask = async () => {
  asked.push(clock.monotonicMillis());
  return false;
};
const counted =
  <Listener>(onChange: (listener: Listener) => () => void) =>
  (listener: Listener) => {
    const end = onChange(listener);
    listening += 1;
    return () => {
      listening -= 1;
      end();
    };
  };
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (...steps: readonly number[]) => {
  for (const millis of steps) {
    clock.advance(millis);
    await settled();
  }
};

/** Each answers how its probe is ended by a failure. */
const PROBES = {
  "a carrier": () => {
    const health = createCarrierHealth();
    const carriers = oneCarrier({
      ...QUIET_CARRIER,
      placeCall: () => Promise.reject(new Error("not asked for")),
      available: ask,
    });
    const carrierHealth = { ...health, onChange: counted(health.onChange) };
    return {
      run: runCarrierProbe({ carriers, carrierHealth, clock }, stop.signal),
      fail: () => health.assumeUnavailable(WAY),
    };
  },
  "an assistant": () => {
    const health = createAssistantHealth();
    const assistantHealth = { ...health, onChange: counted(health.onChange) };
    return {
      run: runAssistantProbe({ assistantHealth, assistantCheck: { check: ask }, clock }, stop.signal),
      fail: () => health.assumeUnavailable(MODEL),
    };
  },
};

describe.each(["a carrier", "an assistant"] as const)("the probe of %s", (which) => {
  it("asks 10 s after it became unavailable, whenever that was, and every 10 s from then on", async () => {
    const { fail } = PROBES[which]();
    await pass(4_000);
    expect(asked).toEqual([]);
    fail();
    await pass(0, 6_000, 3_999, 1, 10_000);
    expect(asked).toEqual([14_000, 24_000]);
    stop.abort();
  });

  it("asks nothing more once it is stopped, and nobody listens then", async () => {
    const { run, fail } = PROBES[which]();
    fail();
    await pass(0, 5_000);
    expect(listening).toBe(1);
    stop.abort();
    await run;
    expect([asked, listening]).toEqual([[], 0]);
  });
});
