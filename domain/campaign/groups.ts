import { type CallableTimes, isZoneUnknown, policyHours } from "../policy/callable-times.ts";
import type { PolicyInForce } from "../policy/policy.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import { personOfGroup } from "./contacts/contact-groups.ts";
import { hasConsent, isToCall } from "./contacts/contact-row.ts";
import { contactCount, groupsStillToCall } from "./contacts/contact-table.ts";
import type { CampaignState } from "./state.ts";

/** Where the campaign's window counts for the contacts of this group: their own zone, or the campaign's. */
export function zoneOfGroup({ contacts, settings }: CampaignState, group: number): string {
  return contacts.groups.list[group]?.timezone ?? settings?.timezone ?? "";
}

/** When the contacts of this group may be called. */
export function timesOf(state: CampaignState, group: number, policy: PolicyInForce | null): CallableTimes {
  return {
    zone: zoneOfGroup(state, group),
    window: state.settings?.window ?? null,
    hours: policyHours(personOfGroup(state.contacts.groups, group), policy),
  };
}

/** Whether nobody knows where those live who are still to be called, although the policy asks. */
export function areAllZonesUnknown(
  state: CampaignState,
  policy: PolicyInForce | null,
  now: Instant,
): boolean {
  const { groups } = state.contacts;
  return groupsToCall(state).every((group) => isZoneUnknown(personOfGroup(groups, group), policy, now));
}

/** Whether no consent of those counts who are still to be called, although the policy asks. */
export function hasNobodyConsented(
  { contacts }: CampaignState,
  { policy }: PolicyInForce,
  now: Instant,
): boolean {
  if (policy.requireConsent !== true) return false;
  const millis = millisOf(now);
  for (let row = 0; row < contactCount(contacts); row += 1)
    if (hasConsent(contacts, row, millis) && isToCall(contacts, row)) return false;
  return true;
}

/** Judges each group once, however many contacts it has. */
export function judgedOnce<Judgement>(judge: (group: number) => Judgement): (group: number) => Judgement {
  const judged = new Map<number, Judgement>();
  return (group) => {
    const before = judged.get(group);
    if (before !== undefined) return before;
    const judgement = judge(group);
    judged.set(group, judgement);
    return judgement;
  };
}

/** Groups with contacts that are still to be called. */
export function groupsToCall({ contacts }: CampaignState): readonly number[] {
  return groupsStillToCall(contacts);
}
