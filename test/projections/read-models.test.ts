import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { randomHistory } from "./random-history.ts";
import { allRows, openReadWorld, type ReadWorld } from "./read-world.ts";

const LONG = 10_000;

describe("read models after a random history", () => {
  let world: ReadWorld;
  beforeEach(async () => {
    world = await openReadWorld();
  });
  afterEach(() => world.close());

  it.each([1, 2, 3])("equal their rebuild in every row (seed %i)", async (seed) => {
    const models = world.start();
    await world.append(randomHistory(seed, 600));
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    const live = await allRows(world.db);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(live);
    expect(live["contacts_v1"]?.length).toBeGreaterThan(10);
    expect(live["call_messages_v1"]?.length).toBeGreaterThan(5);
  });
});
