import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { DrillClient } from "./drill-client.ts";
import type { DrillWorld } from "./drill-world.ts";
import { eventually } from "./eventually.ts";
import { account, call, campaignAnswer, limits } from "./shapes.ts";

const PROBE_EVERY_MILLIS = 200;
const COMPLETED_WITHIN_MILLIS = 240_000;
/** "After any crash every slot that belongs to no live or unknown call is free within 60 s" (issue 5). */
const FREE_WITHIN_MILLIS = 60_000;
const TOLD_WITHIN_MILLIS = 120_000;

/** Polls seldom, so that the machine is free for the drill. */
export function inTime<T>(
  what: string,
  probe: () => Promise<T>,
  timeoutMillis: number,
): Promise<NonNullable<T>> {
  const unhurried = async () => {
    await wait(PROBE_EVERY_MILLIS);
    return probe();
  };
  return eventually(what, unhurried, timeoutMillis);
}

export async function untilCompleted({ client }: DrillWorld, campaignId: string): Promise<void> {
  const completed = async () => {
    const { campaign } = await client.get(campaignAnswer, `/api/v1/campaigns/${campaignId}`);
    return campaign.status === "COMPLETED";
  };
  await inTime(`the end of campaign ${campaignId}`, completed, COMPLETED_WITHIN_MILLIS);
}

/** Nothing is left to do: every call has ended, its end was delivered, capacity and reservations are free. */
export async function untilQuiet(world: DrillWorld): Promise<void> {
  const { client } = world;
  const ended = async () =>
    (await client.all(call, "/api/v1/calls")).every(({ endedAt }) => endedAt !== null);
  await inTime("the end of every call", ended, COMPLETED_WITHIN_MILLIS);
  const free = async () => {
    const { reserved } = await client.get(account, "/api/v1/account");
    const { activeCalls } = await client.get(limits, "/api/v1/limits");
    return reserved === 0 && activeCalls === 0;
  };
  await inTime("free slots and reservations", free, FREE_WITHIN_MILLIS);
  const arrived = async () => {
    const ends = await arrivedEnds(world);
    return (await client.all(call, "/api/v1/calls")).every(({ id }) => ends.has(id));
  };
  await inTime("the webhook of every end", arrived, TOLD_WITHIN_MILLIS);
  await inTime("every recording", () => allHeard(client), TOLD_WITHIN_MILLIS);
}

const recorded = z.object({ id: z.string(), recordingStatus: z.string() });
const readiness = z.object({
  checks: z.array(z.object({ name: z.string(), detail: z.looseObject({ disk: z.string().nullish() }) })),
});

/** A disk that is nearly full gets none. */
async function allHeard(client: DrillClient): Promise<boolean> {
  const { checks } = await client.get(readiness, "/health/ready");
  if (checks.some(({ detail }) => typeof detail.disk === "string")) return true;
  const calls = await client.all(recorded, "/api/v1/calls");
  const statuses = await Promise.all(
    calls
      .filter(({ recordingStatus }) => recordingStatus === "available")
      .map(({ id }) => client.status(`/api/v1/calls/${id}/recording`)),
  );
  return statuses.every((status) => status === 200);
}

const named = z.object({ event: z.string(), data: z.object({ callId: z.string() }) });

async function arrivedEnds(world: DrillWorld): Promise<ReadonlySet<string>> {
  const bodies = (await world.received()).map(({ body }) =>
    named.parse(JSON.parse(Buffer.from(body, "base64").toString("utf8"))),
  );
  return new Set(bodies.filter(({ event }) => event === "call.ended").map(({ data }) => data.callId));
}
