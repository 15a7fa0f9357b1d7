import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { HELD_MILLIS } from "../../../../domain/webhook/endpoint-health.ts";
import { verifyBySeed } from "../../../../simulation/campaigns/seed-verifier.ts";
import { silentMetrics } from "../../../../simulation/memory/silent.ts";
import { putMemoryEndpoint } from "../../../../simulation/memory/webhook-outbox.ts";
import { type WatchedDeliveryStore, watchedDeliveryStore } from "../../../support/watched-delivery-store.ts";
import {
  LOOP_SECRET,
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
const url = urlOf(owner);

/** What of the store fails now. */
let broken: WatchedDeliveryStore["broken"];
let clientBreaks: number;
let world: LoopWorld;
let metered: Map<string, number>;
beforeEach(() => {
  const watched = watchedDeliveryStore();
  broken = watched.broken;
  clientBreaks = 0;
  metered = new Map();
  const metrics: Metrics = {
    ...silentMetrics,
    count: (name, labels, by = 1) => {
      const key = [name, ...Object.values(labels)].join(" ");
      metered.set(key, (metered.get(key) ?? 0) + by);
    },
    gauge: (name, value) => void metered.set(name, value),
  };
  world = webhookLoopWorld({
    worker: "tested",
    wrapStore: watched.wrap,
    metrics,
    wrapReceivers: ({ send }) => ({
      send: async (request) => {
        if (clientBreaks === 0) return send(request);
        clientBreaks -= 1;
        throw new Error("out of memory");
      },
    }),
  });
});
afterEach(async () => {
  broken.clear();
  await world.close();
});

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => webhookEntry(owner, `e${String(index).padStart(3, "0")}`));
const statuses = () => world.deliveries(owner).map(({ status }) => status);

describe("while the database is away", () => {
  it("an end that could not be recorded is recorded when it is back: it was sent once, and counts once", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    broken.add("record");
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(15_000);
    expect(statuses()).toEqual(["sending"]);
    broken.delete("record");
    await world.pass(1_000);
    expect(statuses()).toEqual(["delivered"]);
    await world.pass(40_000);
    expect([world.receivers.requests.length, world.state.attempts.length]).toEqual([1, 1]);
  });

  it("ends that come meanwhile are all kept", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    await world.enqueue(webhookEntry(owner, "proof"));
    broken.add("record");
    await world.enqueue(...entries(5));
    await world.pass(3_000);
    broken.delete("record");
    await world.pass(2_000);
    expect(new Set(statuses())).toEqual(new Set(["delivered"]));
    expect(world.receivers.requests).toHaveLength(6);
  });

  it("a stop gives up after its time: what could not be recorded is sent again by the next process", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    broken.add("record");
    broken.add("release");
    await world.enqueue(webhookEntry(owner, "1"));
    let stopped = false;
    const stopping = world.loop.stop(3_000).then(() => {
      stopped = true;
    });
    await world.pass(2_000);
    expect(stopped).toBe(false);
    await world.pass(2_000);
    await stopping;
    expect(statuses()).toEqual(["sending"]);
    broken.clear();
    world.startLoop("next");
    await world.pass(30_000);
    expect(statuses()).toEqual(["delivered"]);
    expect(world.state.attempts.map((attempt) => attempt.class)).toEqual(["unknown", "delivered"]);
  });

  it("nothing is claimed, and no place is lost by that", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    await world.enqueue(webhookEntry(owner, "proof"));
    world.receivers.always(url, null);
    broken.add("claim");
    await world.enqueue(...entries(20));
    for (let failure = 0; failure < 60; failure += 1) await world.pass(500);
    expect(world.receivers.open()).toHaveLength(0);
    broken.delete("claim");
    await world.pass(1_000);
    expect(world.receivers.open()).toHaveLength(8);
  });

  it("a worker that cannot renew its lease sends for six seconds more, and then nothing", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    await world.enqueue(webhookEntry(owner, "1"));
    broken.add("lease");
    await world.pass(4_000);
    await world.enqueue(webhookEntry(owner, "2"));
    expect(world.receivers.requests).toHaveLength(2);
    await world.pass(3_000);
    await world.enqueue(webhookEntry(owner, "3"));
    await world.pass(3_000);
    expect(world.receivers.requests).toHaveLength(2);
    broken.delete("lease");
    await world.pass(2_000);
    expect(world.receivers.requests).toHaveLength(3);
  });
});

