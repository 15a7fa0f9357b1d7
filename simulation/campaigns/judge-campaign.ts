import { campaignStream } from "../../application/log/stream-names.ts";
import { END_REASONS, type EndReason } from "../../domain/call/end-reason.ts";
import type {
  CampaignEvent,
  CampaignStarted,
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactDialed,
  ContactSucceeded,
} from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import {
  type CallbackBook,
  forgotten,
  newCallbackBook,
  noteCallback,
  wrongCallback,
  wrongTerms,
} from "./judge-callbacks.ts";
import { wrongTime } from "./judge-retry-plan.ts";
import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import { CAMPAIGN } from "./simulated-names.ts";

/** The most attempts that the carrier never had. */
const MOST_FREE_ATTEMPTS = 10;

type Contact = {
  readonly phoneNumber: PhoneNumber;
  readonly timezone: string | null;
  status: "pending" | "dialing" | "waiting" | "succeeded" | "failed" | "skipped";
  attempts: number;
  notPlaced: number;
  assistantErrors: number;
  /** Ends of its failed attempts. */
  readonly failures: EndReason[];
  /** Not called before. */
  retryAt: string | null;
  noRetry: boolean;
  /** Attempts that agreed a callback; with the first its number is held until the contact has ended. */
  callbacks: number;
  callbackIn: CallId | null;
};

type Book = {
  readonly problems: string[];
  readonly contacts: Map<ContactId, Contact>;
  readonly live: Map<CallId, ContactId>;
  /** When each call failed. */
  readonly ends: Map<CallId, string>;
  readonly callbacks: CallbackBook;
  status: "none" | "pending" | "running" | "paused" | "completed" | "cancelled";
  settings: CampaignSettings | null;
  importing: Contact[];
  importingIds: ContactId[];
};

/**
 * I4: checks the streams of campaigns with an implementation of its own: local time through Intl, budgets
 * and caps counted anew.
 */
export function judgeCampaigns(scenario: Scenario, observer: Observer): readonly string[] {
  return observer.campaignIds().flatMap((campaignId) => {
    const { contacts } = campaignId === CAMPAIGN ? scenario : (scenario.secondCampaign ?? scenario);
    const problems = judgeCampaign(campaignStream(campaignId), contacts.length, scenario, observer);
    return problems.map((problem) => `${campaignId}: ${problem}`);
  });
}

function judgeCampaign(
  stream: string,
  imported: number,
  scenario: Scenario,
  observer: Observer,
): readonly string[] {
  const book: Book = {
    problems: [],
    contacts: new Map(),
    live: new Map(),
    ends: new Map(),
    callbacks: newCallbackBook(),
    status: "none",
    settings: null,
    importing: [],
    importingIds: [],
  };
  for (const { stored, event } of observer.events) {
    if (event.type === "CallFailed") book.ends.set(event.data.callId, event.data.at);
    noteCallback(book.callbacks, event);
    if (stored.stream === stream) read(book, event as CampaignEvent, scenario);
  }
  if (book.status !== "completed" && book.status !== "cancelled")
    book.problems.push(`the campaign is ${book.status}`);
  for (const [contactId, { status }] of book.contacts) {
    if (status === "pending" || status === "waiting" || status === "dialing") {
      book.problems.push(`${contactId} is ${status} at the end`);
    }
  }
  if (book.contacts.size < imported) book.problems.push("contacts are missing");
  return [...book.problems, ...book.callbacks.problems];
}

function read(book: Book, event: CampaignEvent, scenario: Scenario): void {
  switch (event.type) {
    case "ContactsImported":
      for (const { contactId, phoneNumber, timezone } of event.data.contacts) {
        book.importingIds.push(contactId);
        book.importing.push({
          phoneNumber,
          timezone,
          status: "pending",
          attempts: 0,
          notPlaced: 0,
          assistantErrors: 0,
          failures: [],
          retryAt: null,
          noRetry: false,
          callbacks: 0,
          callbackIn: null,
        });
      }
      return;
    case "CampaignCreated":
      book.settings = event.data.settings;
      moveTo(book, "pending", ["none"]);
      seal(book);
      return;
    case "ContactsAdded":
      seal(book);
      return;
    case "ImportAbandoned":
      book.importing = [];
      book.importingIds = [];
      return;
    case "CampaignStarted":
      moveTo(book, "running", ["pending"]);
      judgeStart(book, event.data);
      return;
    case "CampaignPaused":
      moveTo(book, "paused", ["running", "paused"]);
      return;
    case "CampaignResumed":
      moveTo(book, "running", ["paused"]);
      return;
    case "CampaignSettingsChanged":
      if (book.settings !== null) book.settings = { ...book.settings, ...event.data.changes };
      return;
    case "ContactDialed":
      dial(book, event.data, scenario);
      return;
    case "ContactSucceeded":
      judgeForgotten(book, event.data);
      end(book, event.data, "succeeded", null, scenario);
      return;
    case "ContactCallbackScheduled":
      callAgain(book, event.data, scenario);
      return;
    case "ContactAttemptFailed":
      book.contacts.get(event.data.contactId)?.failures.push(event.data.endReason);
      judgePlan(book, event.data);
      judgeForgotten(book, event.data);
      end(book, event.data, event.data.retryAt === null ? "failed" : "waiting", event.data.retryAt, scenario);
      return;
    case "ContactSkipped": {
      const contact = book.contacts.get(event.data.contactId);
      if (contact === undefined) return;
      if (event.data.outcome === "no_retry") contact.noRetry = true;
      else contact.status = event.data.outcome;
      return;
    }
    case "CampaignCancelled":
      moveTo(book, "cancelled", ["pending", "running", "paused", "cancelled"]);
      for (const contact of book.contacts.values()) {
        if (contact.status === "pending") contact.status = "skipped";
        if (contact.status === "waiting") contact.status = "failed";
      }
      return;
    case "CampaignCompleted":
      if (book.live.size > 0) book.problems.push("completed with live calls");
      moveTo(book, "completed", ["running", "paused"]);
      return;
  }
}

