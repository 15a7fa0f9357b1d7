import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { loopMillisOf } from "./loop-time.ts";

it("passes with the time in which this process could work", async () => {
  const passed = await loopMillisOf(delay(200));
  expect(passed).toBeGreaterThan(5);
  expect(passed).toBeLessThanOrEqual(1_000);
});

it("stands still while the loop is held up, as on a machine that runs something else", async () => {
  const heldUp = async () => {
    await delay(20);
    for (const until = performance.now() + 400; performance.now() < until; );
  };
  expect(await loopMillisOf(heldUp())).toBeLessThan(200);
});
