import { setTimeout as delay } from "node:timers/promises";
import { streamNameFilter } from "@eventstore/db-client";
import { z } from "zod";
import { ObservedFailure } from "./observed-answer.ts";
import type { StepOf } from "./observed-scenarios.ts";
import type { ScenarioWorld } from "./scenario-world.ts";

const LONGEST_MILLIS = 100_000;
/** What might come although it must not is waited for this long. */
const QUIET_MILLIS = 300;

const hopedFor = z.object({
  ok: z.boolean(),
  marks: z.array(z.string()),
  events: z.union([z.array(z.string()), z.object({ count: z.number() })]),
});

/** Opens a subscription, appends once it has caught up, and tells its marks and the revisions it saw. */
export async function observeSubscription(world: ScenarioWorld, step: StepOf<"subscribe">): Promise<object> {
  const hoped = hopedFor.parse(step.observed);
  const marks: string[] = [];
  const revisions: string[] = [];
  let failure: unknown;
  const subscription = open(world, step);
  subscription.on("error", (error) => {
    failure = error;
  });
  subscription.on("confirmation", () => marks.push("confirmation"));
  subscription.on("caughtUp", () => marks.push(`caughtUp after ${revisions.length}`));
  subscription.on("data", ({ event }) => revisions.push(String(event?.revision)));

  const until = async (condition: () => boolean): Promise<void> => {
    const end = Date.now() + LONGEST_MILLIS;
    while (!condition() && failure === undefined && Date.now() < end) await delay(5);
  };
  await until(() => marks.length >= hoped.marks.length);
  if (step.thenAppend !== undefined) await world.append(step.thenAppend);
  const wanted = Array.isArray(hoped.events) ? hoped.events.length : Number.POSITIVE_INFINITY;
  await until(() => hoped.ok && revisions.length >= wanted);
  if (hoped.ok) await delay(QUIET_MILLIS);
  await subscription.unsubscribe();
  subscription.destroy();
  if (failure === undefined) return { marks, events: revisions };
  const events = { count: revisions.length, first: revisions.at(0), last: revisions.at(-1) };
  throw new ObservedFailure(failure, { marks, events });
}

function open(world: ScenarioWorld, step: StepOf<"subscribe">) {
  if (step.all !== undefined) {
    return world.client.subscribeToAll({ filter: streamNameFilter({ prefixes: [world.prefix + step.all] }) });
  }
  const from = step.from === undefined ? {} : { fromRevision: BigInt(step.from) };
  return world.client.subscribeToStream(world.prefix + (step.stream ?? ""), from);
}
