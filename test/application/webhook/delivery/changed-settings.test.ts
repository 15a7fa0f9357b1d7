import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
let world: LoopWorld;
beforeEach(() => {
  world = webhookLoopWorld();
});
afterEach(() => world.close());

/** One attempt is under way, and the settings are saved meanwhile. */
async function changedDuringAttempt() {
  world.putEndpoint(owner);
  await world.enqueue(webhookEntry(owner, "1"));
  const [request] = world.receivers.open();
  if (request === undefined) throw new Error("nothing was sent");
  world.putEndpoint(owner);
  await world.settle();
  return request;
}

describe("an attempt that was sent with settings which changed meanwhile", () => {
  it("does not put the endpoint out of use by its 410: its delivery is sent to the new settings", async () => {
    (await changedDuringAttempt()).answer(410);
    await world.settle();
    expect(world.state.endpoints.get(owner)).toMatchObject({ inUse: true, version: 2 });
    await world.pass(10_000);
    expect(world.receivers.requests).toHaveLength(2);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(world.deliveries(owner).map(({ status }) => status)).toEqual(["delivered"]);
  });

  it("does not mark it misconfigured", async () => {
    (await changedDuringAttempt()).answer({ kind: "blocked", reason: "address_not_allowed" });
    await world.settle();
    await world.enqueue(webhookEntry(owner, "2"));
    expect(world.state.endpoints.get(owner)).toMatchObject({ inUse: true, version: 2 });
    await world.pass(10_000);
    expect(world.receivers.requests.length).toBeGreaterThan(1);
  });

  it("says nothing of the new settings: neither a failure for the breaker nor that they are proven", async () => {
    (await changedDuringAttempt()).answer(500);
    await world.settle();
    expect(world.state.endpoints.get(owner)?.health.breaker.failures).toBe(0);
    world.receivers.open()[0]?.answer(500);
    expect(world.state.endpoints.get(owner)).toMatchObject({ proven: false });
  });

  it("with settings that did not change puts it out of use: so the case above is about the change", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    world.receivers.open()[0]?.answer(410);
    await world.settle();
    expect(world.state.endpoints.get(owner)).toMatchObject({ inUse: false });
  });
});

describe("an endpoint with changed settings", () => {
  it("is one of which nothing is known: it gets one place, and eight after its first success", async () => {
    world.putEndpoint(owner);
    world.receivers.always(urlOf(owner), 200);
    await world.enqueue(webhookEntry(owner, "proof"));
    world.receivers.always(urlOf(owner), null);
    world.putEndpoint(owner);
    await world.settle();
    await world.enqueue(...Array.from({ length: 20 }, (_, index) => webhookEntry(owner, `e${index}`)));
    expect(world.receivers.open()).toHaveLength(1);
    world.receivers.open()[0]?.answer(200);
    await world.settle();
    expect(world.receivers.open()).toHaveLength(8);
  });

  it("that is used again is sent what was held for it at once, not at the next look", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    world.receivers.open()[0]?.answer(410);
    await world.settle();
    expect(world.deliveries(owner).map(({ status }) => status)).toEqual(["held"]);
    world.putEndpoint(owner);
    await world.settle();
    expect(world.receivers.open()).toHaveLength(1);
  });
});
