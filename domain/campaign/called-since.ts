import type { CallOfTheCarrier } from "../call/carrier-identity.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { idOf, isSkipped, numberOf, statusOf, waitsForCallback } from "./contacts/contact-row.ts";
import { contactCount } from "./contacts/contact-table.ts";
import type { CampaignEvent, ContactSkipped } from "./events.ts";
import type { CampaignState, ExistingCampaign } from "./state.ts";

type CalledSince = {
  readonly calls: readonly CallOfTheCarrier[];
  /** So many contacts at a time. */
  readonly limit: number;
  readonly now: Instant;
};

/**
 * The log was restored to an older state, and the carrier has calls that it does not know. Contacts with such
 * a call are not called again in this campaign; the outcome of those calls is unknown. Each contact gets one
 * event and none on a repeat, so the command is repeated until it gives no event.
 */
export function endCalledSince(
  { calls, limit, now }: CalledSince,
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
    const data = {
      ...({ campaignId, at: now, contactId, reason: "outcome_unknown", outcome, unknownCall } as const),
      ...(waitsForCallback(contacts, row) ? { waitedForCallback: true as const } : {}),
    };
    ended.push({ type: "ContactSkipped", data });
  }
  return ended;
}

/** By number, only calls from the campaign's own number; the last one counts. */
function lastCalls(
  calls: CalledSince["calls"],
  { pins }: CampaignState,
): ReadonlyMap<PhoneNumber, CallOfTheCarrier> {
  const own = calls.filter(({ from }) => from === pins?.from).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return new Map(own.map((call) => [call.to, call]));
}
