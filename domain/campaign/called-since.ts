import type { Of } from "../shared/decider.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { CallOfTheCarrier, CampaignCommand } from "./commands.ts";
import { idOf, isSkipped, numberOf, statusOf } from "./contact-row.ts";
import { contactCount } from "./contact-table.ts";
import type { CampaignEvent, ContactSkipped } from "./events.ts";
import type { CampaignState, ExistingCampaign } from "./state.ts";

type EndCalledSince = Of<CampaignCommand, "EndCalledSince">;

/**
 * The log went back, and the carrier has calls that it does not know: whoever they rang is not rung again for this campaign. What such a call came
 * to nobody knows any more. Each contact gets one event, and none when it is asked again: so the command may be repeated until nothing comes of it.
 */
export function endCalledSince(
  { calls, limit, now }: EndCalledSince,
  campaign: ExistingCampaign,
): readonly CampaignEvent[] {
  const { campaignId, status, contacts } = campaign;
  if (status === "COMPLETED" || status === "CANCELLED") return [];
  const called = lastCalls(calls, campaign);
  const ended: ContactSkipped[] = [];
  for (let row = 0; row < contactCount(contacts) && ended.length < limit; row += 1) {
    const [contactId, contactWas] = [idOf(contacts, row), statusOf(contacts, row)];
    const number = numberOf(contacts, row);
    const call = number === undefined ? undefined : called.get(number);
    if (contactId === undefined || call === undefined || isSkipped(contacts, row)) continue;
    if (contactWas !== "pending" && contactWas !== "waiting_retry" && contactWas !== "dialing") continue;
    const outcome = contactWas === "dialing" ? "no_retry" : "failed";
    const unknownCall = { callId: call.callId, calledAt: call.at, contactWas };
    const data = { campaignId, at: now, contactId, reason: "outcome_unknown", outcome, unknownCall } as const;
    ended.push({ type: "ContactSkipped", data });
  }
  return ended;
}

/** By number, those that came from the campaign's own; the last one counts. */
function lastCalls(
  calls: EndCalledSince["calls"],
  { pins }: CampaignState,
): ReadonlyMap<PhoneNumber, CallOfTheCarrier> {
  const own = calls.filter(({ from }) => from === pins?.from).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return new Map(own.map((call) => [call.to, call]));
}
