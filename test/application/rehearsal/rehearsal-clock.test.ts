import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRehearsalClock } from "../../../application/rehearsal/rehearsal-clock.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { houseClock, passing } from "./rehearsed-run.ts";

const START = Date.parse("2026-09-01T10:00:00.000Z");
const GOES_ON = new AbortController().signal;
const HOUR = 3_600_000;

const clockOf = (real = systemClock) => createRehearsalClock(real, START, () => setImmediate());

describe("the clock of a run", () => {
  it("jumps to the next timer, in both times, and takes no real time for it", async () => {
    const clock = clockOf();
    const began = performance.now();
    await clock.run(Promise.all([clock.ours.sleep(2 * HOUR), clock.line.sleep(HOUR)]), GOES_ON);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect([clock.ours.now(), clock.line.monotonicMillis()]).toEqual(["2026-09-01T12:00:00.000Z", 2 * HOUR]);
    expect(clock.stoodMillis()).toBe(0);
  });

  it("wakes each sleeper exactly when it is due, in order; those of one moment as they began", async () => {
    const sleeps = fc.array(fc.tuple(fc.constantFrom("ours", "line"), fc.integer({ min: 0, max: 20 })), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(sleeps, async (drawn) => {
        const clock = clockOf();
        const woken: (readonly [at: number, index: number])[] = [];
        const all = drawn.map(async ([of, millis], index) => {
          await clock[of as "ours" | "line"].sleep(millis);
          woken.push([clock.line.monotonicMillis(), index]);
        });
        await clock.run(Promise.all(all), GOES_ON);
        const due = drawn.map(([, millis], index) => [millis, index] as const);
        expect(woken).toEqual(due.toSorted(([a, first], [b, second]) => a - b || first - second));
      }),
      { numRuns: 50 },
    );
  });

  it("lets our time go as the real one while a model is asked, and line time stand", async () => {
    const house = houseClock();
    const clock = clockOf(house);
    const heard = clock.line.sleep(1_000).then(() => clock.ours.monotonicMillis());
    const limit = clock.ours.sleep(5_000).then(() => clock.line.monotonicMillis());
    const asked = clock.during(() => house.sleep(20_000));
    expect(await passing(house, clock.run(Promise.all([limit, asked]), GOES_ON))).toEqual([0, undefined]);
    expect([clock.stoodMillis(), clock.line.monotonicMillis()]).toEqual([20_000, 0]);
    expect(await clock.run(heard, GOES_ON)).toBe(21_000);
  });

  it("stands still while something is done outside of time, even if a model is asked meanwhile", async () => {
    const house = houseClock();
    const clock = clockOf(house);
    let rang = false;
    const timer = clock.ours.sleep(5).then(() => {
      rang = true;
    });
    const both = [clock.during(() => house.sleep(40)), clock.outside(() => house.sleep(40))];
    await passing(house, clock.run(Promise.all(both), GOES_ON));
    expect([rang, clock.stoodMillis()]).toEqual([false, 0]);
    await clock.run(timer, GOES_ON);
    expect(rang).toBe(true);
  });

  it("ends a sleep at its signal, and everything at stop", async () => {
    const clock = clockOf();
    const cut = new AbortController();
    const sleeping = clock.ours.sleep(HOUR, cut.signal);
    cut.abort();
    await clock.run(sleeping, GOES_ON);
    expect(clock.ours.monotonicMillis()).toBe(0);
    const stop = new AbortController();
    const never = clock.run(
      clock.outside(() => new Promise<void>(() => undefined)),
      stop.signal,
    );
    stop.abort();
    expect(await never).toBeNull();
    expect(await clock.run(clock.line.sleep(HOUR), stop.signal)).toBeNull();
    expect(clock.line.monotonicMillis()).toBe(0);
  });

  it("rejects as the work does, and where nothing is left to wait for", async () => {
    const clock = clockOf();
    await expect(clock.run(Promise.reject(new Error("as it says")), GOES_ON)).rejects.toThrow("as it says");
    await expect(clock.run(new Promise(() => undefined), GOES_ON)).rejects.toThrow("A run waits for nothing");
  });
});
