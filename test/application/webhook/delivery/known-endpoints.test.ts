import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { type WatchedDeliveryStore, watchedDeliveryStore } from "../../../support/watched-delivery-store.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
const url = urlOf(owner);
let world: LoopWorld;
let store: WatchedDeliveryStore;
beforeEach(() => {
  store = watchedDeliveryStore();
  world = webhookLoopWorld({ wrapStore: store.wrap });
});
afterEach(async () => {
  store.broken.clear();
  await world.pass(1_000);
  await world.close();
});

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => webhookEntry(owner, `e${String(index).padStart(4, "0")}`));
const withStatus = (wanted: string) => world.deliveries(owner).filter(({ status }) => status === wanted);

/** One success that took so long. */
async function succeed(tookMillis: number): Promise<void> {
  world.putEndpoint(owner);
  await world.enqueue(webhookEntry(owner, "proof"));
  world.clock.advance(tookMillis);
  await world.settle();
  world.receivers.open()[0]?.answer(200);
  await world.settle();
}

describe("an endpoint whose last attempt", () => {
  it("succeeded within a second gets eight places", async () => {
    await succeed(1_000);
    await world.enqueue(...entries(20));
    expect(world.receivers.open()).toHaveLength(8);
  });

  it("succeeded later gets one, until one succeeds in time", async () => {
    await succeed(1_001);
    await world.enqueue(...entries(20));
    expect(world.receivers.open()).toHaveLength(1);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(world.receivers.open()).toHaveLength(8);
  });
});

describe("starts that are recorded ahead of their place", () => {
  it("wait for it, are not taken back before their time, and are sent once", async () => {
    await succeed(0);
    await world.enqueue(...entries(16));
    const started = withStatus("sending").length;
    expect(started).toBeGreaterThan(8);
    await world.pass(900);
    expect(withStatus("sending")).toHaveLength(started);
    world.receivers.always(url, 200);
    for (const request of world.receivers.open()) request.answer(200);
    await world.pass(30_000);
    const sent = world.receivers.requests.map(({ headers }) => headers["x-service-event-id"]);
    expect([sent.length, new Set(sent).size]).toEqual([17, 17]);
    expect(world.deliveries(owner).map(({ attempts }) => attempts)).toEqual(Array(17).fill(1));
  });

  it("are not sent any more to an endpoint that is gone: they are held, and count as none", async () => {
    await succeed(0);
    await world.enqueue(...entries(20));
    world.receivers.open()[0]?.answer(410);
    await world.settle();
    for (const request of world.receivers.open()) request.answer(200);
    await world.pass(60_000);
    expect(world.receivers.requests).toHaveLength(9);
    expect(withStatus("delivered")).toHaveLength(8);
    const held = withStatus("held");
    expect(held).toHaveLength(13);
    expect(held.filter(({ attempts }) => attempts > 0)).toHaveLength(1);
  });

  it("are not sent any more when the breaker opened: they count as none", async () => {
    await succeed(0);
    await world.enqueue(...entries(20));
    for (const request of world.receivers.open()) request.answer(500);
    await world.settle();
    expect(world.receivers.requests).toHaveLength(9);
    const waiting = withStatus("pending");
    expect(waiting.map(({ attempts }) => attempts)).toEqual(Array(12).fill(0));
  });
});

describe("an endpoint that was quick so far", () => {
  it("is slow when an attempt takes longer than a second, not when it takes one", async () => {
    await succeed(0);
    await world.pass(5_000);
    await world.enqueue(webhookEntry(owner, "slow"));
    await world.pass(1_000);
    await world.enqueue(webhookEntry(owner, "second"));
    expect(world.receivers.open()).toHaveLength(2);
    await world.pass(250);
    await world.enqueue(webhookEntry(owner, "third"));
    expect(world.receivers.open()).toHaveLength(2);
  });

  it("is not slow because ends of its attempts cannot be recorded, and gets its places without waiting", async () => {
    await succeed(0);
    store.broken.add("record");
    world.receivers.always(url, 200);
    await world.enqueue(...entries(2));
    world.receivers.always(url, null);
    await world.pass(3_000);
    await world.enqueue(...entries(24).slice(2));
    expect(world.receivers.open()).toHaveLength(8);
    for (const sent of [8, 6]) {
      for (const request of world.receivers.open()) request.answer(200);
      await world.settle();
      expect(world.receivers.open()).toHaveLength(sent);
    }
    expect(store.given.giveBack).toEqual([]);
  });

  it("has more starts recorded ahead, as many as it can answer soon", async () => {
    await succeed(0);
    await world.enqueue(...entries(80));
    expect(withStatus("sending")).toHaveLength(16);
    for (let round = 0; round < 3; round += 1) {
      for (const request of world.receivers.open()) request.answer(200);
      await world.settle();
    }
    expect(withStatus("sending").length).toBeGreaterThan(32);
  });

  it("has what waits given back with its first failure, not with that of all", async () => {
    await succeed(0);
    await world.enqueue(...entries(16));
    expect(withStatus("sending")).toHaveLength(16);
    world.receivers.open()[0]?.answer(500);
    await world.settle();
    expect(withStatus("sending")).toHaveLength(7);
    expect(world.receivers.open()).toHaveLength(7);
  });
});

