import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { Explanation, Verdict } from "../../../contract/campaign-story.ts";
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
import { hoursNextOpening, hoursOpen, zonesConcerned } from "../../../domain/policy/callable-hours.ts";
import type { PolicyChanged } from "../../../domain/policy/events.ts";
import type { CallWindow } from "../../../domain/shared/call-window.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { isWindowOpen, nextOpening } from "../../../domain/window/call-window.ts";
import { shownHold } from "../../campaigns/holds.ts";
import type { ContactFacts, Fact } from "./contact-facts.ts";

/** The event by which the owner's policy was as it was. */
type PolicyFact = RecordedEvent<PolicyChanged>;

type Of<Name extends Verdict, Facts> = Facts & {
  readonly verdict: Name;
  readonly until: Instant | null;
  readonly because: readonly (Fact | PolicyFact)[];
};

type Hold = NonNullable<Explanation["hold"]>;

/** The policy's hours, which were closed where the contact may live. */
export type ClosedHours = { readonly policyVersion: number; readonly window: CallWindow };

/** What no event of the campaign tells of that moment. */
export type Standing = {
  readonly policy: PolicyFact | null;
  /** Of the calls that held contacts, those that had ended. */
  readonly ended: ReadonlySet<CallId>;
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
  | Of<"paused", { readonly pause: CampaignPaused["data"]; readonly hours: ClosedHours | null }>
  | Of<
      "held_by_policy",
      { readonly hold: Hold; readonly refusal?: string; readonly hours: ClosedHours | null }
    >
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
export function judgeContact(facts: ContactFacts, standing: Standing, at: Instant): Judgement | null {
  const { sealed, settings } = facts;
  if (sealed === null || settings === null) return null;
  return (
    judgeSkip(facts) ??
    judgeAttempts(facts) ??
    judgeCampaign(facts, standing, at) ??
    judgeRetry(facts, at) ??
    judgeHold(facts, standing, at) ??
    judgeHours(facts, standing, at) ??
    judgeTurn(facts, settings, at)
  );
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

function judgeCampaign(facts: ContactFacts, { policy }: Standing, at: Instant): Judgement | null {
  const { status, settings, settled, paused } = facts;
  if (status === "PENDING" && settled !== null) {
    const startAt = settings?.startAt ?? null;
    return { verdict: "not_started", startAt, until: startAt, because: [settled] };
  }
  if (status !== "PAUSED" || paused === null) return null;
  const { data } = paused.event;
  const until = data.nextWindowOpensAt;
  const closed = data.reason === "outside_call_window" ? closedHours(facts, policy, at) : null;
  return closed === null || policy === null
    ? { verdict: "paused", pause: data, hours: null, until, because: [paused] }
    : { verdict: "paused", pause: data, hours: closed.hours, until, because: [paused, policy] };
}

/** The hours of the policy, if they were closed for the contact; `opensAt` null: they never open. */
function closedHours({ contact }: ContactFacts, policy: PolicyFact | null, at: Instant) {
  const window = policy?.event.data.policy.callableHours ?? null;
  if (policy === null || window === null || contact === null) return null;
  const zones = zonesConcerned(contact.phoneNumber, contact.timezone);
  if (zones === "zone_unknown" || hoursOpen(zones, window, at)) return null;
  const hours = { policyVersion: policy.event.data.version, window };
  return { hours, opensAt: hoursNextOpening(zones, window, at) };
}

type Waits = {
  readonly callback: ContactFacts["callback"];
  readonly retry: ContactFacts["failed"];
  readonly dueAt: Instant | null;
};

/** What the contact waits for, or waited for. */
function waitsOf({ contactStatus, callback: agreed, failed }: ContactFacts): Waits {
  const isWaiting = contactStatus === "waiting_retry";
  const callback = isWaiting ? agreed : null;
  const retry = isWaiting && callback === null ? failed : null;
  const dueAt = callback?.event.data.callbackAt ?? retry?.event.data.retryAt ?? null;
  return { callback, retry, dueAt };
}

function judgeRetry(facts: ContactFacts, at: Instant): Judgement | null {
  const { callback, retry, dueAt } = waitsOf(facts);
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
  return null;
}

function judgeHold({ held }: ContactFacts, { policy, ended }: Standing, at: Instant): Judgement | null {
  if (held === null) return null;
  const { data } = held.event;
  const moment = { at, policyVersion: policy?.event.data.version ?? 0 };
  const shown = shownHold({ ...data, since: data.at }, moment, (call) => ended.has(call));
  if (shown === null) return null;
  const { heldBy, value, limit, refusal } = data;
  const hold = { ...shown, heldBy, value, limit };
  const because = policy === null ? [held] : [held, policy];
  const said = refusal === undefined ? {} : { refusal };
  return { verdict: "held_by_policy", hold, ...said, hours: null, until: hold.until, because };
}

/** A campaign goes on while somebody may be called: those whose hours are closed then wait for them. */
function judgeHours(facts: ContactFacts, { policy }: Standing, at: Instant): Judgement | null {
  const closed = closedHours(facts, policy, at);
  if (closed === null || policy === null) return null;
  const { hours, opensAt: until } = closed;
  const unsaid = { since: null, heldBy: null, value: null, limit: null };
  const hold = { rule: "callableHours", until, policyVersion: policy.event.data.version, ...unsaid } as const;
  return { verdict: "held_by_policy", hold, hours, until, because: [policy] };
}

function judgeTurn(facts: ContactFacts, settings: CampaignSettings, at: Instant): Judgement | null {
  const { contact, settled, sealed, running } = facts;
  if (contact === null || sealed === null) return null;
  const { callback, retry, dueAt } = waitsOf(facts);
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
