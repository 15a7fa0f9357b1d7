import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const trueFrom = (millis: number) => {
  const began = performance.now();
  return vi.fn(() => performance.now() - began >= millis);
};

it("asks at once, and then more and more seldom: at most a tenth, or 100 ms, later than it could", async () => {
  for (const [millis, latest, asks] of [
    [0, 0, 1],
    [50, 10, 6],
    [1_000, 100, 40],
    [60_000, 100, 660],
  ] as const) {
    const probe = trueFrom(millis);
    const began = performance.now();
    const found = eventually("its time", probe, 120_000);
    await vi.advanceTimersByTimeAsync(millis + latest);
    expect(await found).toBe(true);
    expect(performance.now() - began).toBeLessThanOrEqual(millis + latest);
    expect(probe.mock.calls.length).toBeLessThanOrEqual(asks);
  }
});

it("fails with what it waited for in vain", async () => {
  const failed = expect(eventually("a miracle", () => null, 1_000)).rejects.toThrow(
    "Waited 1000 ms in vain for a miracle",
  );
  await vi.advanceTimersByTimeAsync(1_300);
  await failed;
});
