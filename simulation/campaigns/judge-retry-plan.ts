import type { EndReason } from "../../domain/call/end-reason.ts";
import type { ContactAttemptFailed } from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";

const MINUTE_MILLIS = 60_000;
/** A later day is looked for minute by minute, so many of them. */
const MOST_MINUTES = 10 * 1_440;

type Failure = Pick<ContactAttemptFailed["data"], "endReason" | "planRow" | "retryIntervalMillis"> & {
  readonly retryAt: string;
};

export type PlannedContact = {
  readonly timezone: string;
  /** Ends of its failed attempts so far, this one included. */
  readonly failures: readonly EndReason[];
};

/**
 * Whether a retry is due when the plan of the campaign says so: by counting the ends so far, and by trying
 * each minute until one is in a window of a later day. null: it is.
 */
export function wrongTime(
  settings: CampaignSettings,
  contact: PlannedContact,
  failure: Failure,
  endedAt: string,
): string | null {
  const { endReason, retryAt, planRow, retryIntervalMillis } = failure;
  const plan = settings.retryPlan ?? [];
  const row = plan.find(({ endReasons }) => endReasons.some((each) => each === endReason));
  if (row === undefined) return planRow === undefined ? null : `says that row ${planRow} is for ${endReason}`;
  if (planRow !== plan.indexOf(row)) return `says row ${planRow} for ${endReason}`;
  const before = contact.failures.filter((each) => row.endReasons.includes(each)).length;
  const waits = [...row.afterMins, ...Array.from({ length: before }, () => row.afterMins.at(-1))];
  const wait = (waits[before - 1] ?? Number.NaN) * MINUTE_MILLIS;
  if (retryIntervalMillis !== wait) return `says ${retryIntervalMillis} ms for its failure ${before}`;
  const earliest = Date.parse(endedAt) + wait;
  const due = row.sameDay
    ? earliest
    : firstOfLaterDay(settings.window, contact.timezone, Date.parse(endedAt), earliest);
  return Date.parse(retryAt) === due ? null : `is due ${retryAt}, not ${new Date(due).toISOString()}`;
}

function firstOfLaterDay(window: CallWindow | null, timezone: string, ended: number, earliest: number) {
  if (window === null) return earliest;
  const today = clockAt(timezone, ended).slice(0, DATE);
  const next = Math.floor(earliest / MINUTE_MILLIS + 1) * MINUTE_MILLIS;
  for (let minute = -1; minute < MOST_MINUTES; minute += 1) {
    const millis = minute === -1 ? earliest : next + minute * MINUTE_MILLIS;
    const began = beganOn(window, clockAt(timezone, millis));
    if (began !== null && began > today) return millis;
  }
  return Number.NaN;
}

/** By the whole window: hours, days, dates. */
export function isOpenAt(window: CallWindow | null, timezone: string, millis: number): boolean {
  return window === null || beganOn(window, clockAt(timezone, millis)) !== null;
}

const DATE = "2026-09-01".length;

/** The date on which the window began that is open at a local `2026-09-01 09:30`; null: it is closed. */
function beganOn(window: CallWindow, local: string): string | null {
  const { start, end, startMinute = 0, endMinute = 0, days, excludedDates = [] } = window;
  const text = (hour: number, minute: number) =>
    `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  const [opens, closes] = [text(start, startMinute), text(end, endMinute)];
  const [date, clock] = [local.slice(0, DATE), local.slice(DATE + 1)];
  const isMorningAfter = closes <= opens && clock < closes;
  const isEvening = clock >= opens && (closes <= opens || clock < closes);
  if (!isMorningAfter && !isEvening) return null;
  const midnight = Date.parse(`${date}T00:00:00Z`) - (isMorningAfter ? 1_440 * MINUTE_MILLIS : 0);
  const began = new Date(midnight).toISOString().slice(0, DATE);
  const isClosed = excludedDates.includes(began) || excludedDates.includes(date);
  return isClosed || days?.includes(new Date(midnight).getUTCDay() || 7) === false ? null : began;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-09-01 09:30` */
export function clockAt(timeZone: string, millis: number): string {
  const known = formats.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" });
  if (known === undefined) formats.set(timeZone, format);
  return format.format(millis);
}
