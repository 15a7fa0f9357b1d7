import type { BodyOf, RouteAt } from "../../../contract/asking.ts";
import type { CampaignRecord } from "../../../contract/campaign.ts";
import { type PlanRow, planDraftOf, planOf } from "./plan-draft.ts";

export type CampaignChanges = BodyOf<RouteAt<"PATCH", "/api/v1/campaigns/:id">>;
type RetriedEnd = NonNullable<CampaignChanges["retryOn"]>[number];

/** Ends of a call that may come out otherwise at the next one; what was never placed is repeated anyway. */
export const RETRIED_ENDS = [
  "busy",
  "no_answer",
  "unreachable",
  "voicemail",
  "declined",
  "connection_lost",
  "carrier_error",
  "setup_timeout",
  "assistant_error",
] as const satisfies readonly RetriedEnd[];

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7] as const;

/** When people are called, as in the controls. */
export type HoursDraft = {
  readonly isAnyHour: boolean;
  /** `09:00` */
  readonly callWindowStart: string;
  readonly callWindowEnd: string;
  /** ISO weekdays. */
  readonly callWindowDays: readonly number[];
  readonly callWindowExcludedDates: string;
};

/** When and how fast people are called, as in the controls. */
export type CallingDraft = HoursDraft & {
  readonly timezone: string;
  readonly maxConcurrentCalls: string;
  readonly maxCallsPerSecond: string;
  readonly maxRetries: string;
  readonly retryIntervalMins: string;
  readonly retryOn: readonly string[];
  readonly retryPlan: readonly PlanRow[];
  /** Local time of the browser. */
  readonly startAt: string;
};

/** What is proposed: nobody is called at night, at the weekend, or again after declining. */
export const PROPOSED: CallingDraft = {
  isAnyHour: false,
  callWindowStart: "09:00",
  callWindowEnd: "20:00",
  callWindowDays: [1, 2, 3, 4, 5],
  callWindowExcludedDates: "",
  timezone: "",
  maxConcurrentCalls: "",
  maxCallsPerSecond: "",
  maxRetries: "",
  retryIntervalMins: "",
  retryOn: RETRIED_ENDS.filter((end) => end !== "declined"),
  retryPlan: [],
  startAt: "",
};

type Shown = Pick<
  CampaignRecord,
  | "callWindowStart"
  | "callWindowStartMinute"
  | "callWindowEnd"
  | "callWindowEndMinute"
  | "callWindowDays"
  | "callWindowExcludedDates"
  | "timezone"
  | "maxConcurrentCalls"
  | "maxRetries"
  | "retryIntervalMins"
  | "retryOn"
  | "retryPlan"
  | "startAt"
>;

/** The settings of a campaign as they fill the controls. `maxCallsPerSecond` is not told. */
export function callingDraftOf(campaign: Shown): CallingDraft {
  const { callWindowStart, callWindowEnd } = campaign;
  const isAnyHour = callWindowStart === null || callWindowEnd === null;
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    isAnyHour,
    callWindowStart: isAnyHour
      ? PROPOSED.callWindowStart
      : clockOf(callWindowStart, campaign.callWindowStartMinute),
    callWindowEnd: isAnyHour ? PROPOSED.callWindowEnd : clockOf(callWindowEnd, campaign.callWindowEndMinute),
    callWindowDays: campaign.callWindowDays ?? EVERY_DAY,
    callWindowExcludedDates: campaign.callWindowExcludedDates.join(", "),
    timezone: campaign.timezone,
    maxConcurrentCalls: text(campaign.maxConcurrentCalls),
    maxCallsPerSecond: "",
    maxRetries: text(campaign.maxRetries),
    retryIntervalMins: text(campaign.retryIntervalMins),
    retryOn: campaign.retryOn,
    retryPlan: planDraftOf(campaign.retryPlan),
    startAt: campaign.startAt === null ? "" : localOf(campaign.startAt),
  };
}

/**
 * The fields of the API. null: back to what holds without; absent: nothing to say. Text that is not a number
 * is sent as it is, so that the service reports it.
 */
export function callingSettings(draft: CallingDraft): Readonly<Record<string, unknown>> {
  const [startHour, startMinute] = partsOf(draft.callWindowStart);
  const [endHour, endMinute] = partsOf(draft.callWindowEnd);
  return {
    ...(draft.isAnyHour
      ? { callWindowStart: null, callWindowEnd: null }
      : {
          callWindowStart: startHour,
          callWindowStartMinute: startMinute,
          callWindowEnd: endHour,
          callWindowEndMinute: endMinute,
        }),
    callWindowDays: draft.callWindowDays.length === EVERY_DAY.length ? null : draft.callWindowDays,
    callWindowExcludedDates: datesOf(draft),
    ...(draft.timezone.trim() === "" ? {} : { timezone: draft.timezone.trim() }),
    maxConcurrentCalls: numberOf(draft.maxConcurrentCalls),
    ...(draft.maxCallsPerSecond.trim() === ""
      ? {}
      : { maxCallsPerSecond: numberOf(draft.maxCallsPerSecond) }),
    maxRetries: numberOf(draft.maxRetries),
    retryIntervalMins: numberOf(draft.retryIntervalMins),
    retryOn: draft.retryOn,
    retryPlan: planOf(draft.retryPlan),
    startAt: instantOf(draft.startAt),
  };
}

/** Those that differ; an hour goes with its minute. */
export function changedSettings(before: CallingDraft, now: CallingDraft): CampaignChanges {
  const old = callingSettings(before);
  const changed = Object.entries(callingSettings(now)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value]));
}

export const datesOf = ({ callWindowExcludedDates }: HoursDraft): readonly string[] =>
  callWindowExcludedDates.split(/[\s,;]+/).filter((date) => date !== "");

/** No hours, no days and no dates: there is no opening to wait for. */
export function isAnyTime(draft: CallingDraft): boolean {
  return draft.isAnyHour && draft.callWindowDays.length === EVERY_DAY.length && datesOf(draft).length === 0;
}

/** What a browser can tell by itself; the others are the service's. */
export function faultOfHours(draft: HoursDraft): "no-day" | "same-hour" | null {
  if (draft.callWindowDays.length === 0) return "no-day";
  return !draft.isAnyHour && draft.callWindowStart === draft.callWindowEnd ? "same-hour" : null;
}

export const clockOf = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

/** Of `09:30`. null: it is empty. */
export function partsOf(clock: string): readonly [hour: number | null, minute: number] {
  const [hour = "", minute = "0"] = clock.split(":");
  return hour === "" ? [null, 0] : [Number(hour), Number(minute)];
}

function numberOf(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}

/** A local time of this browser as an instant. */
export function instantOf(local: string): string | null {
  if (local === "") return null;
  const millis = Date.parse(local);
  return Number.isNaN(millis) ? local : new Date(millis).toISOString();
}

/** An instant as `datetime-local` takes it. */
export function localOf(instant: string): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
