import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import type { Queries } from "../../../application/ports/queries.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { randomHistory } from "../random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "../read-world.ts";

const history = randomHistory(43, 900);
const mine = history.filter(({ owner }) => owner === "usr_1").map(({ event }) => event.type);

describe("followers of one owner", () => {
  let world: ReadWorld;
  let queries: Queries;
  let reads: number;
  let stop: AbortController;
  beforeEach(async () => {
    world = await openReadWorld();
    reads = 0;
    const readAll: typeof world.eventStore.readAll = (options) => {
      reads += 1;
      return world.eventStore.readAll(options);
    };
    queries = queriesOf({ ...world, eventStore: { ...world.eventStore, readAll } }, world.start());
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await world.close();
  });

  const follow = (after = START) => {
    const { signal } = stop;
    return queries.followOwnerEvents("usr_1", {}, { after, signal })[Symbol.asyncIterator]();
  };
  type Following = ReturnType<typeof follow>;
  /** Types of the next events, so many of them. */
  const take = async (following: Following, count: number) => {
    const types: string[] = [];
    while (types.length < count) {
      const part = await following.next();
      if (part.done === true) break;
      types.push(...part.value.map(({ type }) => type));
    }
    return types;
  };

  it("read the log once, however many they are", async () => {
    await world.append(history);
    expect(await take(follow(), mine.length)).toEqual(mine);
    stop.abort();
    stop = new AbortController();
    const one = reads;
    const many = await Promise.all(Array.from({ length: 300 }, () => take(follow(), mine.length)));
    for (const types of many) expect(types).toEqual(mine);
    expect(reads - one).toBeLessThanOrEqual(one + 2);
  });

  it("hear what is new at the same time, and read nothing for it", async () => {
    await world.append(history.slice(0, 100));
    const head = await world.eventStore.head();
    const waiting = Array.from({ length: 50 }, () => take(follow(head), 5));
    await eventually("the followers", () => new Promise((resolve) => setTimeout(() => resolve(true), 100)));
    const before = reads;
    await world.append(history.slice(100, 200));
    const expected = history
      .slice(100, 200)
      .filter(({ owner }) => owner === "usr_1")
      .map(({ event }) => event.type);
    for (const types of await Promise.all(waiting)) expect(types.slice(0, 5)).toEqual(expected.slice(0, 5));
    expect(reads).toBe(before);
  });

  it("hold a handful of events while they do not read, and miss none", async () => {
    await world.append(history.slice(0, 50));
    const slow = follow();
    const quick = follow();
    const first = await slow.next();
    const begun = first.done === true ? [] : first.value.map(({ type }) => type);
    expect(begun.length).toBeLessThanOrEqual(25);
    await world.append(history.slice(50));
    expect(await take(quick, mine.length)).toEqual(mine);
    expect([...begun, ...(await take(slow, mine.length - begun.length))]).toEqual(mine);
  });
});
