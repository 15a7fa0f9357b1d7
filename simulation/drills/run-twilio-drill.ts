import { setTimeout as wait } from "node:timers/promises";
import { seededRandom } from "../campaigns/seeded-random.ts";
import { gatherEvidence } from "./drill-evidence.ts";
import { planLongCampaign } from "./drill-plan.ts";
import { setUpDrill, startCampaign } from "./drill-setup.ts";
import { type DrillWorld, openDrillWorld } from "./drill-world.ts";
import { judgeDials } from "./judge-dials.ts";
import type { PreparedData } from "./prepared-data.ts";
import { anything, call, campaignAnswer } from "./shapes.ts";

export type TwilioDrill = {
  readonly seed: number;
  readonly crashAt: readonly string[];
  readonly rings: number;
  readonly deaths: number;
  /** Number of calls by end reason; those with an outcome that cannot be known yet count as `initiating`. */
  readonly ends: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
};

/** States of a dial between log and carrier at which the service dies. */
const POINTS: readonly [string, ...string[]] = [
  "eventStore.append.CallDialingBegan.after",
  "carrier.placeCall.before",
  "carrier.placeCall.after",
  "eventStore.append.CallRinging.before",
  "eventStore.append.CallRinging.after",
  "carrierEvents.take.before",
  "carrierEvents.take.after",
  "eventStore.append.CallConnected.before",
  "eventStore.append.CallSessionBegan.after",
  "carrier.hangUp.before",
  "carrier.hangUp.after",
  "eventStore.append.CallFailed.before",
];
const FAULTS =
  "lostReply=0.1,slowReply=0.05,tooMany=0.1,unavailable=0.1,callbackLost=0.05,callbackTwice=0.4,callbackLate=0.3,relayLost=0.1";
/** Longer waits are a minute of pause, or the ten minutes of an unknown outcome. */
const LASTS_MILLIS = 15_000;
/** A busy machine gets more time, until there is something to judge. */
const LASTS_AT_MOST_MILLIS = 120_000;
/** Fewer rings prove nothing. */
export const LEAST_RINGS = 3;
const LAST_RINGS_MILLIS = 2_000;
const SHORT_CAMPAIGN = 14;
/** Calls a second. All at once, a busy machine lost every line to unknown outcomes in the first death. */
const PACE = 2;

/**
 * A small campaign through the fake Twilio with every fault, over two deaths of the service. A dial
 * that may have been made, without any event, stays open for ten minutes; so the judgement is about
 * who was rung, and why.
 */
export async function runTwilioDrill(seed: number, prepared: PreparedData): Promise<TwilioDrill> {
  const random = seededRandom(seed, "twilio drill");
  const crashAt = [1, 2].map(() => `${random.pick(POINTS)}:${random.between(1, 3)}`);
  const world = await openDrillWorld({ prepared, crashAt, simulatorSeed: seed, twilioFaults: FAULTS });
  try {
    const setup = await setUpDrill(world.client, world.receiverUrl);
    const { contacts } = planLongCampaign(seed);
    const plan = { contacts: contacts.slice(0, SHORT_CAMPAIGN), maxConcurrentCalls: 6 };
    const campaignId = await startCampaign(world.client, setup, plan, { maxCallsPerSecond: PACE });
    await settledOrPaused(world, campaignId);
    const evidence = await gatherEvidence(world, setup.start, campaignId);
    return {
      seed,
      crashAt,
      rings: evidence.journal.length,
      deaths: world.service.deaths(),
      ends: counted(evidence.calls.map(({ endReason, status }) => endReason ?? status)),
      problems: [...judgeDials(evidence), ...world.client.serverErrors],
    };
  } finally {
    await world.close();
  }
}

/** After that nobody is dialled any more, and those who were dialled have been rung. */
async function settledOrPaused(world: DrillWorld, campaignId: string): Promise<void> {
  const began = performance.now();
  const lasted = () => performance.now() - began;
  while (lasted() < LASTS_MILLIS || (lasted() < LASTS_AT_MOST_MILLIS && !(await canBeJudged(world)))) {
    if (await isSettled(world, campaignId)) return;
    await wait(250);
  }
  await world.client.post(anything, `/api/v1/campaigns/${campaignId}/pause`);
  await wait(LAST_RINGS_MILLIS);
}

async function canBeJudged({ service, journal }: DrillWorld): Promise<boolean> {
  return service.deaths() > 0 && (await journal()).length >= LEAST_RINGS;
}

/** Nobody waits to be called, and all calls have ended except those with an unknown outcome. */
async function isSettled({ client }: DrillWorld, campaignId: string): Promise<boolean> {
  const { campaign } = await client.get(campaignAnswer, `/api/v1/campaigns/${campaignId}`);
  if (campaign.status === "COMPLETED") return true;
  if (campaign.pendingCalls > 0) return false;
  const open = (await client.all(call, "/api/v1/calls")).filter(({ endedAt }) => endedAt === null);
  return open.length > 0 && open.every(({ status }) => status === "initiating");
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
