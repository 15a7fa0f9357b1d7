import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import type { OwnerEventsFilter } from "../../../application/ports/queries/history-records.ts";
import type { Queries } from "../../../application/ports/queries.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { at } from "../../domain/campaign/example-campaign.ts";
import { type HistoryEvent, randomHistory } from "../random-history.ts";
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

  const follow = (after = START, filter: OwnerEventsFilter = {}, owner: "usr_1" | "usr_2" = "usr_1") => {
    const { signal } = stop;
    return queries.followOwnerEvents(owner, filter, { after, signal })[Symbol.asyncIterator]();
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

  it("go on together when one leaves, and what was read for them is kept until the last has left", async () => {
    await world.append(history);
    const [first, second] = [follow(), follow(START, {}, "usr_2")];
    await take(first, mine.length);
    await second.next();
    const read = async () => {
      const before = reads;
      const one = follow();
      await take(one, mine.length);
      await one.return?.(undefined);
      return reads - before;
    };
    expect(await read()).toBe(0);
    await first.return?.(undefined);
    expect(await read()).toBe(0);
    const head = await world.eventStore.head();
    const [staying, leaving] = [follow(head), follow(head)];
    const told = take(staying, 1);
    const left = leaving.next();
    await world.append([another(1)]);
    expect((await left).done).toBe(false);
    await leaving.return?.(undefined);
    await told;
    const more = take(staying, 1);
    await world.append([another(2)]);
    expect(await more).toEqual(["CallContentErased"]);
    await staying.return?.(undefined);
    expect(await read()).toBeGreaterThan(0);
    expect(await read()).toBe(0);
    await second.return?.(undefined);
    expect(await read()).toBeGreaterThan(0);
  });

  it("are given nothing that was read before an erasure", async () => {
    await world.append(history);
    const open = follow();
    await take(open, mine.length);
    const before = reads;
    await take(follow(), mine.length);
    expect(reads).toBe(before);
    const told = take(open, 1);
    await world.append([another(1)]);
    expect(await told).toEqual(["CallContentErased"]);
    await take(follow(), mine.length);
    expect(reads).toBeGreaterThan(before);
  });

  it("hear only of the types, the stream and the campaign that they ask for, also live", async () => {
    const half = history.length / 2;
    await world.append(history.slice(0, half));
    const head = await world.eventStore.head();
    const rest = history.slice(half).filter(({ owner }) => owner === "usr_1");
    const [dialled] = rest.flatMap(({ event }) => (event.type === "ContactDialed" ? [event.data] : []));
    if (dialled === undefined) throw new Error("nobody was dialled");
    const id = dialled.campaignId;
    const stream = `campaign-${id}`;
    const ofStream = rest.filter((each) => each.stream === stream).map(({ event }) => event.type);
    const dials = rest.filter(({ event }) => event.type === "ContactDialed").length;
    const all = { type: follow(head, { types: ["ContactDialed"] }), stream: follow(head, { streamOf: id }) };
    const both = follow(head, { types: ["ContactDialed"], streamOf: id });
    const dialsOfStream = ofStream.filter((type) => type === "ContactDialed");
    const told = Promise.all([
      take(all.type, dials),
      take(all.stream, ofStream.length),
      take(both, dialsOfStream.length),
    ]);
    await world.append(history.slice(half));
    expect(await told).toEqual([Array(dials).fill("ContactDialed"), ofStream, dialsOfStream]);
  });
});

/** What has happened to a call of that number, beside the history. */
function another(number: number): HistoryEvent {
  const callId = `call_beside${number}` as const;
  const event = { type: "CallContentErased", data: { callId, at: at(9_999), erasureId: "ers_1" } } as const;
  return { stream: `call-${callId}`, owner: "usr_1", event };
}
