import { setTimeout as delay, setImmediate as round } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMetrics } from "../../../infrastructure/metrics.ts";
import { type LoopDelay, openLoopDelay } from "../../../infrastructure/rehearsal/loop-delay.ts";
import { parseExposition, sampleValue } from "../../support/exposition.ts";

const NEVER = new AbortController().signal;
/** A chunk of work; three times what a turn may be late. */
const CHUNK_MILLIS = 30;
const WORK_MILLIS = 600;
const LONGEST_WAIT_MILLIS = 800;
/** Two looks later it has begun. */
const BEGUN_MILLIS = LONGEST_WAIT_MILLIS + 500;

const { metrics, metricsText } = createMetrics();
let loop: LoopDelay;
beforeEach(() => {
  loop = openLoopDelay(metrics);
});
afterEach(() => loop.close());

async function keepBusy(millis: number): Promise<void> {
  for (const until = performance.now() + millis; performance.now() < until; await round())
    for (const chunk = performance.now() + CHUNK_MILLIS; performance.now() < chunk; );
}

it("lets nobody begin while the loop is late, tells how late it is, and lets go on when it is over", async () => {
  await keepBusy(WORK_MILLIS);
  expect(loop.millis()).toBeGreaterThan(10);
  const told = sampleValue(parseExposition(await metricsText()), "ringfold_loop_delay_seconds");
  expect(told).toBeCloseTo(loop.millis() / 1_000);
  const began: number[] = [];
  const waiting = [1, 2, 3].map((nth) => loop.calm(NEVER).then(() => began.push(nth)));
  await keepBusy(WORK_MILLIS);
  expect(began).toEqual([]);
  await Promise.all(waiting);
  expect(began).toEqual([1, 2, 3]);
}, 20_000);

it("lets one begin after the longest wait even so, because a machine may always be late", async () => {
  loop.close();
  loop = openLoopDelay(metrics, LONGEST_WAIT_MILLIS);
  await keepBusy(WORK_MILLIS);
  const since = performance.now();
  let waited: number | null = null;
  const waiting = loop.calm(NEVER).then(() => {
    waited = performance.now() - since;
  });
  await keepBusy(BEGUN_MILLIS);
  expect(waited).toBeGreaterThanOrEqual(LONGEST_WAIT_MILLIS - 1);
  await waiting;
});

it("ends the wait of whoever is stopped", async () => {
  await keepBusy(WORK_MILLIS);
  const stop = new AbortController();
  const waiting = loop.calm(stop.signal);
  stop.abort();
  expect(await Promise.race([waiting.then(() => "ended"), delay(1_000, "waits")])).toBe("ended");
  expect(await Promise.race([loop.calm(stop.signal).then(() => "ended"), delay(1_000, "waits")])).toBe(
    "ended",
  );
});
