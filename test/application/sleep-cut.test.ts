import { afterEach, expect, it, vi } from "vitest";
import { createTimer } from "../../application/voice/timer.ts";
import { createSleepCut } from "../../application/wake-signal.ts";
import { withinLimit } from "../../application/within-limit.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { seededRandom } from "../../simulation/campaigns/seeded-random.ts";
import { createVirtualClock } from "../../simulation/campaigns/virtual-clock.ts";
import { movingClock } from "../support/moving-clock.ts";

const HOUR = 3_600_000;
const clocks = {
  "the machine's": () => systemClock,
  virtual: () => createVirtualClock(0, seededRandom(1)),
  "one that a test moves": () => movingClock(),
} as const;

it.each(Object.entries(clocks))(
  "cuts a sleep of %s clock short, before it begins too",
  async (_name, open) => {
    const cut = createSleepCut();
    const asleep = open().sleep(HOUR, cut);
    cut.abort();
    cut.abort();
    await asleep;
    await open().sleep(HOUR, cut);
    expect(cut.aborted).toBe(true);
  },
);

it("does nothing to a sleep that is over", async () => {
  const cut = createSleepCut();
  let ends = 0;
  await systemClock.sleep(0, cut).then(() => {
    ends += 1;
  });
  cut.abort();
  expect([ends, cut.aborted]).toEqual([1, true]);
});

afterEach(() => vi.unstubAllGlobals());

it("is all that the timers of a call take: no AbortController", async () => {
  let made = 0;
  class Counted extends AbortController {
    constructor() {
      super();
      made += 1;
    }
  }
  vi.stubGlobal("AbortController", Counted);
  const clock = movingClock();
  const timer = createTimer(clock);
  let rings = 0;
  for (let again = 0; again < 3; again += 1) timer.set(HOUR, () => (rings += 1));
  await withinLimit(clock, Promise.resolve(), HOUR);
  clock.advance(HOUR);
  expect(made).toBe(0);
  await expect.poll(() => rings).toBe(1);
});
