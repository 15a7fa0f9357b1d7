import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { HoldRule } from "../../domain/campaign/events.ts";
import type { AttemptsPerNumber, Policy } from "../../domain/policy/policy.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Observer } from "./observer.ts";

const DAY_MILLIS = 24 * 3_600_000;
/** Some zones of each country of the scenarios, the outermost among them, written down by hand. */
const ZONES: readonly (readonly [prefix: string, zones: readonly string[]])[] = [
  ["+90", ["Europe/Istanbul"]],
  ["+61", ["Australia/Perth", "Australia/Sydney", "Australia/Lord_Howe"]],
  ["+34", ["Europe/Madrid", "Atlantic/Canary"]],
  ["+1", ["America/New_York", "America/Los_Angeles", "America/Adak", "Pacific/Honolulu"]],
];

type Dial = {
  readonly phoneNumber: PhoneNumber;
  readonly zones: readonly string[];
  readonly isSingle: boolean;
  /** Of the version that it names; null: it names none. */
  readonly policy: Policy | null;
  readonly judgedAt: string;
  began: string | null;
  isLive: boolean;
  isUndialled: boolean;
};

type PolicyBook = {
  readonly problems: string[];
  readonly versions: Map<number, Policy>;
  readonly zones: Map<ContactId, string | null>;
  readonly dials: Map<CallId, Dial>;
  readonly holds: Map<string, { readonly rule: HoldRule; readonly ends: Set<string> }>;
};

/**
 * The owner's policy over both campaigns and the single calls, by a reading of its own: caps are counted
 * anew, hours looked up in zones written down here, and nobody is held more often than there are days or
 * calls.
 */
export function judgePolicies({ events }: Observer): readonly string[] {
  const book: PolicyBook = {
    problems: [],
    versions: new Map(),
    zones: new Map(),
    dials: new Map(),
    holds: new Map(),
  };
  for (const { event } of events) {
    if (event.type === "PolicyChanged") book.versions.set(event.data.version, event.data.policy);
    else if (event.type === "ContactsImported")
      for (const { contactId, timezone } of event.data.contacts) book.zones.set(contactId, timezone);
    else if (event.type === "ContactDialed") {
      const { callId, contactId, phoneNumber, evidence, at } = event.data;
      const own = book.zones.get(contactId) ?? null;
      note(book, callId, { phoneNumber, isSingle: false, own, ...judgedBy(evidence, at) });
    } else if (event.type === "CallRequested" && event.data.contactId === null) {
      const { callId, to, evidence, at } = event.data;
      note(book, callId, { phoneNumber: to, isSingle: true, own: null, ...judgedBy(evidence, at) });
    } else if (event.type === "CallDialingBegan") begin(book, event.data.callId, event.data.at);
    else if (isCallEnd(event)) {
      const dial = book.dials.get(event.data.callId);
      if (dial === undefined) continue;
      dial.isLive = false;
      dial.isUndialled = dial.began === null || event.data.endReason === "not_placed";
    } else if (event.type === "ContactHeld") hold(book, event.data);
  }
  judgeCaps(book);
  const days = new Set(events.map(({ stored }) => stored.created.slice(0, 10))).size + 1;
  for (const [whom, { rule, ends }] of book.holds) {
    // Without a version a campaign's own address holds, too.
    const most = rule === "oneCallAtATime" ? book.dials.size : days * (book.versions.size + 1);
    if (ends.size > most) book.problems.push(`${whom} is held ${ends.size} times in ${days} days`);
  }
  return book.problems;
}

type Evidence = { readonly policyVersion?: number; readonly judgedAt?: string };
type Noted = Pick<Dial, "phoneNumber" | "isSingle" | "judgedAt"> & {
  readonly own: string | null;
  readonly version: number | null;
};

function judgedBy(evidence: Evidence | undefined, at: string): Pick<Noted, "version" | "judgedAt"> {
  return { version: evidence?.policyVersion ?? null, judgedAt: evidence?.judgedAt ?? at };
}

