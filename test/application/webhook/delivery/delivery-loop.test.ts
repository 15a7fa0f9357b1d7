import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { verifyBySeed } from "../../../../simulation/campaigns/seed-verifier.ts";
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
beforeEach(() => {
  world = webhookLoopWorld();
});
afterEach(() => world.close());

const entries = (count: number, of = owner) =>
  Array.from({ length: count }, (_, index) => webhookEntry(of, `${of}${String(index).padStart(4, "0")}`));
const statuses = (): string[] => world.deliveries(owner).map(({ status }) => status);

/** One quick success: from then on the endpoint is known to be good. */
async function prove(of: OwnerId = owner): Promise<void> {
  world.putEndpoint(of);
  world.receivers.always(urlOf(of), 200);
  await world.enqueue(webhookEntry(of, `proof${of}`));
  world.receivers.always(urlOf(of), null);
  world.receivers.requests.length = 0;
}

describe("an attempt", () => {
  it("is signed so that the seed's six rules accept it, with the stored body", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    const [request] = world.receivers.open();
    const body = Buffer.from(request?.body ?? "");
    expect(verifyBySeed(LOOP_SECRET, request?.headers ?? {}, body, world.clock.nowMillis()).status).toBe(200);
    expect(request?.body).toBe(webhookEntry(owner, "1").body);
  });

  it("is recorded as started before it is sent", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    expect(world.receivers.open()).toHaveLength(1);
    expect(world.deliveries(owner)[0]).toMatchObject({ status: "sending", attempts: 1 });
  });

  it("that fails is repeated at its stored time, signed afresh, with the same body and event id", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    world.receivers.open()[0]?.answer(500);
    await world.pass(4_000);
    expect(world.receivers.requests).toHaveLength(1);
    await world.pass(2_000);
    const [first, second] = world.receivers.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["x-service-event-id"]).toBe(first?.headers["x-service-event-id"]);
    expect(second?.headers["x-service-attempt"]).toBe("2");
    expect(second?.headers["x-service-signature"]).not.toBe(first?.headers["x-service-signature"]);
  });

  it("with Retry-After waits so long when that is longer than the schedule", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    world.receivers.open()[0]?.answer(429, { "retry-after": "60" });
    await world.pass(59_000);
    expect(world.receivers.requests).toHaveLength(1);
    await world.pass(2_000);
    expect(world.receivers.requests).toHaveLength(2);
  });

  it("is given up after twelve that failed", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    for (let attempt = 1; attempt <= 12; attempt++) {
      expect(world.receivers.requests).toHaveLength(attempt);
      world.receivers.open()[0]?.answer(500);
      await world.settle();
      world.clock.advance(24 * 3_600_000);
      await world.settle();
      await world.pass(1_000);
    }
    expect(statuses()).toEqual(["dead"]);
    expect(world.receivers.requests).toHaveLength(12);
  });
});