function moveTo(book: Book, status: Book["status"], from: readonly Book["status"][]): void {
  if (!from.includes(book.status)) book.problems.push(`${book.status} became ${status}`);
  book.status = status;
}

/** An automatic start is not before its time. */
function judgeStart({ problems, settings }: Book, { by, at }: CampaignStarted["data"]): void {
  const startAt = settings?.startAt ?? null;
  if (by === "system" && (startAt === null || at < startAt))
    problems.push(`started at ${at}, not ${startAt}`);
}

function seal(book: Book): void {
  book.importing.forEach((contact, index) => {
    const contactId = book.importingIds[index];
    if (contactId !== undefined) book.contacts.set(contactId, contact);
  });
  book.importing = [];
  book.importingIds = [];
}

function dial(book: Book, data: ContactDialed["data"], scenario: Scenario): void {
  const { problems, settings } = book;
  const { contactId, callId, attempt, at } = data;
  const contact = book.contacts.get(contactId);
  if (contact === undefined || settings === null) {
    problems.push(`${contactId} is nobody`);
    return;
  }
  const who = `${contactId} attempt ${attempt}`;
  if (book.status !== "running") problems.push(`${who} was dialled while ${book.status}`);
  if (contact.status !== "pending" && contact.status !== "waiting")
    problems.push(`${who} was ${contact.status}`);
  if (contact.retryAt !== null && at < contact.retryAt) problems.push(`${who} was dialled before its time`);
  for (const other of book.live.values()) {
    if (book.contacts.get(other)?.phoneNumber === contact.phoneNumber)
      problems.push(`${who}: its number is in a call`);
  }
  if (contact.callbacks === 0 && isHeld(book, contact.phoneNumber))
    problems.push(`${who}: its number is held for a callback`);
  contact.attempts += 1;
  if (contact.attempts !== attempt) problems.push(`${who} is number ${contact.attempts}`);
  contact.status = "dialing";
  book.live.set(callId, contactId);
  const cap = Math.min(settings.maxConcurrentCalls ?? Number.POSITIVE_INFINITY, scenario.planConcurrentCalls);
  if (book.live.size > cap) problems.push(`${who} is live call ${book.live.size} of ${cap}`);
  const clock = localClock(contact.timezone ?? settings.timezone, at);
  if (!within(settings.window, clock)) problems.push(`${who} was dialled at ${clock}`);
}

/** Checks only the time of day; the audit checks days and dates. */
function within(window: CampaignSettings["window"], clock: string): boolean {
  if (window === null) return true;
  const [opens, closes] = [clockOf(window.start, window.startMinute), clockOf(window.end, window.endMinute)];
  const inside = (from: string, to: string) => clock >= from && clock < to;
  return opens < closes ? inside(opens, closes) : inside(opens, "24:00") || inside("00:00", closes);
}

function clockOf(hour: number, minute = 0): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

function end(
  book: Book,
  data: {
    readonly contactId: ContactId;
    readonly callId: CallId;
    readonly endReason: EndReason;
    readonly optedOut?: boolean;
  },
  status: Contact["status"],
  retryAt: string | null,
  scenario: Scenario,
): void {
  const contact = book.contacts.get(data.contactId);
  const who = `${data.contactId} in ${data.callId}`;
  if (contact === undefined || !book.live.delete(data.callId)) {
    book.problems.push(`${who} was not in a call`);
    return;
  }
  const terms = wrongTerms(scenario, book.callbacks, data.callId, contact);
  if (terms !== null) book.problems.push(`${who} ${terms}`);
  if (data.endReason === "not_placed") contact.notPlaced += 1;
  if (data.endReason === "assistant_error") contact.assistantErrors += 1;
  const completed = END_REASONS[data.endReason].status === "completed";
  if (completed !== (status === "succeeded"))
    book.problems.push(`${who} ended ${data.endReason} and is ${status}`);
  // Who asked never to be called again is not retried.
  if (data.optedOut === true && status === "waiting") book.problems.push(`${who} opted out and is retried`);
  if (status !== "succeeded" && data.optedOut !== true)
    judgeRetry(book, contact, who, data.endReason, status === "waiting");
  contact.status = status;
  contact.retryAt = retryAt;
}