describe("an attempt that breaks down in this process", () => {
  it("is sent again as unknown, and holds no place", async () => {
    world.putEndpoint(owner);
    clientBreaks = 1;
    await world.enqueue(webhookEntry(owner, "1"));
    expect(world.receivers.requests).toHaveLength(0);
    world.receivers.always(url, 200);
    await world.pass(30_000);
    world.receivers.always(url, null);
    expect(statuses()).toEqual(["delivered"]);
    expect(world.state.attempts.map((attempt) => attempt.class)).toEqual(["unknown", "delivered"]);
    expect(metered.get("ringfold_webhook_attempts_total unknown")).toBe(1);
    await world.enqueue(...entries(20));
    expect(world.receivers.open()).toHaveLength(8);
  });
});

describe("an endpoint's secret that was changed", () => {
  const NEXT = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
  it("signs with the old one too while both are valid, and with the new one alone from then on", async () => {
    const untilMillis = world.clock.nowMillis() + 60_000;
    const secrets = { current: NEXT, previous: { secret: LOOP_SECRET, untilMillis } };
    const settings = { url, inUse: true, events: ["call.ended"] as const, secrets };
    putMemoryEndpoint(world.state, owner, settings, world.clock.nowMillis());
    world.loop.refresh([owner]);
    world.receivers.always(url, 200);
    const takes = async (call: string) => {
      await world.enqueue(webhookEntry(owner, call));
      const request = world.receivers.requests.at(-1);
      const body = Buffer.from(request?.body ?? "");
      return [LOOP_SECRET, NEXT].map(
        (secret) => verifyBySeed(secret, request?.headers ?? {}, body, world.clock.nowMillis()).status,
      );
    };
    expect((await takes("1"))[0]).toBe(200);
    expect(world.receivers.requests.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    await world.pass(59_000);
    expect((await takes("2"))[0]).toBe(200);
    await world.pass(1_000);
    expect(await takes("3")).toEqual([401, 200]);
    expect(world.receivers.requests.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });
});

describe("an endpoint with nothing to do", () => {
  const lease = () => world.state.endpoints.get(owner)?.lease ?? null;

  it("is left to whoever comes first after ten seconds, and the next webhook is sent at once all the same", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(10_000);
    expect(lease()).toMatchObject({ worker: "tested" });
    await world.pass(2_000);
    expect(lease()).toBeNull();
    await world.enqueue(webhookEntry(owner, "2"));
    expect(world.receivers.requests).toHaveLength(2);
    expect(lease()).toMatchObject({ worker: "tested" });
  });

  it("is kept while an attempt is under way, however long", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(40_000);
    expect(lease()).toMatchObject({ worker: "tested" });
    expect(world.receivers.requests).toHaveLength(1);
  });
});

describe("what waits for an endpoint out of use", () => {
  it("is told as the age of the oldest, in seconds, and given up when its time is over", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    world.receivers.open()[0]?.answer(410);
    await world.settle();
    expect(statuses()).toEqual(["held"]);
    await world.pass(120_000);
    const age = metered.get("ringfold_webhook_oldest_undelivered_seconds") ?? Number.NaN;
    expect([age > 100, age <= 120]).toEqual([true, true]);
    world.clock.advance(HELD_MILLIS - 240_000);
    await world.pass(1_000);
    expect(statuses()).toEqual(["held"]);
    world.clock.advance(700_000);
    await world.pass(2_000);
    expect(statuses()).toEqual(["dead"]);
    expect(world.receivers.requests).toHaveLength(1);
  });
});
