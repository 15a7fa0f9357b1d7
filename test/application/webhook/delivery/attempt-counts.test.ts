import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { silentMetrics } from "../../../../simulation/memory/silent.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

const owner: OwnerId = "usr_a";
let world: LoopWorld;
let counted: { class: string; by: number }[];
beforeEach(() => {
  counted = [];
  const metrics: Metrics = {
    ...silentMetrics,
    count: (name, labels, by = 1) => {
      if (name === "ringfold_webhook_attempts_total")
        counted.push({ class: "class" in labels ? String(labels.class) : "", by });
    },
  };
  world = webhookLoopWorld({ metrics });
});
afterEach(() => world.close());

const total = () => counted.reduce((sum, { by }) => sum + by, 0);

describe("an attempt is counted once", () => {
  it("by the delivery, its log, its header and the metric, through failures to the success", async () => {
    world.putEndpoint(owner);
    await world.enqueue(webhookEntry(owner, "1"));
    for (const status of [500, 503, 200]) {
      await world.pass(60_000);
      world.receivers.open()[0]?.answer(status);
      await world.settle();
    }
    const [delivery] = world.deliveries(owner);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 3 });
    expect(world.state.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(world.receivers.requests.map(({ headers }) => headers["x-service-attempt"])).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(counted).toEqual([
      { class: "refused", by: 1 },
      { class: "refused", by: 1 },
      { class: "delivered", by: 1 },
    ]);
  });

  it("when twenty are under way and end together", async () => {
    world.putEndpoint(owner);
    world.receivers.always(urlOf(owner), 200);
    await world.enqueue(...Array.from({ length: 20 }, (_, index) => webhookEntry(owner, String(index))));
    await world.pass(2_000);
    expect(world.receivers.requests).toHaveLength(20);
    expect(total()).toBe(20);
    expect(world.state.attempts).toHaveLength(20);
    expect(world.deliveries(owner).map(({ attempts }) => attempts)).toEqual(Array(20).fill(1));
  });

  it("though its start was taken back because it found no place: then it was none", async () => {
    world.putEndpoint(owner);
    world.receivers.always(urlOf(owner), 200);
    await world.enqueue(webhookEntry(owner, "proof"));
    world.receivers.always(urlOf(owner), null);
    await world.enqueue(...Array.from({ length: 30 }, (_, index) => webhookEntry(owner, String(index))));
    await world.pass(10_000);
    const sent = world.receivers.requests.length;
    expect(sent).toBeLessThan(31);
    const startedAndKept = world.deliveries(owner).reduce((sum, { attempts }) => sum + attempts, 0);
    expect(startedAndKept).toBe(sent);
  });
});
