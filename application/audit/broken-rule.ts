import type { DomainEvent } from "../../domain/events.ts";
import type { RecordedEvent } from "../ports/event-codec.ts";

/** An event as it is in the log. */
export type AuditedEvent<Event extends DomainEvent = DomainEvent> = Pick<
  RecordedEvent<Event>,
  "event" | "stream" | "revision" | "position"
>;

/**
 * What must be true of the recorded history of a campaign and its calls (docs/simulation.md, I1 to I5, as far
 * as the log can show it).
 */
export const AUDIT_RULES = {
  "history-complete": "the revisions of each stream are contiguous from 0",
  "import-sealed":
    "contacts count from their seal on, all of their import, at most 10,000, and are there until the campaign is deleted",
  "status-legal": "the campaign's status moves only as docs/api.md §5 says",
  "start-in-time": "a campaign that starts by itself has a time for it, and starts then at the earliest",
  "dial-only-while-running": "nobody is dialled before the start, after a pause, a cancel or the completion",
  "dial-in-window": "the local hour of every dial lies in the call window of its contact's zone",
  "dial-under-cap": "never more calls at once than the cap allows",
  "dial-evidence": "every dial stores the evidence that it was allowed, and the evidence is true",
  "dial-once-per-attempt": "a contact has one call at a time, and one call per attempt",
  "number-once-at-a-time": "a number is in one call of the campaign at a time",
  "no-dial-after-skip": "nobody is called again who was skipped, for a suppression or by request",
  "no-dial-when-done": "nobody is called again who succeeded, failed for good or was given up by a cancel",
  "no-dial-before-due": "no retry is dialled before its time",
  "retry-within-budget":
    "attempts stay within 1 + maxRetries; those the carrier never had come on top, ten at most, and those that agreed a callback",
  "retry-allowed":
    "only the reasons that the campaign names are retried, and nothing after a cancel or a skip",
  "retry-after-interval":
    "a retry is due at the interval after the end of the failed attempt at the earliest",
  "retry-by-plan": "a retry is due when the row of the plan says that names the end of its attempt",
  "callback-as-agreed":
    "a callback is due when it was agreed, at the first opening from then on, and each that was agreed is dialled, waits, or has ended for a reason",
  "call-has-dial": "every call of the campaign was recorded as a dial before, and is the call of that dial",
  "written-ahead": "nothing is heard of a call before its dial was written down, once, and before its dialBy",
  "dialled-as-requested":
    "a call is dialled through the connection that its request names, or at the phone line",
  "line-as-pinned":
    "a call is made from the number and by the assistant that its campaign had when it was dialled",
  "texts-as-pinned":
    "a call says what the campaign's texts and the contact's values make, or nobody is dialled with it",
  "call-only-forward": "a call only moves forward, ends once, and nothing is applied after its end",
  "sessions-in-order": "sessions of a call are numbered from 1, and only the latest speaks until it ends",
  "tool-once": "a tool call begins once, and ends at most once, after its beginning",
  "heard-was-said": "a message is cut once, and what was heard of it is its beginning",
  "handoff-speaks-on": "the assistant that a call was handed to speaks on, until the next handoff",
  "no-dial-after-opt-out":
    "nobody is dialled who asked this owner never to be called again, on whatever call, until it is revoked",
  "policy-dial-allowed":
    "the owner's policy allowed every dial: its caps over all campaigns and single calls, its hours in every zone where the number can be, one call at a time, a consent that counts, lists that are young enough, an answer of whoever is asked",
  "policy-evidence":
    "every dial is judged by the version of the policy that stood, its evidence names all rules of it, and is true",
  "policy-hold-legal":
    "a contact is held only while a rule refuses it, until the rule allows it, and not dialled by the same version before",
  "policy-skip-legal":
    "nobody is skipped for a zone that can be known, a consent that counts, an address that nobody asks, or a list that did not count",
  "policy-pause-legal":
    "the policy pauses a campaign only when one rule refuses all who are left, a list is too old, or an address is asked",
  "analysis-after-the-end":
    "an analysis is asked for after the end of its call, ten times at most, one after the other",
  "analysis-has-a-reason": "a call is analysed by itself only if somebody said something on it",
  "analysis-answered-once": "each analysis that was asked for has one answer, and none after the erasure",
  "evidence-was-said":
    "every value is proven by messages of the customer, or of tools that answered, and nothing else is",
  "success-follows": "an analysis answers what was asked, and its success follows from its values",
  "suppressed-not-dialled": "a call that ended as suppressed was never dialled",
  "outcome-matches-call": "an attempt's outcome is recorded once, after its call ended, with that call's end",
  "every-attempt-ends": "every attempt's call ends within its deadlines, and its outcome is recorded",
  "counts-add-up": "every contact is in one place, and nobody is left when the campaign is over",
} as const satisfies Record<string, string>;

export type AuditRule = keyof typeof AUDIT_RULES;

/** `events`: the events that break the rule together, in log order. */
export type BrokenRule = {
  readonly rule: AuditRule;
  readonly problem: string;
  readonly events: readonly AuditedEvent[];
};

export type Report = (rule: AuditRule, problem: string, ...events: readonly AuditedEvent[]) => void;
