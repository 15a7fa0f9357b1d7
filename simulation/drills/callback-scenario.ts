import { untilCompleted } from "./drill-quiet.ts";
import { makeAssistant, startCampaign } from "./drill-setup.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { type HistoryEvent, historyEvent, type JournalEntry } from "./shapes.ts";

/** Asks on every call to be called again in two minutes. */
const ASKS = "+15005550014";

/**
 * A campaign in which one asks to be called again. Whatever died between the promise and its place in the
 * campaign: who was promised a call gets one, not before its time.
 */
export const callback: ScenarioRun = async (world, setup, plan, crashed) => {
  const assistantId = await makeAssistant(world.client, { name: "Caller", callback: { maxPerContact: 1 } });
  const campaignId = await startCampaign(world.client, { ...setup, assistantId }, plan);
  await crashed();
  await untilCompleted(world, campaignId);
  const events = await world.client.all(historyEvent, "/api/v1/events", "after");
  return { campaignId, problems: judgeCallbacks(events, await world.journal()) };
};

/** What was promised on a call is scheduled once, and dialled once, then and not before. */
function judgeCallbacks(events: readonly HistoryEvent[], journal: readonly JournalEntry[]): string[] {
  const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
  const agreed = of("CallCallbackAgreed");
  const [scheduled, requested] = [of("ContactCallbackScheduled"), of("CallRequested")];
  const rung = journal.filter(({ to }) => to === ASKS);
  const problems = agreed.flatMap(({ callId, callbackAt }) => {
    const places = scheduled.filter((each) => each.callId === callId).map((each) => each["callbackAt"]);
    const calls = requested.filter((each) => each["callbackOf"] === callId).map((each) => each.callId);
    const dials = rung.filter((dial) => calls.includes(dial.callId));
    return [
      ...(String(places) === String(callbackAt)
        ? []
        : [`${callId} promised ${callbackAt}, and the campaign has ${places.join(", ") || "nothing"}`]),
      ...(dials.length === 1 ? [] : [`${callId} promised a call, and ${dials.length} were made`]),
      ...dials
        .filter(({ at }) => at < String(callbackAt))
        .map(({ at }) => `${callId} promised ${callbackAt}, and was called at ${at}`),
    ];
  });
  if (agreed.length !== 1) problems.push(`one asked for a call, and ${agreed.length} were promised`);
  if (scheduled.length !== agreed.length)
    problems.push(`${agreed.length} calls were promised, and ${scheduled.length} are scheduled`);
  return problems;
}
