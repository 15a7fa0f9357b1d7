import { groupsStillToCall } from "./contacts/contact-table.ts";
import type { CampaignState } from "./state.ts";

/** Where the campaign's window counts for the contacts of this group: their own zone, or the campaign's. */
export function zoneOfGroup({ contacts, settings }: CampaignState, group: number): string {
  return contacts.groups.list[group]?.timezone ?? settings?.timezone ?? "";
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