describe("places", () => {
  it("gives a good endpoint eight at once, and the next when one is free", async () => {
    await prove();
    await world.enqueue(...entries(20));
    expect(world.receivers.open()).toHaveLength(8);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(world.receivers.open()).toHaveLength(8);
    expect(world.receivers.requests).toHaveLength(9);
  });

  it("gives an endpoint of which nothing is known one", async () => {
    world.putEndpoint(owner);
    await world.enqueue(...entries(20));
    expect(world.receivers.open()).toHaveLength(1);
  });

  it("gives an endpoint one after a failure, and eight after the next success", async () => {
    await prove();
    await world.enqueue(...entries(30));
    for (const request of world.receivers.open()) request.answer(500);
    await world.settle();
    expect(world.receivers.open()).toHaveLength(0);
    await world.pass(31_000);
    expect(world.receivers.open()).toHaveLength(1);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(world.receivers.open()).toHaveLength(8);
  });

  it("gives an endpoint with an attempt under way for more than a second no second place", async () => {
    await prove();
    await world.enqueue(webhookEntry(owner, "slow"));
    await world.pass(2_000);
    await world.enqueue(...entries(5));
    expect(world.receivers.open()).toHaveLength(1);
  });

  it("keeps eight places for an endpoint that answers in time, however long its webhooks wait for their turn", async () => {
    await prove();
    await world.enqueue(...entries(80));
    for (let half = 0; half < 9; half += 1) {
      expect(world.receivers.open()).toHaveLength(8);
      world.clock.advance(500);
      await world.settle();
      for (const request of world.receivers.open()) request.answer(200);
      await world.settle();
    }
    expect(world.receivers.requests).toHaveLength(80);
  });

  it("takes back starts that waited in vain, uncounted", async () => {
    await prove();
    await world.enqueue(...entries(20));
    expect(world.deliveries(owner).filter(({ status }) => status === "sending").length).toBeGreaterThan(8);
    await world.pass(2_000);
    const waiting = world.deliveries(owner).filter(({ status }) => status === "pending");
    expect(waiting).toHaveLength(12);
    expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true);
  });

  it("never has more than 256 under way, and 300 hanging endpoints do not delay a good one", async () => {
    await prove();
    const hanging = Array.from({ length: 300 }, (_, index): OwnerId => `usr_h${index}`);
    for (const each of hanging) world.putEndpoint(each);
    await world.enqueue(...hanging.flatMap((each) => entries(3, each)));
    await world.pass(3_000);
    expect(world.receivers.open().length).toBeGreaterThanOrEqual(128);
    expect(world.receivers.open().length).toBeLessThanOrEqual(256);
    world.receivers.always(url, 200);
    await world.enqueue(...entries(50));
    expect(statuses().every((status) => status === "delivered")).toBe(true);
  });

  it("lets good endpoints share when all of them have much to send", async () => {
    const owners = Array.from({ length: 40 }, (_, index): OwnerId => `usr_g${index}`);
    for (const each of owners) await prove(each);
    for (const each of owners) await world.enqueue(...entries(20, each));
    const served = new Set(world.receivers.open().map((request) => request.url));
    expect(served.size).toBe(40);
    expect(world.receivers.open().length).toBeLessThanOrEqual(256);
  });
});

describe("order", () => {
  it("sends call.started before call.ended of the same call", async () => {
    await prove();
    await world.enqueue(webhookEntry(owner, "1", "call.ended"), webhookEntry(owner, "1", "call.started"));
    expect(world.receivers.open().map(({ headers }) => headers["x-service-event-id"])).toEqual([
      "call.started call_1",
    ]);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(world.receivers.open().map(({ headers }) => headers["x-service-event-id"])).toEqual([
      "call.ended call_1",
    ]);
  });

  it("lets call.ended go after call.started has failed three times", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(webhookEntry(owner, "1", "call.started"), webhookEntry(owner, "1", "call.ended"));
    await world.pass(34_000);
    expect(world.receivers.requests.map(({ headers }) => headers["x-service-event-id"])).toEqual([
      "call.started call_1",
      "call.started call_1",
    ]);
    await world.pass(3_000);
    expect(world.receivers.requests.at(-1)?.headers["x-service-event-id"]).toBe("call.ended call_1");
  });
});

describe("the breaker", () => {
  it("opens after five failures in a row, and what it spares uses up no attempt", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(...entries(20));
    await world.pass(29_000);
    expect(world.receivers.requests).toHaveLength(5);
    const attempts = world.deliveries(owner).reduce((sum, delivery) => sum + delivery.attempts, 0);
    expect(attempts).toBe(5);
  });

  it("lets one delivery try after 30 seconds, then after twice as long", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(...entries(20));
    await world.pass(32_000);
    expect(world.receivers.requests).toHaveLength(6);
    await world.pass(57_000);
    expect(world.receivers.requests).toHaveLength(6);
    await world.pass(5_000);
    expect(world.receivers.requests).toHaveLength(7);
  });

  it("closes with one success, and everything goes out", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(...entries(20));
    world.receivers.always(url, 200);
    await world.pass(36_000);
    expect(statuses().every((status) => status === "delivered")).toBe(true);
  });

  it("is closed by a change of the settings", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(...entries(20));
    world.receivers.always(url, 200);
    world.putEndpoint(owner);
    await world.pass(6_000);
    expect(statuses().every((status) => status === "delivered")).toBe(true);
  });
});

