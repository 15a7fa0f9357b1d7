import { zonesStillToCall, zoneText } from "./contacts/contact-table.ts";
import type { CampaignState } from "./state.ts";

/** The zone of the contacts with this index: their own, or the campaign's for those without one. */
export function zoneName(state: CampaignState, zone: number): string {
  return zoneText(state.contacts, zone) ?? state.settings?.timezone ?? "";
}

/** Judges each zone once, however many contacts it has. */
export function judgedOnce<Judgement>(
  state: CampaignState,
  judge: (timezone: string) => Judgement,
): (zone: number) => Judgement {
  const judged = new Map<number, Judgement>();
  return (zone) => {
    const before = judged.get(zone);
    if (before !== undefined) return before;
    const judgement = judge(zoneName(state, zone));
    judged.set(zone, judgement);
    return judgement;
  };
}

/** Zones with contacts that are still to be called. */
export function zonesToCall({ contacts }: CampaignState): readonly number[] {
  return zonesStillToCall(contacts);
}