function note(
  { dials, versions }: PolicyBook,
  callId: CallId,
  { phoneNumber, isSingle, own, version, judgedAt }: Noted,
): void {
  const zones = own === null ? (ZONES.find(([prefix]) => phoneNumber.startsWith(prefix))?.[1] ?? []) : [own];
  const policy = version === null ? null : (versions.get(version) ?? null);
  const isUndialled = false;
  dials.set(callId, {
    phoneNumber,
    zones,
    isSingle,
    policy,
    judgedAt,
    began: null,
    isLive: false,
    isUndialled,
  });
}

function begin({ dials, problems }: PolicyBook, callId: CallId, at: string): void {
  const dial = dials.get(callId);
  if (dial === undefined) return;
  const { policy, phoneNumber, isSingle, zones } = dial;
  for (const [other, { phoneNumber: number, isLive }] of dials)
    if (policy?.oneCallAtATime === true && isLive && number === phoneNumber)
      problems.push(`${callId} rings ${phoneNumber}, which is in ${other}`);
  dial.began = at;
  dial.isLive = true;
  if (policy === null || (isSingle && policy.exceptSingleCalls)) return;
  if (zones.length === 0 && (policy.callableHours !== null || policy.attemptsPerNumber !== null))
    problems.push(`${callId} rings ${phoneNumber}, whose zone nobody knows`);
  for (const zone of policy.callableHours === null ? [] : zones) {
    const { start, end } = policy.callableHours ?? { start: 0, end: 24 };
    const hour = Number(localText(zone, at).slice(11, 13));
    if (start < end ? hour < start || hour >= end : hour < start && hour >= end)
      problems.push(`${callId} rings ${phoneNumber} at ${hour} in ${zone}, between ${end} and ${start}`);
  }
}

function hold(
  { holds }: PolicyBook,
  {
    contactId,
    rule,
    until,
    heldBy,
    policyVersion,
  }: {
    readonly contactId: ContactId;
    readonly rule: HoldRule;
    readonly until: string | null;
    readonly heldBy: CallId | null;
    readonly policyVersion: number;
  },
): void {
  const key = `${contactId} by ${rule}`;
  const known = holds.get(key) ?? { rule, ends: new Set() };
  holds.set(key, known);
  known.ends.add(`${until} ${heldBy} ${rule === "oneCallAtATime" ? "" : policyVersion}`);
}

/** In the order in which they were judged: each must leave room for the next. */
function judgeCaps({ dials, problems }: PolicyBook): void {
  const rung = [...dials].filter(([, { began, isUndialled }]) => began !== null && !isUndialled);
  const ordered = rung.toSorted(([, a], [, b]) => (a.judgedAt < b.judgedAt ? -1 : 1));
  for (const [index, [callId, dial]] of ordered.entries()) {
    const { policy, isSingle, phoneNumber, zones, judgedAt } = dial;
    if (policy === null || (isSingle && policy.exceptSingleCalls)) continue;
    const before = ordered.slice(0, index).filter(([, other]) => other.phoneNumber === phoneNumber);
    for (const [period, cap] of Object.entries(policy.attemptsPerNumber ?? {}))
      for (const zone of zones) {
        const same = before.filter(
          ([, other]) => periodOf(period, zone, other.judgedAt) === periodOf(period, zone, judgedAt),
        );
        if (same.length >= cap)
          problems.push(`${callId} is dial ${same.length + 1} to ${phoneNumber} in a ${period}, of ${cap}`);
      }
  }
}

function periodOf(period: string | keyof AttemptsPerNumber, zone: string, at: string): string {
  const date = localText(zone, at).slice(0, 10);
  if (period === "day") return date;
  if (period === "month") return date.slice(0, 7);
  // Weeks since a Monday.
  return String(Math.floor((Date.parse(date) - Date.parse("2024-01-01")) / (7 * DAY_MILLIS)));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-09-01 13:00`. */
function localText(zone: string, at: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  formats.set(zone, format);
  return format.format(new Date(at));
}
