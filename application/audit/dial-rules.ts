import { assertNever } from "../../domain/shared/errors.ts";
import type { AuditRule, Report } from "./broken-rule.ts";
import { judgeWaited } from "./callback-rules.ts";
import type { AuditedContact, CampaignBook, Dial } from "./campaign-book.ts";
import type { LocalTimes } from "./local-time.ts";
import { isInside } from "./window-rules.ts";

/** Checks a dial against all earlier events, then against its own evidence. */
export function readDial(book: CampaignBook, dial: Dial, times: LocalTimes, report: Report): void {
  const { contactId, callId, phoneNumber } = dial.event.data;
  const contact = book.contacts.get(contactId);
  if (book.status !== "RUNNING")
    report(
      "dial-only-while-running",
      `A dial while ${book.status ?? "there is no campaign"}`,
      ...before(book.since, dial),
    );
  if (contact === undefined) {
    report("call-has-dial", `${contactId} is no contact`, dial);
    return;
  }
  if (contact.phoneNumber !== phoneNumber)
    report("call-has-dial", `${contactId} is dialled at another number`, dial);
  judgeAttempt(contact, dial, report);
  judgeWaited(contact, dial, report);
  judgeWindow(book, contact, dial, times, report);
  take(book, contact, dial, report);
  judgeEvidence(book, dial, times, report);
  if (book.calls.get(callId)?.dial !== dial)
    report("dial-once-per-attempt", `${callId} is the call of two dials`, dial);
}

function judgeAttempt(contact: AuditedContact, dial: Dial, report: Report): void {
  const { contactId, attempt, at } = dial.event.data;
  if (attempt !== contact.attempts + 1)
    report(
      "dial-once-per-attempt",
      `Attempt ${attempt} of ${contactId} is its dial ${contact.attempts + 1}`,
      ...before(contact.lastDial, dial),
    );
  if (contact.skip !== null)
    report("no-dial-after-skip", `${contactId} is dialled after it was skipped`, contact.skip, dial);
  const rule = ruleAgainst(contact.standing);
  if (rule !== null)
    report(
      rule,
      `${contactId} is dialled while ${contact.standing}`,
      ...before(contact.ended ?? contact.lastDial, dial),
    );
  if (contact.standing === "waiting" && contact.retryAt !== null && at < contact.retryAt)
    report("no-dial-before-due", `${contactId} is due at ${contact.retryAt}`, ...before(contact.ended, dial));
}

function ruleAgainst(standing: AuditedContact["standing"]): AuditRule | null {
  switch (standing) {
    case "to_call":
    case "waiting":
      return null;
    case "in_call":
      return "dial-once-per-attempt";
    case "succeeded":
    case "failed":
    case "skipped":
      return "no-dial-when-done";
    default:
      return assertNever(standing);
  }
}

function judgeWindow(
  { settings }: CampaignBook,
  { timezone }: AuditedContact,
  dial: Dial,
  times: LocalTimes,
  report: Report,
): void {
  if (settings === null) return;
  const zone = timezone ?? settings.timezone;
  const local = times(zone, dial.event.data.at);
  if (local === null) report("dial-in-window", `The zone ${zone} is not known`, dial);
  else if (!isInside(settings.window, local.text))
    report("dial-in-window", `It is ${local.text} in ${zone}`, dial);
}

/** From here on the contact is in a call. */
function take(book: CampaignBook, contact: AuditedContact, dial: Dial, report: Report): void {
  const { callId, phoneNumber } = dial.event.data;
  const other = book.liveNumbers.get(phoneNumber);
  if (other !== undefined)
    report("number-once-at-a-time", `${phoneNumber} is in a call already`, other.dial, dial);
  contact.standing = "in_call";
  contact.attempts += 1;
  contact.lastDial = dial;
  contact.ended = null;
  if (book.calls.has(callId)) return;
  const call = {
    dial,
    contact,
    line: book.line,
    request: null,
    began: null,
    rank: -1,
    furthest: null,
    end: null,
    outcome: null,
    agreed: null,
    conversation: null,
  };
  book.calls.set(callId, call);
  book.live.add(call);
  book.liveNumbers.set(phoneNumber, call);
}

function judgeEvidence(book: CampaignBook, dial: Dial, times: LocalTimes, report: Report): void {
  const { at, attempt, contactId, evidence } = dial.event.data;
  const { settings, live } = book;
  if (settings === null) return;
  const cap = Math.min(
    settings.maxConcurrentCalls ?? Number.POSITIVE_INFINITY,
    evidence.effectiveMaxConcurrentCalls,
  );
  if (live.size > cap) report("dial-under-cap", `Live call ${live.size} of ${cap}`, dial);
  const zone = book.contacts.get(contactId)?.timezone ?? settings.timezone;
  const local = times(zone, at);
  const facts: readonly (readonly [string, boolean])[] = [
    ["timezone", evidence.timezone === zone],
    [
      "localTime",
      local !== null &&
        evidence.localTime.slice(0, 19) === local.text &&
        namesInstant(evidence.localTime, at),
    ],
    ["utcOffsetMinutes", evidence.utcOffsetMinutes === local?.utcOffsetMinutes],
    ["window", JSON.stringify(evidence.window) === JSON.stringify(settings.window)],
    ["activeCalls", evidence.activeCalls === live.size],
    ["effectiveMaxConcurrentCalls", evidence.effectiveMaxConcurrentCalls === cap],
    ["availableCredits", evidence.availableCredits >= 0],
    ["attempt", evidence.attempt === attempt],
  ];
  for (const [name, isTrue] of facts)
    if (!isTrue) report("dial-evidence", `${name} of the evidence is not true`, dial);
}

function namesInstant(localTime: string, at: string): boolean {
  return Date.parse(localTime) === Date.parse(at);
}

function before<Event>(earlier: Event | null, event: Event): readonly Event[] {
  return earlier === null ? [event] : [earlier, event];
}
