import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { memoryDeliveryStore } from "../../../../simulation/memory/delivery-store.ts";
import { type WatchedDeliveryStore, watchedDeliveryStore } from "../../../support/watched-delivery-store.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

/** Six places for all, of which one endpoint may have every one. */
const PLACES = { perEndpoint: 6, total: 6, slowTotal: 6, forFirstPlaces: 0 };
const early: OwnerId = "usr_early";
const late: OwnerId = "usr_late";
const greedy: OwnerId = "usr_greedy";

let world: LoopWorld;
let store: WatchedDeliveryStore;
beforeEach(() => {
  store = watchedDeliveryStore();
  world = webhookLoopWorld({ wrapStore: store.wrap, places: PLACES });
});
afterEach(() => world.close());

const entriesOf = (owner: OwnerId, count: number, name = "e") =>
  Array.from({ length: count }, (_, index) => webhookEntry(owner, `${owner}${name}${index}`));
const enqueue = (owner: OwnerId, count: number, name?: string) =>
  world.enqueue(...entriesOf(owner, count, name));
const openOf = (owner: OwnerId) => world.receivers.open().filter(({ url }) => url === urlOf(owner));
/** How many places each of the three has. */
const places = () => [early, late, greedy].map((owner) => openOf(owner).length);
const answerOne = async (owner: OwnerId) => {
  openOf(owner)[0]?.answer(200);
  await world.settle();
};

/**
 * Starts of two endpoints are recorded while an attempt of each is under way; when the claim comes back these
 * have ended, and the third endpoint has all places.
 */
async function twoThatWait(count = 3): Promise<void> {
  for (const owner of [early, late, greedy]) {
    world.putEndpoint(owner);
    world.receivers.always(urlOf(owner), 200);
    await enqueue(owner, 1, "proof");
    world.receivers.always(urlOf(owner), null);
  }
  await enqueue(early, 1, "first");
  await enqueue(late, 1, "first");
  await enqueue(greedy, 12);
  expect(places()).toEqual([1, 1, 4]);
  const answer = store.holdClaims();
  await world.enqueue(...entriesOf(early, count), ...entriesOf(late, count));
  for (const owner of [early, late, greedy]) await answerOne(owner);
  answer();
  await world.settle();
  expect(places()).toEqual([0, 0, 6]);
}

describe("an endpoint whose starts wait because all places are taken", () => {
  it("gets the next place that is free, the longest waiting first, and waits for its own ones after that", async () => {
    await twoThatWait();
    await answerOne(greedy);
    expect(places()).toEqual([1, 0, 5]);
    await answerOne(greedy);
    expect(places()).toEqual([1, 1, 4]);
    await answerOne(greedy);
    expect(places()).toEqual([1, 1, 4]);
    await answerOne(early);
    expect(places()).toEqual([1, 1, 4]);
  });

  it("leaves its turn to the next when it belongs to another process", async () => {
    await twoThatWait();
    const elsewhere = memoryDeliveryStore(world.state, world.clock);
    await elsewhere.release("w1", [early]);
    await elsewhere.lease("elsewhere", [early], 3_600_000);
    await world.pass(1_000);
    await answerOne(greedy);
    expect(places()).toEqual([0, 1, 5]);
  });

  it("leaves its turn to the next while it is out of use", async () => {
    await twoThatWait();
    world.putEndpoint(early, false);
    await world.settle();
    await answerOne(greedy);
    expect(places()).toEqual([0, 1, 5]);
    await world.pass(4_250);
    const waiting = world.deliveries(early).filter(({ status }) => status !== "delivered");
    expect(waiting.map(({ status, attempts }) => [status, attempts])).toEqual(Array(3).fill(["held", 0]));
    expect(store.given.hold.every(([owners]) => owners.join() === early)).toBe(true);
  });

  it("is given its starts back after three seconds, not before, and they count as none", async () => {
    await twoThatWait();
    const counted = () =>
      world.deliveries(early).map(({ status, attempts }) => [status === "sending", attempts]);
    const [delivered, started, none] = [
      [false, 1],
      [true, 1],
      [false, 0],
    ];
    await world.pass(3_000);
    expect(counted()).toEqual([delivered, delivered, started, started, started]);
    await world.pass(250);
    expect(counted()).toEqual([delivered, delivered, none, none, none]);
    expect(places()).toEqual([0, 0, 6]);
  });

  it("is given back those alone that waited for three seconds", async () => {
    await twoThatWait(8);
    const started = () => world.deliveries(early).filter(({ status }) => status === "sending").length;
    await enqueue(early, 8, "more");
    expect(started()).toBe(8);
    await world.pass(2_000);
    for (const _of of [early, late]) await answerOne(greedy);
    for (const _of of [1, 2, 3]) await answerOne(early);
    // Of the first eight four wait and one is sent; half of them being used, four more were started.
    expect([openOf(early).length, started()]).toEqual([1, 9]);
    await world.pass(900);
    await answerOne(early);
    expect(store.given.giveBack.flat(2).filter(({ owner }) => owner === early)).toEqual([]);
    await world.pass(350);
    expect(store.given.giveBack.flat(2).filter(({ owner }) => owner === early)).toHaveLength(3);
    expect(openOf(early)).toHaveLength(1);
  });
});

it("counts the places of endpoints of which nothing is known with those of good ones", async () => {
  world.putEndpoint(greedy);
  world.receivers.always(urlOf(greedy), 200);
  await enqueue(greedy, 1, "proof");
  world.receivers.always(urlOf(greedy), null);
  for (const owner of [early, late]) {
    world.putEndpoint(owner);
    await enqueue(owner, 3);
  }
  await enqueue(greedy, 12);
  expect(places()).toEqual([1, 1, 4]);
});
