import { setTimeout as wait } from "node:timers/promises";
import { planLongCampaign } from "./drill-plan.ts";
import { inTime, untilCompleted } from "./drill-quiet.ts";
import { startCampaign } from "./drill-setup.ts";
import type { MovedClock } from "./moved-clock.ts";
import type { Course } from "./run-fault.ts";
import { anything, campaignAnswer, historyEvent } from "./shapes.ts";

/** Where the clock stands before the edge, and where it goes on after it. */
const BEFORE_MILLIS = 1_000;
const BEHIND_MILLIS = 300;
const HAPPENS_WITHIN_MILLIS = 180_000;

/** A full hour of UTC, and the moment before it at which the clock stands. */
export const EDGE_MILLIS = Date.parse("2027-03-01T18:00:00Z");
export const STANDS_AT_MILLIS = EDGE_MILLIS - BEFORE_MILLIS;
const EDGE = new Date(EDGE_MILLIS).toISOString();
const UNTIL_EDGE = { callWindowStart: 6, callWindowEnd: 18, timezone: "UTC" };
const FROM_EDGE = { callWindowStart: 18, callWindowEnd: 6 };

/**
 * The service is suspended (by its CRASH_AT) between write-ahead and dial while the campaign's window closes,
 * for less than the 5 s in which it may still send (docs/architecture.md §3). Nobody may be dialled when it
 * resumes; everybody is, if the window is the other half of the day.
 */
export function overTheEdge(clock: MovedClock, seed: number): Course {
  return async (world, setup) => {
    const { client, service } = world;
    const starting = startCampaign(client, setup, planLongCampaign(seed), UNTIL_EDGE);
    await inTime("the service to stand still", async () => service.standsStill(), HAPPENS_WITHIN_MILLIS);
    await wait(BEFORE_MILLIS + BEHIND_MILLIS);
    await clock.goOnFrom(EDGE_MILLIS + BEHIND_MILLIS);
    service.signal("SIGCONT");
    const campaignId = await starting;
    const path = `/api/v1/campaigns/${campaignId}`;
    const campaign = async () => (await client.get(campaignAnswer, path)).campaign;
    const paused = async () => (await campaign()).status === "PAUSED";
    await inTime("the pause outside the window", paused, HAPPENS_WITHIN_MILLIS);
    const nobodyActive = async () => (await campaign()).activeCalls === 0;
    await inTime("the end of what was under way", nobodyActive, HAPPENS_WITHIN_MILLIS);

    const journal = await world.journal();
    const events = await client.all(historyEvent, "/api/v1/events", "after");
    const late = events.filter(
      ({ type, occurredAt }) =>
        (type === "ContactDialed" || type === "CallDialingBegan") && occurredAt >= EDGE,
    );
    const began = events.some(({ type }) => type === "CallDialingBegan");
    const problems = [
      ...(began ? [] : ["no dial was written ahead before the window closed"]),
      ...journal.map(({ at, to }) => `${to} was dialled at ${at}`),
      ...late.map(({ type, stream, occurredAt }) => `${stream} has ${type} at ${occurredAt}`),
    ];
    await client.patch(anything, path, FROM_EDGE);
    await untilCompleted(world, campaignId);
    return { campaignId, problems };
  };
}
