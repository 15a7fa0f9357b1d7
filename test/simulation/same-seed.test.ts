import { expect, it } from "vitest";
import { randomScenario } from "../../simulation/campaigns/random-scenario.ts";
import { runScenario } from "../../simulation/campaigns/run-scenario.ts";

it("runs the same seed the same way, byte for byte", async () => {
  for (const seed of [1, 2, 9, 21, 88]) {
    const [first, again] = [
      await runScenario(randomScenario(seed), { traced: true }),
      await runScenario(randomScenario(seed), { traced: true }),
    ];
    expect(first.trace.length).toBeGreaterThan(50);
    expect(again.trace.join("\n")).toBe(first.trace.join("\n"));
  }
});

it("comes by at least twelve named crash points", async () => {
  const points = new Set<string>();
  for (const seed of [1, 2, 3])
    for (const point of (await runScenario(randomScenario(seed), { traced: true })).points) points.add(point);
  expect(points.size).toBeGreaterThanOrEqual(12);
});
