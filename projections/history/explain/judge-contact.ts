import type { Verdict } from "../../../contract/campaign-story.ts";
import type {
  CampaignCancelled,
  CampaignPaused,
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactDialed,
  ContactSkipped,
  ContactSucceeded,
} from "../../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { isWindowOpen, nextOpening } from "../../../domain/window/call-window.ts";
import type { ContactFacts, Fact } from "./contact-facts.ts";

type Of<Name extends Verdict, Facts> = Facts & {
  readonly verdict: Name;
  readonly until: Instant | null;
  readonly because: readonly Fact[];
};

/**
 * A verdict with the facts for its sentence. A number that an import refused has no contact, so
 * `rejected` is not among them.
 */
export type Judgement =
  | Of<"suppressed" | "skipped", { readonly skip: ContactSkipped["data"] }>
  | Of<"cancelled", { readonly cancel: CampaignCancelled["data"] }>
  | Of<"reached", { readonly end: ContactSucceeded["data"] }>
  | Of<"in_call", { readonly dial: ContactDialed["data"] }>
  | Of<"failed_for_good" | "budget_used", { readonly end: ContactAttemptFailed["data"] }>
  | Of<"waiting_retry", { readonly end: ContactAttemptFailed["data"]; readonly planned: PlannedWait | null }>
  | Of<"waiting_retry", { readonly callback: ContactCallbackScheduled["data"] }>
  | Of<"not_started", { readonly startAt: Instant | null }>
  | Of<"paused", { readonly pause: CampaignPaused["data"] }>
  | Of<"outside_own_window", { readonly timezone: string; readonly window: CampaignSettings["window"] }>
  | Of<"due", { readonly since: Instant }>;

/** The call that put the number on the do-not-call list, or on which somebody asked for it. */
export function optOutCallOf(judgement: Judgement): CallId | null {
  if ("skip" in judgement) return judgement.skip.suppression?.callId ?? null;
  return "end" in judgement && judgement.end.optedOut === true ? judgement.end.callId : null;
}

/** What the retry plan said: its row, counted from 1, and the wait at least. */
export type PlannedWait = { readonly row: number; readonly millis: number; readonly sameDay: boolean };

/** null: the contact did not exist. The order of the checks is the order of the verdicts. */
export function judgeContact(facts: ContactFacts, at: Instant): Judgement | null {
  const { sealed, settings } = facts;
  if (sealed === null || settings === null) return null;
  return judgeSkip(facts) ?? judgeAttempts(facts) ?? judgeCampaign(facts) ?? judgeWait(facts, settings, at);
}

function judgeSkip({ skipped }: ContactFacts): Judgement | null {
  if (skipped === null) return null;
  const verdict = skipped.event.data.reason === "suppressed" ? "suppressed" : "skipped";
  return { verdict, skip: skipped.event.data, until: null, because: [skipped] };
}

function judgeAttempts(facts: ContactFacts): Judgement | null {
  const { cancelled, contactStatus, succeeded, dialed, failed, callback } = facts;
  const hasEnded = contactStatus === "skipped" || contactStatus === "failed";
  // An attempt that was in progress at the cancel, and failed: otherwise there might have been a retry.
  if (
    cancelled !== null &&
    hasEnded &&
    (failed === null || callback !== null || failed.event.data.retryAt !== null)
  )
    return { verdict: "cancelled", cancel: cancelled.event.data, until: null, because: [cancelled] };
  if (cancelled !== null && failed !== null && failed.revision > cancelled.revision && hasEnded)
    return { verdict: "cancelled", cancel: cancelled.event.data, until: null, because: [cancelled, failed] };
  if (contactStatus === "succeeded" && succeeded !== null)
    return { verdict: "reached", end: succeeded.event.data, until: null, because: [succeeded] };
  if (contactStatus === "dialing" && dialed !== null)
    return { verdict: "in_call", dial: dialed.event.data, until: null, because: [dialed] };
  if (contactStatus === "failed" && failed !== null) return judgeFailure(facts, failed);
  return null;
}

function judgeFailure({ failedBy }: ContactFacts, failed: Fact<ContactAttemptFailed>): Judgement {
  const { data } = failed.event;
  const isRetried = data.optedOut !== true && failedBy?.retryOn.includes(data.endReason) === true;
  const verdict = isRetried && data.attempt >= data.maxAttempts ? "budget_used" : "failed_for_good";
  return { verdict, end: data, until: null, because: [failed] };
}

function judgeCampaign({ status, settings, settled, paused }: ContactFacts): Judgement | null {
  if (status === "PENDING" && settled !== null) {
    const startAt = settings?.startAt ?? null;
    return { verdict: "not_started", startAt, until: startAt, because: [settled] };
  }
  if (status !== "PAUSED" || paused === null) return null;
  const { data } = paused.event;
  return { verdict: "paused", pause: data, until: data.nextWindowOpensAt, because: [paused] };
}

function judgeWait(facts: ContactFacts, settings: CampaignSettings, at: Instant): Judgement | null {
  const { contact, contactStatus, failed, settled, sealed, running } = facts;
  if (contact === null || sealed === null) return null;
  const isWaiting = contactStatus === "waiting_retry";
  const callback = isWaiting ? facts.callback : null;
  const retry = isWaiting && callback === null ? failed : null;
  const dueAt = callback?.event.data.callbackAt ?? retry?.event.data.retryAt ?? null;
  if (callback !== null && dueAt !== null && dueAt > at)
    return { verdict: "waiting_retry", callback: callback.event.data, until: dueAt, because: [callback] };
  if (retry !== null && dueAt !== null && dueAt > at)
    return {
      verdict: "waiting_retry",
      end: retry.event.data,
      planned: plannedWait(facts, retry),
      until: dueAt,
      because: [retry],
    };
  const timezone = contact.timezone ?? settings.timezone;
  if (settled !== null && !isWindowOpen(timezone, settings.window, at)) {
    const until = nextOpening(timezone, settings.window, at);
    return { verdict: "outside_own_window", timezone, window: settings.window, until, because: [settled] };
  }
  const began = [sealed, ...(running === null ? [] : [running])];
  const since = [...began.map(({ event }) => event.data.at), ...(dueAt === null ? [] : [dueAt])].reduce(
    (latest, each) => (each > latest ? each : latest),
  );
  return {
    verdict: "due",
    since,
    until: null,
    because: [...began, ...[retry, callback].filter((fact) => fact !== null)],
  };
}

/** null: the one interval of the campaign. The plan is that of the attempt, whatever was changed since. */
function plannedWait({ failedBy }: ContactFacts, { event }: Fact<ContactAttemptFailed>): PlannedWait | null {
  const { planRow, retryIntervalMillis: millis } = event.data;
  if (planRow === undefined || millis === undefined) return null;
  return { row: planRow + 1, millis, sameDay: failedBy?.retryPlan?.[planRow]?.sameDay ?? true };
}
