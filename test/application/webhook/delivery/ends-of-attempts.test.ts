import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  AttemptRecord,
  DeliveryStore,
  HealthRecord,
} from "../../../../application/ports/delivery-store.ts";
import type { DeliveryId, OwnerId } from "../../../../domain/shared/ids.ts";
import {
  LOOP_SECRET,
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
const url = urlOf(owner);

let world: LoopWorld;
/** The store takes no records now. */
let isAway: boolean;
let batches: { readonly attempts: readonly AttemptRecord[]; readonly healths: readonly HealthRecord[] }[];
let underWay: readonly DeliveryId[];
let stopped: boolean;
beforeEach(() => {
  [isAway, batches, underWay, stopped] = [false, [], [], false];
  const wrapStore = (memory: DeliveryStore): DeliveryStore => ({
    ...memory,
    record: async (attempts, healths) => {
      if (isAway) throw new Error("the database is away");
      batches.push({ attempts: [...attempts], healths: [...healths] });
      await memory.record(attempts, healths);
    },
    recoverUnknown: (owners, before, now, mine) => {
      underWay = mine;
      return memory.recoverUnknown(owners, before, now, mine);
    },
  });
  world = webhookLoopWorld({ worker: "tested", wrapStore });
});
afterEach(async () => {
  isAway = false;
  await world.close();
});

const statuses = () => world.deliveries(owner).map(({ status }) => status);
const enqueue = async (count: number, name = "e") => {
  const entries = Array.from({ length: count }, (_, index) => webhookEntry(owner, `${name}${index}`));
  await world.enqueue(...entries);
};
const prove = async () => {
  world.putEndpoint(owner);
  world.receivers.always(url, 200);
  await enqueue(1, "proof");
  world.receivers.always(url, null);
};
const stopWithin = (millis: number) => {
  return world.loop.stop(millis).then(() => {
    stopped = true;
  });
};

it("the entry of an attempt tells when it ran, where it went, what came and who signed it", async () => {
  await prove();
  await enqueue(1);
  const startedAtMillis = world.clock.nowMillis();
  world.clock.advance(700);
  world.receivers.open()[0]?.answer(503, { server: "far", "set-cookie": "hush" });
  await world.settle();
  const entry = world.state.attempts.at(-1);
  expect(entry).toMatchObject({
    number: 1,
    trigger: "auto",
    class: "refused",
    httpStatus: 503,
    startedAtMillis,
    endedAtMillis: startedAtMillis + 700,
    answer: "ok",
    answerHeaders: { server: "far" },
    remoteAddress: "127.0.0.1",
    phases: { firstByte: 1, total: 2 },
    status: "retrying",
    failures: 1,
  });
  const [, failed] = world.deliveries(owner);
  expect(failed?.nextAttemptAtMillis).toBeGreaterThan(startedAtMillis + 700);
  expect(JSON.stringify(entry)).not.toContain(LOOP_SECRET.slice("whsec_".length));
});

describe("ends that wait to be recorded", () => {
  it("keep a 410 though a success of the same moment comes after it: the endpoint is out of use", async () => {
    await prove();
    await enqueue(3);
    isAway = true;
    const [gone, ...others] = world.receivers.open();
    gone?.answer(410);
    await world.settle();
    for (const request of others) request.answer(200);
    await world.settle();
    isAway = false;
    await world.pass(1_000);
    expect(world.state.endpoints.get(owner)).toMatchObject({ inUse: false });
    expect(statuses().toSorted()).toEqual(["delivered", "delivered", "delivered", "held"]);
  });

  it("hold back new attempts when they are too many; then all is sent, once", async () => {
    await prove();
    isAway = true;
    world.receivers.always(url, 200);
    await enqueue(3_200);
    await world.pass(3_000);
    const sent = world.receivers.requests.length;
    expect([sent > 2_000, sent < 2_600]).toEqual([true, true]);
    isAway = false;
    await world.pass(5_000);
    expect(new Set(statuses())).toEqual(new Set(["delivered"]));
    expect(world.receivers.requests).toHaveLength(3_201);
    expect(batches.every(({ attempts }) => attempts.length <= 500)).toBe(true);
    expect(world.state.attempts).toHaveLength(3_201);
  });

  it("are waited for by a stop, as is what is still under way beside them", async () => {
    await prove();
    await enqueue(2);
    isAway = true;
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    const stopping = stopWithin(10_000);
    await world.pass(5_000);
    expect(stopped).toBe(false);
    isAway = false;
    world.receivers.open()[0]?.answer(200);
    await world.pass(1_000);
    await stopping;
    expect(statuses()).toEqual(["delivered", "delivered", "delivered"]);
  });
});

describe("a stop", () => {
  it("waits for an attempt that hangs as long as it was told, and no longer", async () => {
    await prove();
    await enqueue(1);
    const stopping = stopWithin(10_000);
    await world.settle();
    await world.pass(9_000);
    expect(stopped).toBe(false);
    await world.pass(1_000);
    await stopping;
    expect(statuses()).toEqual(["delivered", "sending"]);
  });

  it("with nothing under way needs no time, and nothing is sent after it", async () => {
    await prove();
    await stopWithin(10_000);
    await enqueue(3);
    await world.pass(30_000);
    expect(world.receivers.requests).toHaveLength(1);
    expect(statuses()).toEqual(["delivered", "pending", "pending", "pending"]);
  });
});

describe("what the store is told", () => {
  it("of attempts under way: those whose end is not recorded, and no others", async () => {
    await prove();
    await enqueue(2);
    await world.pass(6_000);
    expect(underWay).toHaveLength(2);
    for (const request of world.receivers.open()) request.answer(200);
    await world.pass(6_000);
    expect(underWay).toEqual([]);
  });

  it("of an endpoint's health: each failure, but a success like the last one only every ten seconds", async () => {
    await prove();
    const told = () => batches.flatMap(({ healths }) => healths).length;
    const before = told();
    world.receivers.always(url, 200);
    for (let second = 0; second < 9; second += 1) {
      await enqueue(1, `s${second}`);
      await world.pass(1_000);
    }
    expect(told()).toBe(before);
    await world.pass(1_000);
    await enqueue(1, "later");
    expect(told()).toBe(before + 1);
    world.receivers.always(url, 500);
    await enqueue(4, "f");
    await world.pass(4_000);
    expect(world.state.endpoints.get(owner)?.health.breaker.failures).toBeGreaterThan(1);
    const last = batches.flatMap(({ healths }) => healths).at(-1);
    expect(last?.health.breaker.failures).toBe(world.state.endpoints.get(owner)?.health.breaker.failures);
  });
});
