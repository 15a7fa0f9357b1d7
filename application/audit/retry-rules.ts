import type { ContactAttemptFailed } from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import type { AuditedCall, CampaignBook } from "./campaign-book.ts";
import type { LocalTimes } from "./local-time.ts";
import { dueMillis, minutesOf, rowNaming } from "./plan-rules.ts";

/**
 * The rule of docs/api.md §5, Retry, implemented a second time: this file and retry-policy.ts share no code.
 */
const RETRIES_UNLESS_SAID = 3;
const MINUTES_UNLESS_SAID = 5;
const NEVER_PLACED_AT_MOST = 10;
const NEVER_PLACED_WAITS_MILLIS = 30_000;
const MINUTE_MILLIS = 60_000;
/** The longest simulated minute. */
const LONGEST_MINUTE_MILLIS = 3_600_000;

type Failed = ContactAttemptFailed["data"] & { readonly recorded: AuditedEvent };

/**
 * The promise of a retry is judged by the settings that were valid when it was made; later
 * changes do not affect it.
 */
export function judgeRetry(
  book: CampaignBook,
  call: AuditedCall,
  failed: Failed,
  times: LocalTimes,
  report: Report,
): void {
  const { settings } = book;
  if (settings === null) return;
  const { recorded, contactId, endReason, retryAt, maxAttempts, optedOut } = failed;
  const { contact } = call;
  const budget = 1 + (settings.maxRetries ?? RETRIES_UNLESS_SAID);
  const used = contact.attempts - contact.notPlaced - contact.callbacks;
  if (maxAttempts !== budget + contact.notPlaced + contact.callbacks)
    report("retry-within-budget", `maxAttempts is ${maxAttempts}`, recorded);
  if (retryAt === null) return;
  const neverPlaced = endReason === "not_placed";
  const once = endReason === "assistant_error";
  if (once && contact.assistantErrors > 1)
    report("retry-within-budget", `${contactId} is retried twice after assistant_error`, recorded);
  if (!neverPlaced && !once && used >= budget)
    report("retry-within-budget", `${contactId} has used ${used} of ${budget} attempts`, recorded);
  if (neverPlaced && contact.notPlaced > NEVER_PLACED_AT_MOST)
    report("retry-within-budget", `${contactId} was not placed ${contact.notPlaced} times`, recorded);
  if (!neverPlaced && !settings.retryOn.includes(endReason))
    report("retry-allowed", `${endReason} is not retried by this campaign`, recorded);
  if (book.status === "CANCELLED" || contact.skip !== null || optedOut === true)
    report("retry-allowed", `${contactId} is not to be called again`, recorded);
  judgeTime(settings, call, { ...failed, retryAt }, times, report);
}

/** By the row of the plan that names the end of the attempt, else by the one interval. */
function judgeTime(
  settings: CampaignSettings,
  { contact, end }: AuditedCall,
  failed: Failed & { readonly retryAt: Instant },
  times: LocalTimes,
  report: Report,
): void {
  const { recorded, contactId, endReason, retryAt, retryIntervalMillis, planRow } = failed;
  const named = rowNaming(settings, endReason);
  if (planRow !== named?.place)
    report("retry-by-plan", `${endReason} is of ${rowText(named?.place)}, not ${rowText(planRow)}`, recorded);
  const minutes =
    named === null ? (settings.retryIntervalMins ?? MINUTES_UNLESS_SAID) : minutesOf(named, contact.failures);
  if (named !== null && retryIntervalMillis === undefined)
    report("retry-by-plan", `${contactId} is due by the plan and does not tell the interval`, recorded);
  if (retryIntervalMillis !== undefined && !areMinutes(retryIntervalMillis, minutes))
    report("retry-after-interval", `${retryIntervalMillis} ms are no ${minutes} minutes`, recorded);
  if (end === null) return;
  const isFree = endReason === "not_placed";
  const wait = isFree ? NEVER_PLACED_WAITS_MILLIS : (retryIntervalMillis ?? minutes * MINUTE_MILLIS);
  const endMillis = Date.parse(end.event.data.at);
  if (Date.parse(retryAt) < endMillis + wait)
    report("retry-after-interval", `${contactId} is due ${retryAt}`, end, recorded);
  if (named === null) return;
  const timezone = contact.timezone ?? settings.timezone;
  const waiting = { timezone, window: settings.window, endMillis, earliestMillis: endMillis + wait };
  if (Date.parse(retryAt) !== dueMillis(named, waiting, times))
    report("retry-by-plan", `${contactId} is due ${retryAt}, which is not by row ${planRow}`, end, recorded);
}

function rowText(place: number | undefined): string {
  return place === undefined ? "no row" : `row ${place}`;
}

/** A stored interval is accepted if some allowed length of a minute makes it from the campaign's minutes. */
function areMinutes(millis: number, minutes: number): boolean {
  if (minutes === 0) return millis === 0;
  const minute = millis / minutes;
  return Number.isInteger(minute) && minute >= 1 && minute <= LONGEST_MINUTE_MILLIS;
}
