import type { Instant } from "../shared/instant.ts";
import { isWindowOpen, nextOpening } from "./call-window.ts";
import { zonesStillToCall, zoneText } from "./contact-table.ts";
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

/**
 * The earliest opening among the contacts still to be called; null when a window is open now, or
 * nobody is left to call.
 */
export function closedUntil(state: CampaignState, now: Instant): { readonly opensAt: Instant | null } | null {
  const window = state.settings?.window ?? null;
  const zones = zonesToCall(state).map((zone) => zoneName(state, zone));
  if (zones.length === 0 || zones.some((timezone) => isWindowOpen(timezone, window, now))) return null;
  return { opensAt: earliest(zones.map((timezone) => nextOpening(timezone, window, now))) };
}

/** Zones with contacts that are still to be called. */
export function zonesToCall({ contacts }: CampaignState): readonly number[] {
  return zonesStillToCall(contacts);
}

/** null: the list has none. */
export function earliest(instants: readonly (Instant | null)[]): Instant | null {
  let first: Instant | null = null;
  for (const instant of instants) {
    if (instant !== null && (first === null || instant < first)) first = instant;
  }
  return first;
}
