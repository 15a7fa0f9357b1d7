import { afterEach, beforeEach, expect, it } from "vitest";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { memoryDeliveryStore } from "../../../../simulation/memory/delivery-store.ts";
import { type LogLine, recordingLogger } from "../../../support/recording-logger.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
/** Leases are looked at once a second. */
const NOTICED_WITHIN_MILLIS = 1_000;

let world: LoopWorld;
let lines: readonly LogLine[];
beforeEach(() => {
  const log = recordingLogger();
  lines = log.lines;
  world = webhookLoopWorld({ logger: log.logger });
});
afterEach(() => world.close());

it("a worker that lost its endpoint to another notices within a second, and sends it nothing more", async () => {
  world.putEndpoint(owner);
  world.receivers.always(urlOf(owner), 200);
  await world.enqueue(webhookEntry(owner, "1"));
  const store = memoryDeliveryStore(world.state, world.clock);
  await store.release("w1", [owner]);
  await store.lease("elsewhere", [owner], 3_600_000);
  await world.pass(NOTICED_WITHIN_MILLIS);
  const before = world.receivers.requests.length;
  await world.enqueue(webhookEntry(owner, "2"), webhookEntry(owner, "3"));
  await world.pass(30_000);
  expect(world.receivers.requests).toHaveLength(before);
  expect(world.deliveries(owner).map(({ status }) => status)).toEqual(["delivered", "pending", "pending"]);
});

it("gives back the starts that wait for a place when its endpoint is another's: they count as none", async () => {
  world.putEndpoint(owner);
  world.receivers.always(urlOf(owner), 200);
  await world.enqueue(webhookEntry(owner, "proof"));
  world.receivers.always(urlOf(owner), null);
  await world.enqueue(...Array.from({ length: 16 }, (_, index) => webhookEntry(owner, `e${index}`)));
  const started = () => world.deliveries(owner).filter(({ status }) => status === "sending").length;
  expect([world.receivers.open().length, started()]).toEqual([8, 16]);
  const store = memoryDeliveryStore(world.state, world.clock);
  await store.release("w1", [owner]);
  await store.lease("elsewhere", [owner], 3_600_000);
  await world.pass(NOTICED_WITHIN_MILLIS);
  expect(started()).toBe(8);
  const waiting = world.deliveries(owner).filter(({ status }) => status === "pending");
  expect(waiting.map(({ attempts }) => attempts)).toEqual(Array(8).fill(0));
  for (const request of world.receivers.open()) request.answer(200);
  await world.pass(5_000);
  expect(world.receivers.requests).toHaveLength(9);
  expect(world.deliveries(owner).filter(({ status }) => status === "delivered")).toHaveLength(9);
  expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
});
