import type { CampaignRecord } from "../../application/ports/queries/campaign-records.ts";
import { hasHours } from "../../domain/campaign/local-window.ts";
import type { CallWindow } from "../../domain/campaign/settings.ts";

type WindowRecord = Pick<
  CampaignRecord,
  | "callWindowStart"
  | "callWindowEnd"
  | "callWindowStartMinute"
  | "callWindowEndMinute"
  | "callWindowDays"
  | "callWindowExcludedDates"
>;

/** The window for the record. Windows of older releases get minute 0, every day, no date excluded. */
export function windowRecord(window: CallWindow | null): WindowRecord {
  const hours = window !== null && hasHours(window) ? window : null;
  return {
    callWindowStart: hours?.start ?? null,
    callWindowEnd: hours?.end ?? null,
    callWindowStartMinute: hours?.startMinute ?? 0,
    callWindowEndMinute: hours?.endMinute ?? 0,
    callWindowDays: window?.days ?? null,
    callWindowExcludedDates: window?.excludedDates ?? [],
  };
}