describe("an endpoint out of use", () => {
  it("by a 410 holds everything; enabled again it gets the oldest first", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 410);
    await world.enqueue(...entries(3));
    await world.pass(2_000);
    expect(statuses()).toEqual(["held", "held", "held"]);
    expect(world.receivers.requests).toHaveLength(1);
    world.receivers.always(url, 200);
    world.putEndpoint(owner);
    await world.pass(2_000);
    const sent = world.receivers.requests.slice(1).map(({ headers }) => headers["x-service-event-id"]);
    expect(sent).toEqual(entries(3).map(({ eventId }) => eventId));
  });

  it("by an address that is not allowed holds everything and burns no attempt", async () => {
    world.putEndpoint(owner);
    await world.enqueue(...entries(2));
    world.receivers.open()[0]?.answer({ kind: "blocked", reason: "address_not_allowed" });
    await world.pass(60_000);
    expect(statuses()).toEqual(["held", "held"]);
    expect(world.deliveries(owner).every(({ failures }) => failures === 0)).toBe(true);
  });

  it("is disabled by itself after 120 hours without a success once a delivery ran out of attempts", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 500);
    await world.enqueue(webhookEntry(owner, "1"));
    for (let hour = 0; hour < 119; hour++) {
      world.clock.advance(3_600_000);
      await world.pass(1_000);
    }
    expect(statuses()).toEqual(["dead"]);
    expect(world.state.endpoints.get(owner)?.inUse).toBe(true);
    world.clock.advance(3_600_000);
    await world.enqueue(webhookEntry(owner, "2"));
    expect(world.state.endpoints.get(owner)?.inUse).toBe(false);
    expect(statuses()).toEqual(["dead", "held"]);
  });
});

describe("a process that dies", () => {
  it("leaves attempts that the next one sends again as unknown after 20 seconds, with the same event id", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    const [lost] = world.receivers.open();
    await world.loop.stop(0);
    world.startLoop("w2");
    await world.pass(19_000);
    expect(world.receivers.requests).toHaveLength(1);
    await world.pass(8_000);
    const again = world.receivers.requests[1];
    expect(again?.headers["x-service-event-id"]).toBe(lost?.headers["x-service-event-id"]);
    expect(again?.headers["x-service-attempt"]).toBe("2");
    again?.answer(200);
    await world.settle();
    expect(world.state.attempts).toMatchObject([
      { class: "unknown" },
      { class: "delivered", trigger: "recovery" },
    ]);
  });

  it("does not record what ends after it gave up waiting", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    await world.loop.stop(0);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(statuses()).toEqual(["sending"]);
  });
});

describe("stop", () => {
  it("waits for what is under way, records it, and starts nothing more", async () => {
    await prove();
    await world.enqueue(...entries(20));
    const stopping = world.loop.stop(10_000);
    await world.settle();
    for (const request of world.receivers.open()) request.answer(200);
    await stopping;
    expect(world.receivers.requests).toHaveLength(8);
    expect(statuses().filter((status) => status === "delivered")).toHaveLength(9);
    expect(statuses().filter((status) => status === "pending")).toHaveLength(12);
  });

  it("leaves the endpoints to the next process at once", async () => {
    world.putEndpoint(owner);
    await world.loop.stop(0);
    world.receivers.always(url, 200);
    world.startLoop("w2");
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(1_000);
    expect(statuses()).toEqual(["delivered"]);
  });
});

describe("two processes", () => {
  it("never deliver to one endpoint at the same time", async () => {
    world.startLoop("w2");
    const owners = Array.from({ length: 10 }, (_, index): OwnerId => `usr_${index}`);
    for (const each of owners) world.putEndpoint(each);
    await world.enqueue(...owners.flatMap((each) => entries(5, each)));
    await world.pass(2_000);
    expect(world.receivers.open()).toHaveLength(10);
    for (const each of owners) world.receivers.always(urlOf(each), 200);
    for (const request of world.receivers.open()) request.answer(200);
    await world.pass(3_000);
    expect(world.receivers.requests).toHaveLength(50);
  });
});
