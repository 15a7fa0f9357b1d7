import { z } from "zod";
import type { CampaignPlan } from "./drill-plan.ts";
import { inTime, untilCompleted } from "./drill-quiet.ts";
import { type DrillSetup, makeAssistant, startCampaign } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { type HistoryEvent, historyEvent, suppression } from "./shapes.ts";

/** They ask on every call, one by words, one by the assistant's key. */
const ASK = ["+15005550013", "+15005550015"];
const KEY = "9";
const spoken = z.object({ role: z.literal("customer"), content: z.string() });
/** The list counts within 10 s of a restart, the event follows (docs/decisions/0131). */
const RECORDED_WITHIN_MILLIS = 60_000;

/**
 * A campaign in which two ask never to be called again. Whatever died between their words, the list and the
 * event: both are listed, each call says so once, and the owner's next campaign rings nobody of them.
 */
export const optOut: ScenarioRun = async (world, setup, plan, crashed) => {
  const listening = {
    ...setup,
    assistantId: await makeAssistant(world.client, { name: "Listener", optOutDigit: KEY }),
  };
  const campaignId = await startCampaign(world.client, listening, plan);
  await crashed();
  await untilCompleted(world, campaignId);
  const problems = await untilRecorded(world);
  return {
    campaignId,
    problems,
    afterwards: () => nextCampaign(world, listening, plan.contacts),
  };
};

/** What is wrong with events and list, when each call on which one of the two asked has its event. */
async function untilRecorded({ client }: DrillWorld): Promise<readonly string[]> {
  const optOuts = async () => {
    const { asked, optedOut } = await optOutsIn(client);
    const isDone =
      asked.size > 0 && [...asked].every((callId) => optedOut.some((each) => each.callId === callId));
    return isDone ? optedOut : null;
  };
  const found = await inTime("the event of each opt-out", optOuts, RECORDED_WITHIN_MILLIS);
  const callIds = found.map(({ callId }) => callId);
  const twice = callIds.filter((callId, index) => callIds.indexOf(callId) !== index);
  const unlisted = found.map(async ({ callId, to }) => {
    const entry = await client.get(suppression, `/api/v1/suppressions/${encodeURIComponent(to)}`);
    if (entry.source === "call" && entry.callId === callId) return [];
    return [`${to} asked on ${callId}, its entry is of ${entry.source} ${entry.callId}`];
  });
  return [...twice.map((callId) => `${callId} opted out twice`), ...(await Promise.all(unlisted)).flat()];
}

/** Calls on which one of the two asked, and calls that say so; others may press that key as well. */
async function optOutsIn(client: DrillWorld["client"]) {
  const events = await client.all(historyEvent, "/api/v1/events", "after");
  const requested = events.filter(({ type }) => type === "CallRequested");
  const numbers = new Map(requested.map(({ data }) => [data.callId, String(data["to"])]));
  const asked = events.filter(
    (event) =>
      ASK.includes(numbers.get(event.data.callId) ?? "") &&
      (saysWords(event) || event.data["digits"] === KEY),
  );
  const optedOut = events
    .filter(({ type }) => type === "CallOptedOut")
    .map(({ data }) => ({ callId: data.callId, to: numbers.get(data.callId) ?? "" }));
  return { asked: new Set(asked.map(({ data }) => data.callId)), optedOut };
}

/** Whoever asks by words says nothing else. */
function saysWords({ type, data }: HistoryEvent): boolean {
  const message = spoken.safeParse(data["message"]);
  return type === "CallMessageAdded" && message.success && !message.data.content.startsWith("[keys:");
}

/** The same list of people again: whoever asked is passed over, all others are called. */
async function nextCampaign(
  world: DrillWorld,
  setup: DrillSetup,
  contacts: CampaignPlan["contacts"],
): Promise<readonly string[]> {
  const { client } = world;
  const asked = new Set((await optOutsIn(client)).optedOut.map(({ to }) => to));
  const before = (await world.journal()).length;
  const plan = { contacts, maxConcurrentCalls: 2 };
  const campaignId = await startCampaign(client, setup, plan, {}, "drill-next-campaign");
  await untilCompleted(world, campaignId);
  const rung = (await world.journal()).slice(before).map(({ to }) => to);
  const others = contacts.filter(({ phoneNumber }) => !asked.has(phoneNumber));
  return [
    ...rung.filter((to) => asked.has(to)).map((to) => `${to} asked not to be called again, and was rung`),
    ...others
      .filter(({ phoneNumber }) => !rung.includes(phoneNumber))
      .map(({ phoneNumber }) => `${phoneNumber} did not ask, and was not rung again`),
    ...(await world.audit(campaignId)),
  ];
}
