import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { silentMetrics } from "../../../../simulation/memory/silent.ts";
import { recordingLogger } from "../../../support/recording-logger.ts";
import { type WatchedDeliveryStore, watchedDeliveryStore } from "../../../support/watched-delivery-store.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
const url = urlOf(owner);

let store: WatchedDeliveryStore;
let log: ReturnType<typeof recordingLogger>;
let observed: [string, number][];
let world: LoopWorld;
let isClientBroken: boolean;
beforeEach(() => {
  store = watchedDeliveryStore();
  log = recordingLogger();
  observed = [];
  isClientBroken = false;
  const metrics: Metrics = {
    ...silentMetrics,
    observe: (name, value) => void observed.push([name, value]),
  };
  world = webhookLoopWorld({
    ...{ wrapStore: store.wrap, logger: log.logger, metrics },
    wrapReceivers: ({ send }) => ({
      send: async (request) => {
        if (isClientBroken) throw new Error("out of memory");
        return send(request);
      },
    }),
  });
});
afterEach(async () => {
  store.broken.clear();
  await world.pass(1_000);
  await world.close();
});

/** Everything above the level of each attempt. */
const warned = () => log.lines.filter(({ level }) => level !== "debug");
const away = (name: string) => ({ err: new Error(`${name}: the database is away`) });

describe("the log", () => {
  it("has a line for each attempt: whose it was, which, how it ended and how long it took, and no words of it", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(400);
    world.receivers.open()[0]?.answer(503);
    await world.settle();
    const [delivery] = world.deliveries(owner);
    expect(log.lines).toEqual([
      {
        level: "debug",
        fields: {
          ...{ owner, deliveryId: delivery?.id, eventId: "call.ended call_1", attempt: 1 },
          ...{ outcome: "refused", status: 503, tookMillis: 400 },
        },
        message: "webhook attempt",
      },
    ]);
    expect(observed).toEqual([["ringfold_webhook_attempt_duration_seconds", 0.4]]);
  });

  it("says that an endpoint went out of use, and why", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 410);
    await world.enqueue(webhookEntry(owner, "1"));
    expect(warned()).toEqual([
      { level: "warn", fields: { owner, reason: "gone" }, message: "webhook endpoint went out of use" },
    ]);
  });

  it("says that an attempt broke down in this process, and that it is sent again", async () => {
    world.putEndpoint(owner);
    isClientBroken = true;
    await world.enqueue(webhookEntry(owner, "1"));
    isClientBroken = false;
    world.receivers.always(url, 200);
    await world.pass(30_000);
    const [delivery] = world.deliveries(owner);
    expect(warned()).toEqual([
      {
        level: "error",
        fields: { err: new Error("out of memory"), deliveryId: delivery?.id },
        message: "a webhook attempt broke down",
      },
      {
        level: "warn",
        fields: { count: 1 },
        message: "webhook attempts of a process that died are sent again",
      },
    ]);
  });

  it.each([
    ["dueOwners", "the webhook outbox could not be read", {}],
    ["claim", "webhook deliveries could not be claimed", {}],
    ["record", "webhook attempts could not be recorded yet", { waiting: 1 }],
  ] as const)("says what could not be done while %s fails: %s", async (name, message, more) => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    await world.pass(1_000);
    store.broken.add(name);
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(1_000);
    const [first, ...others] = warned();
    expect(first).toEqual({ level: "warn", fields: { ...away(name), ...more }, message });
    expect(others.every((line) => line.message === message)).toBe(true);
  });

  it("says how many starts could not be taken back: they are sent again as unknown", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    await world.enqueue(webhookEntry(owner, "proof"));
    world.receivers.always(url, null);
    await world.enqueue(...Array.from({ length: 16 }, (_, index) => webhookEntry(owner, `e${index}`)));
    store.broken.add("giveBack");
    for (const request of world.receivers.open()) request.answer(500);
    await world.settle();
    expect(warned()).toEqual([
      {
        level: "warn",
        fields: { ...away("giveBack"), count: 8 },
        message: "webhook starts could not be taken back",
      },
    ]);
    store.broken.clear();
    world.receivers.always(url, 200);
    await world.pass(70_000);
    expect(new Set(world.deliveries(owner).map(({ status }) => status))).toEqual(new Set(["delivered"]));
    expect(warned().slice(1)).toEqual([
      {
        level: "warn",
        fields: { count: 8 },
        message: "webhook attempts of a process that died are sent again",
      },
    ]);
  });

  it("says that leases were left to run out when a stop cannot return them", async () => {
    world.putEndpoint(owner);
    await world.settle();
    store.broken.add("release");
    await world.loop.stop(1_000);
    expect(warned()).toEqual([
      { level: "warn", fields: away("release"), message: "webhook leases were left to run out" },
    ]);
  });

  it("says nothing of what goes well, for an hour", async () => {
    world.putEndpoint(owner);
    world.receivers.always(url, 200);
    for (let minute = 0; minute < 60; minute += 1) {
      await world.enqueue(webhookEntry(owner, `${minute}`));
      world.clock.advance(60_000);
      await world.settle();
    }
    expect(world.receivers.requests).toHaveLength(60);
    expect(warned()).toEqual([]);
  });
});
