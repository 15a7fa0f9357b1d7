import {
  isCallEvent,
  isCampaignEvent,
  isPolicyEvent,
  isSquadEvent,
  isSuppressionListEvent,
} from "../../domain/event-kinds.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type AskedOutcomes, judgeAnalyses } from "./analysis-rules.ts";
import type { AuditedEvent, BrokenRule, Report } from "./broken-rule.ts";
import { readCallStep } from "./call-rules.ts";
import { type AuditedCall, type Campaign, type CampaignBook, createCampaignBook } from "./campaign-book.ts";
import { readDial } from "./dial-rules.ts";
import { readAbandoned, readChunk, readSeal } from "./import-rules.ts";
import { createLocalTimes, type LocalTimes } from "./local-time.ts";
import { judgeOptOuts } from "./opt-out-rules.ts";
import { readOutcome } from "./outcome-rules.ts";
import { judgePolicies } from "./policy/judge-policies.ts";
import {
  readCancelled,
  readCompleted,
  readDeleted,
  readHeld,
  readResumed,
  readSettings,
  readSkip,
  readStarted,
  readStatus,
} from "./status-rules.ts";

export type AuditOptions = {
  /** End of the history: calls that should have ended by then are reported. null: nothing counts as late. */
  readonly now: Instant | null;
  /** Pass it to audit many histories: Intl formats are slow to make. */
  readonly localTimes?: LocalTimes;
  /** Of the owner: the campaign's events with the opt-outs of all calls. Default: those of the campaign. */
  readonly withOptOuts?: Iterable<AuditedEvent>;
  /**
   * Of the owner: the campaign's events with the versions of its policy, and every dial of the campaign's
   * numbers with its beginning and end. Default: the campaign's events, to which nobody else's dials count.
   */
  readonly withPolicies?: Iterable<AuditedEvent>;
  /** What analyses were asked for. Of others it is not judged what follows from their values. */
  readonly outcomes?: AskedOutcomes;
};

/**
 * Checks the recorded history of one campaign and its calls, in log order, against the rules of docs/api.md
 * §4 and §5. Returns the broken rules with their events. Local time comes from Intl: no code is shared with
 * the part that decided the dials.
 */
export function verifyCampaign(
  history: Iterable<AuditedEvent>,
  options: AuditOptions,
): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  const report: Report = (rule, problem, ...because) => {
    broken.push({ rule, problem, events: because });
  };
  const times = options.localTimes ?? createLocalTimes();
  const events = [...history];
  const erased = events.flatMap(({ event }) =>
    event.type === "CallContentErased" ? [event.data.callId] : [],
  );
  const audit: Audit = { book: createCampaignBook(new Set(erased)), times, options, report };
  const revisions = new Map<string, number>();
  for (const recorded of events) {
    judgeRevision(revisions, recorded, report);
    readEvent(audit, recorded);
  }
  judgeOptOuts(options.withOptOuts ?? events, report);
  judgePolicies(options.withPolicies ?? events, campaignOf(events), times, report);
  judgeAnalyses(events, options.outcomes ?? new Map(), report);
  judgeEnd(audit.book, options.now, report);
  return broken;
}

function campaignOf(events: readonly AuditedEvent[]): CampaignId | null {
  for (const { event } of events) if (isCampaignEvent(event)) return event.data.campaignId;
  return null;
}

type Audit = {
  readonly book: CampaignBook;
  readonly times: LocalTimes;
  readonly options: AuditOptions;
  readonly report: Report;
};

function judgeRevision(revisions: Map<string, number>, recorded: AuditedEvent, report: Report): void {
  const { stream, revision } = recorded;
  const expected = (revisions.get(stream) ?? -1) + 1;
  if (revision !== expected)
    report("history-complete", `${stream} goes on at ${revision} instead of ${expected}`, recorded);
  revisions.set(stream, revision);
}

/** Nothing of a squad or a policy is judged, nor of contacts that are erased. */
function readEvent(audit: Audit, recorded: AuditedEvent): void {
  const { event } = recorded;
  if (isSquadEvent(event) || isPolicyEvent(event) || isSuppressionListEvent(event)) return;
  if (audit.book.erasedChunk !== null && (isCallEvent(event) || "contactId" in event.data)) return;
  if (isCallEvent(event)) readCallStep(audit.book, { ...recorded, event }, audit.times, audit.report);
  else readCampaignEvent(audit, { ...recorded, event });
}