/** Until the contact has ended nobody else with its number is called. */
function isHeld({ contacts }: Book, phoneNumber: PhoneNumber): boolean {
  return [...contacts.values()].some(
    (other) =>
      other.callbacks > 0 &&
      other.phoneNumber === phoneNumber &&
      (other.status === "waiting" || other.status === "dialing"),
  );
}

/** A callback is an outcome of its own, however the call ended, and uses none of the budget. */
function callAgain(book: Book, data: ContactCallbackScheduled["data"], scenario: Scenario): void {
  const { problems, contacts, live, settings, status } = book;
  const { contactId, callId, callbackAt, maxAttempts } = data;
  const contact = contacts.get(contactId);
  const who = `${contactId} in ${callId}`;
  if (contact === undefined || settings === null || !live.delete(callId)) {
    problems.push(`${who} was not in a call`);
    return;
  }
  if (contact.noRetry || status === "cancelled") problems.push(`${who} is not to be called again`);
  const wrong = wrongTerms(scenario, book.callbacks, callId, contact);
  const problem = wrong ?? wrongCallback(book.callbacks, data, contact, settings);
  if (problem !== null) problems.push(`${who} ${problem}`);
  contact.callbacks += 1;
  contact.callbackIn = callId;
  contact.status = "waiting";
  contact.retryAt = callbackAt;
  const most = 1 + (settings.maxRetries ?? 3) + contact.notPlaced + contact.callbacks;
  if (maxAttempts !== most) problems.push(`${who} may have ${maxAttempts} attempts, not ${most}`);
}

/** Neither cancelled, skipped nor opted out: then what was agreed is a callback. */
function judgeForgotten(
  { problems, settings, contacts, callbacks, status }: Book,
  { contactId, callId, optedOut }: ContactSucceeded["data"],
): void {
  const contact = contacts.get(contactId);
  if (contact === undefined || settings === null) return;
  if (optedOut === true || contact.noRetry || status === "cancelled") return;
  const problem = forgotten(callbacks, callId, contact, settings);
  if (problem !== null) problems.push(`${contactId} in ${callId} ${problem}`);
}

/** A retry is due when the plan of that moment says; one without a row follows the one interval. */
function judgePlan({ problems, settings, contacts, ends }: Book, data: ContactAttemptFailed["data"]): void {
  const { contactId, callId, retryAt } = data;
  const [contact, endedAt] = [contacts.get(contactId), ends.get(callId)];
  if (retryAt === null || settings === null || contact === undefined || endedAt === undefined) return;
  const timezone = contact.timezone ?? settings.timezone;
  const problem = wrongTime(settings, { ...contact, timezone }, { ...data, retryAt }, endedAt);
  if (problem !== null) problems.push(`${contactId} in ${callId} ${problem}`);
}

/**
 * Decided at the end of the attempt, by the settings of that moment; the promised retry is then kept
 * (docs/decisions/0003). Neither more nor fewer retries.
 */
function judgeRetry(
  { problems, settings, status }: Book,
  contact: Contact,
  who: string,
  endReason: EndReason,
  isRetried: boolean,
): void {
  const budget = 1 + (settings?.maxRetries ?? 3);
  const free = endReason === "not_placed";
  const isLeft = free
    ? contact.notPlaced <= MOST_FREE_ATTEMPTS
    : endReason === "assistant_error"
      ? contact.assistantErrors <= 1
      : contact.attempts - contact.notPlaced - contact.callbacks < budget;
  const isNamed = free || settings?.retryOn.includes(endReason) === true;
  const isAllowed = END_REASONS[endReason].retried && isNamed && !contact.noRetry && status !== "cancelled";
  if (isRetried && !isLeft) problems.push(`${who} is retried beyond the budget of ${budget}`);
  if (isRetried && !isAllowed) problems.push(`${who} is retried after ${endReason}, which it must not be`);
  if (!isRetried && isLeft && isAllowed) problems.push(`${who} has retries left after ${endReason}`);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `09:30`, the local time by Intl; the engine uses another way. */
function localClock(timezone: string, at: string): string {
  const known = formats.get(timezone);
  const format =
    known ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone: timezone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  if (known === undefined) formats.set(timezone, format);
  return format.format(new Date(at));
}
