import { inTime, untilCompleted } from "./drill-quiet.ts";
import { startCampaign } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";
import { inDatabase } from "./in-database.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { anything, type HistoryEvent, historyEvent } from "./shapes.ts";

const ONCE_A_DAY = { attemptsPerNumber: { day: 1 }, oneCallAtATime: true };
const EVERYTHING_OFF = { oneCallAtATime: false };
const FORGET_DIALS = `truncate work.number_dials;
  update work.number_dials_fill set done = false, position = null, calls = '[]'`;
const RUNG_WITHIN_MILLIS = 120_000;

/**
 * Two campaigns over the same people, each of whom may be dialled once a day. Whatever died between the
 * policy, a grant and a hold: nobody is dialled a second time before the policy allows it, who waits is told
 * so, and the version that follows lifts every hold.
 */
export const policy: ScenarioRun = async (world, setup, plan, crashed) => {
  const { client } = world;
  await client.put(anything, "/api/v1/policy", ONCE_A_DAY);
  const first = await startCampaign(client, setup, plan);
  const second = await startCampaign(client, setup, plan, {}, "drill-second-campaign");
  const numbers = new Set(plan.contacts.map(({ phoneNumber }) => phoneNumber));
  const held = () => untilHeld(world, numbers, [first, second]);
  await inTime("a call to everybody, and a hold of whoever waits", held, RUNG_WITHIN_MILLIS);
  await crashed();
  const problems = judgeOnceADay(await client.all(historyEvent, "/api/v1/events", "after"));
  await client.put(anything, "/api/v1/policy", EVERYTHING_OFF);
  await untilCompleted(world, first);
  await untilCompleted(world, second);
  const audited = await Promise.all([first, second].map((campaignId) => world.audit(campaignId)));
  return { campaignId: null, problems: [...problems, ...audited.flat()] };
};

/**
 * A campaign is over when the table of dials is lost, as it is before an upgrade, and then a policy is made.
 * Whatever died while the table was filled from the log: the next campaign dials nobody of them that day.
 */
export const pastDials: ScenarioRun = async (world, setup, plan, crashed) => {
  const { client, dataDir } = world;
  const first = await startCampaign(client, setup, plan);
  await untilCompleted(world, first);
  await inDatabase(dataDir, FORGET_DIALS);
  await client.put(anything, "/api/v1/policy", ONCE_A_DAY);
  await crashed();
  const second = await startCampaign(client, setup, plan, {}, "drill-second-campaign");
  const events = () => client.all(historyEvent, "/api/v1/events", "after");
  const held = async () => {
    const holds = (await events()).filter(({ type }) => type === "ContactHeld");
    return new Set(holds.map(({ data }) => data.contactId)).size === plan.contacts.length;
  };
  await inTime("a hold of everybody", held, RUNG_WITHIN_MILLIS);
  const dialled = dialsOf(await events()).filter(({ data }) => data.campaignId === second);
  const problems = dialled.map(({ data }) => `${data["to"]} was dialled again, and the log knew its dial`);
  await client.put(anything, "/api/v1/policy", EVERYTHING_OFF);
  await untilCompleted(world, second);
  const audited = await Promise.all([first, second].map((campaignId) => world.audit(campaignId)));
  return { campaignId: null, problems: [...problems, ...audited.flat()] };
};

/** Each number was dialled, and each contact whose own call it was not is held by the cap. */
async function untilHeld(
  { client }: DrillWorld,
  numbers: ReadonlySet<string>,
  campaigns: readonly string[],
): Promise<true | null> {
  const events = await client.all(historyEvent, "/api/v1/events", "after");
  const dialled = dialsOf(events);
  const capped = events.filter(
    ({ type, data }) => type === "ContactHeld" && data["rule"] === "attemptsPerNumber",
  );
  const rung = new Set(dialled.map(({ data }) => String(data["to"])));
  const own = new Set(dialled.map(({ data }) => data.contactId));
  const waiting = new Set(capped.map(({ data }) => data.contactId).filter((id) => !own.has(id)));
  const others = numbers.size * campaigns.length - own.size;
  return rung.size === numbers.size && waiting.size === others ? true : null;
}

function judgeOnceADay(events: readonly HistoryEvent[]): string[] {
  const versions = events.filter(({ type }) => type === "PolicyChanged");
  const numbers = dialsOf(events).map(({ data }) => String(data["to"]));
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  return [
    ...twice.map((number) => `${number} was dialled twice a day`),
    ...(versions.length === 1 ? [] : [`one policy was made, and the log has ${versions.length}`]),
  ];
}

/** Requests of calls that began and that the carrier may have had. */
function dialsOf(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const began = new Set(
    events.filter(({ type }) => type === "CallDialingBegan").map(({ data }) => data.callId),
  );
  const never = events.filter(({ type, data }) => type === "CallFailed" && data.endReason === "not_placed");
  for (const { data } of never) began.delete(data.callId);
  return events.filter(({ type, data }) => type === "CallRequested" && began.has(data.callId));
}