function readCampaignEvent({ book, times, report }: Audit, recorded: Campaign): void {
  const { event } = recorded;
  if (book.deleted !== null)
    report("status-legal", `${event.type} comes after the campaign was deleted`, book.deleted, recorded);
  switch (event.type) {
    case "ContactsImported":
      readChunk(book, { ...recorded, event }, report);
      return;
    case "CampaignCreated":
      readStatus(book, recorded, "PENDING", report);
      book.settings = event.data.settings;
      book.line = event.data;
      readSeal(book, recorded, { ...event.data, contacts: event.data.totalContacts }, report);
      return;
    case "ContactsAdded":
      readSeal(book, recorded, { ...event.data, contacts: event.data.added }, report);
      return;
    case "ImportAbandoned":
      readAbandoned(book, recorded, event.data.importId, report);
      return;
    case "CampaignStarted":
      readStarted(book, { ...recorded, event }, report);
      return;
    case "CampaignPaused":
      readStatus(book, recorded, "PAUSED", report);
      return;
    case "CampaignResumed":
      readResumed(book, recorded, report);
      return;
    case "CampaignSettingsChanged":
      readSettings(book, { ...recorded, event }, report);
      return;
    case "ContactDialed":
      readDial(book, { ...recorded, event }, times, report);
      return;
    case "ContactSucceeded":
    case "ContactCallbackScheduled":
    case "ContactAttemptFailed":
      readOutcome(book, { ...recorded, event }, times, report);
      return;
    case "ContactSkipped":
      readSkip(book, { ...recorded, event }, report);
      return;
    case "ContactHeld":
      readHeld(book, { ...recorded, event }, report);
      return;
    case "CampaignCancelled":
      readCancelled(book, recorded, report);
      return;
    case "CampaignCompleted":
      readCompleted(book, recorded, report);
      return;
    case "CampaignDeleted":
      readDeleted(book, recorded, report);
      return;
    default:
      assertNever(event);
  }
}

/**
 * How long a call may last beyond ring time and maximum duration: ten minutes of look-ups, the grace of a
 * deadline, and a hang-up without confirmation.
 */
const BEYOND_ITS_LIMITS_MILLIS = 10 * 60_000 + 60_000;
/** Added for a restart and for recording the outcome. */
const SLACK_MILLIS = 5 * 60_000;

/** What can be checked only at the end of the history. `now` null: nothing counts as late. */
function judgeEnd(book: CampaignBook, now: Instant | null, report: Report): void {
  if (book.erasedChunk !== null && book.deleted === null)
    report("import-sealed", "Contacts are erased, and the campaign was not deleted", book.erasedChunk);
  for (const call of book.live) {
    if (now !== null && Date.parse(now) > latestEnd(call))
      report(
        "every-attempt-ends",
        `${call.dial.event.data.callId} ${call.end === null ? "never ended" : "has no outcome"}`,
        ...[call.dial, call.furthest].filter((event) => event !== null),
      );
  }
  const standings = [...book.contacts.values()].map(({ standing }) => standing);
  const inCalls = standings.filter((standing) => standing === "in_call").length;
  if (inCalls !== book.live.size)
    report("counts-add-up", `${inCalls} contacts are in ${book.live.size} calls`);
  if (book.status !== "CANCELLED" && book.status !== "COMPLETED") return;
  const left = standings.filter((standing) => standing === "to_call" || standing === "waiting").length;
  if (left > 0) report("counts-add-up", `${left} contacts are left when the campaign is over`);
}

function latestEnd({ dial, request }: AuditedCall): number {
  const { ringTimeoutSeconds = 0, maxDurationSeconds = 0 } = request?.event.data ?? {};
  const talk = (ringTimeoutSeconds + maxDurationSeconds) * 1_000;
  return Date.parse(dial.event.data.dialBy) + talk + BEYOND_ITS_LIMITS_MILLIS + SLACK_MILLIS;
}
