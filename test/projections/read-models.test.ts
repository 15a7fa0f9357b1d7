import { describe, expect, it } from "vitest";
import { readModelsFor } from "../../projections/read-models.ts";
import { randomHistory } from "./random-history.ts";
import { allRows, type LogKind, openReadWorld } from "./read-world.ts";

const LONG = 60_000;

async function liveAndRebuilt(log: LogKind, seed: number, steps: number) {
  const world = await openReadWorld(log);
  try {
    const projections = readModelsFor(log === "EventStoreDB" ? "esdb://" : null, world.eventStore);
    const models = world.start({ projections });
    await world.append(randomHistory(seed, steps));
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    const live = await allRows(world.db, projections);
    await world.rebuild({}, projections);
    return { live, rebuilt: await allRows(world.db, projections) };
  } finally {
    await world.close();
  }
}

describe("read models after a random history", () => {
  it.each([1, 2, 3])("equal their rebuild in every row (seed %i)", async (seed) => {
    const { live, rebuilt } = await liveAndRebuilt("memory", seed, 600);
    expect(rebuilt).toEqual(live);
    expect(live["contacts_v3"]?.length).toBeGreaterThan(10);
    expect(live["call_messages_v2"]?.length).toBeGreaterThan(5);
  });

  it.each(["PostgreSQL", "EventStoreDB"] as const)("equal their rebuild with the log in %s", async (log) => {
    const { live, rebuilt } = await liveAndRebuilt(log, 4, 200);
    expect(rebuilt).toEqual(live);
    expect(live["calls_v2"]?.length).toBeGreaterThan(5);
  });
});