describe("starts whose claim was on its way when", () => {
  const claimedMeanwhile = async (status: number) => {
    await succeed(0);
    await world.enqueue(...entries(5));
    const answer = store.holdClaims();
    await world.enqueue(...entries(13).slice(5));
    for (const request of world.receivers.open()) request.answer(status);
    await world.settle();
    answer();
    await world.settle();
  };
  const sentAfterFive = () => world.receivers.requests.length - 1 - 5;

  it("the breaker opened are sent only as far as they had their place", async () => {
    await claimedMeanwhile(500);
    expect(sentAfterFive()).toBe(3);
    for (const request of world.receivers.open()) request.answer(500);
    await world.pass(1_000);
    expect(sentAfterFive()).toBe(3);
    expect(withStatus("sending")).toEqual([]);
    expect(withStatus("pending").map(({ attempts }) => attempts)).toEqual(Array(5).fill(0));
  });

  it("its 410 came are sent only as far as they had their place, and held", async () => {
    await claimedMeanwhile(410);
    expect(sentAfterFive()).toBe(3);
    for (const request of world.receivers.open()) request.answer(200);
    await world.pass(3_000);
    expect(sentAfterFive()).toBe(3);
    expect(withStatus("sending")).toEqual([]);
    expect(withStatus("held")).toHaveLength(10);
  });
});

it("gets nothing more after a 410 that cannot be recorded yet", async () => {
  await succeed(0);
  store.broken.add("record");
  await world.enqueue(webhookEntry(owner, "last"));
  world.receivers.open()[0]?.answer(410);
  await world.settle();
  await world.enqueue(...entries(3));
  await world.pass(10_000);
  expect(world.receivers.requests).toHaveLength(2);
});

it("shares the places of slow ones with all that fail", async () => {
  await world.close();
  const places = { perEndpoint: 2, total: 8, slowTotal: 1, forFirstPlaces: 2 };
  world = webhookLoopWorld({ wrapStore: store.wrap, places });
  const failing: OwnerId[] = ["usr_f1", "usr_f2", "usr_f3"];
  for (const each of failing) world.putEndpoint(each);
  await world.enqueue(...failing.map((each) => webhookEntry(each, each)));
  for (const request of world.receivers.open()) request.answer(500);
  await world.pass(7_000);
  expect([world.receivers.requests.length, world.receivers.open().length]).toEqual([4, 1]);
  await world.loop.stop(0);
  world.startLoop("next");
  await world.pass(5_000);
  expect(world.receivers.requests).toHaveLength(5);
});

describe("the one try after the breaker opened", () => {
  it("is alone for as long as it takes, whatever else comes", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(...entries(20));
    world.receivers.always(url, null);
    await world.pass(32_000);
    expect(world.receivers.open()).toHaveLength(1);
    await world.enqueue(webhookEntry(owner, "more"));
    await world.pass(10_000);
    expect(world.receivers.open()).toHaveLength(1);
    expect(world.receivers.requests).toHaveLength(6);
  });
});

describe("the next process", () => {
  const handOver = async () => {
    await world.loop.stop(0);
    world.startLoop("w2");
  };

  it("keeps an open breaker open until its time, and lets one try then", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(...entries(20));
    expect(world.receivers.requests).toHaveLength(5);
    await handOver();
    await world.pass(29_000);
    expect(world.receivers.requests).toHaveLength(5);
    await world.pass(3_000);
    expect(world.receivers.requests).toHaveLength(6);
  });

  it("counts on from the failures that it finds", async () => {
    world.putEndpoint(owner);
    await world.enqueue(...entries(20));
    for (let failure = 0; failure < 3; failure += 1) {
      world.receivers.open()[0]?.answer(500);
      await world.settle();
    }
    const before = world.receivers.requests.length;
    for (const request of world.receivers.open()) request.answer(500);
    await world.settle();
    await handOver();
    world.receivers.always(url, 500);
    await world.pass(20_000);
    // The fourth failure was recorded by the first process: the fifth opens the breaker.
    expect(before).toBe(4);
    expect(world.state.endpoints.get(owner)?.health.breaker).toMatchObject({ failures: 5 });
    expect(world.receivers.requests.filter(({ url: to }) => to === url)).toHaveLength(6);
  });

  it("gives a proven endpoint eight places at once, and one that failed last only one", async () => {
    await succeed(0);
    await handOver();
    await world.enqueue(...entries(20));
    await world.pass(1_000);
    expect(world.receivers.open()).toHaveLength(8);
    for (const request of world.receivers.open().slice(0, 2)) request.answer(500);
    await world.settle();
    for (const request of world.receivers.open()) request.answer(503);
    await world.settle();
    await world.pass(31_000);
    expect(world.receivers.open()).toHaveLength(1);
  });
});
