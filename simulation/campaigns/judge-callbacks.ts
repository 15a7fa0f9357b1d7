import type { CallCallbackAgreed, CallRequested } from "../../domain/call/events.ts";
import type { ContactCallbackScheduled } from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import { CALL_AGAIN, NOT_AFTER_ALL } from "./hears-callbacks.ts";
import { clockAt, isOpenAt } from "./judge-retry-plan.ts";
import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import { ASSISTANT } from "./simulated-names.ts";

const MINUTE_MILLIS = 60_000;
/** A later opening is no callback any more. */
const LATEST_MINUTES = 7 * 1_440;

/**
 * What was asked and agreed on calls, as the log tells it. No code is shared with what agrees or
 * schedules.
 */
export type CallbackBook = {
  readonly requests: Map<CallId, CallRequested["data"]>;
  /** What the customer said. */
  readonly words: Map<CallId, ReadonlySet<string>>;
  readonly agreed: Map<CallId, CallCallbackAgreed["data"]>;
  readonly problems: string[];
};

export function newCallbackBook(): CallbackBook {
  return { requests: new Map(), words: new Map(), agreed: new Map(), problems: [] };
}

export function noteCallback(book: CallbackBook, event: DomainEvent): void {
  if (event.type === "CallRequested") book.requests.set(event.data.callId, event.data);
  if (event.type === "CallMessageAdded" && event.data.message.role === "customer")
    book.words.set(
      event.data.callId,
      new Set([...(book.words.get(event.data.callId) ?? []), event.data.message.content ?? ""]),
    );
  if (event.type !== "CallCallbackAgreed") return;
  book.agreed.set(event.data.callId, event.data);
  const problem = wrongAgreement(book, event.data);
  if (problem !== null) book.problems.push(`${event.data.callId} ${problem}`);
}

/** null: it was asked for, and is promised only where a call follows, in the window and never too early. */
function wrongAgreement({ requests, words }: CallbackBook, agreed: CallCallbackAgreed["data"]) {
  const { callId, asked, callbackAt, zone } = agreed;
  const request = requests.get(callId);
  if (words.get(callId)?.has(asked === null ? NOT_AFTER_ALL : CALL_AGAIN) !== true)
    return `agrees ${asked}, and nobody asked for it`;
  if (asked === null || callbackAt === null)
    return request?.campaignId === null || asked === null ? null : "agrees a call without a time";
  const terms = request?.callback;
  if (terms === undefined || terms.left <= 0) return "agrees a call, and may not";
  const local = clockAt(terms.zone, Date.parse(callbackAt));
  if (zone !== terms.zone) return `agrees a call in ${zone}`;
  if (local < asked.replace("T", " ")) return `agrees ${local}, before ${asked}`;
  return isOpenAt(terms.window, terms.zone, Date.parse(callbackAt)) ? null : `agrees ${local}, out of hours`;
}

export type CalledContact = {
  readonly timezone: string | null;
  readonly callbacks: number;
  /** The call in which its last callback was agreed. */
  readonly callbackIn: CallId | null;
};

/** The terms of a call of the campaign, as of its dial. */
export function wrongTerms(
  { callbacks }: Scenario,
  { requests }: CallbackBook,
  callId: CallId,
  contact: CalledContact,
): string | null {
  const request = requests.get(callId);
  if (request === undefined) return null;
  const { callback, callbackOf, assistant } = request;
  const mayAgree = callbacks !== null && assistant.assistantId === ASSISTANT;
  const left = mayAgree ? Math.max(0, callbacks.maxPerContact - contact.callbacks) : undefined;
  if (callback?.left !== left) return `may agree ${callback?.left} callbacks, not ${left}`;
  if ((callbackOf ?? null) !== contact.callbackIn)
    return `is said to call as agreed in ${callbackOf}, not in ${contact.callbackIn}`;
  return null;
}

/** An attempt that ended without a callback. null: none was agreed, or none may follow. */
export function forgotten(
  { agreed, requests }: CallbackBook,
  callId: CallId,
  contact: CalledContact,
  settings: CampaignSettings,
): string | null {
  const wished = agreed.get(callId)?.callbackAt ?? null;
  if (wished === null || (requests.get(callId)?.callback?.left ?? 0) <= 0) return null;
  const zone = contact.timezone ?? settings.timezone;
  return firstOpening(settings, zone, wished) === null
    ? null
    : `agreed a call at ${wished}, and none follows`;
}

/** null: it follows from what was agreed last, by the settings of this moment. */
export function wrongCallback(
  { agreed, requests }: CallbackBook,
  data: ContactCallbackScheduled["data"],
  contact: CalledContact,
  settings: CampaignSettings,
): string | null {
  const { callId, callbackAt, agreedAt, zone } = data;
  const last = agreed.get(callId);
  if (last === undefined || last.callbackAt === null) return "is called again, and agreed nothing";
  if (agreedAt !== last.at) return `agreed at ${last.at}, not at ${agreedAt}`;
  if ((requests.get(callId)?.callback?.left ?? 0) <= 0) return "agreed more callbacks than it may";
  if (zone !== (contact.timezone ?? settings.timezone)) return `has its callback in ${zone}`;
  const due = firstOpening(settings, zone, last.callbackAt);
  return callbackAt === due ? null : `has its callback at ${callbackAt}, not ${due}`;
}

/** By trying each minute; null: none within a week. */
function firstOpening({ window }: CampaignSettings, zone: string, wished: string): string | null {
  const from = Date.parse(wished);
  for (let minute = 0; minute <= LATEST_MINUTES; minute += 1) {
    const millis = from + minute * MINUTE_MILLIS;
    if (isOpenAt(window, zone, millis)) return new Date(millis).toISOString();
  }
  return null;
}

/**
 * call.ended tells when the contact that agreed is called again. After the death of a process it may tell no
 * time, because that dial is over, or nothing at all (`maxAttempts` null): nobody had decided for too long.
 */
export function judgeToldCallbacks({ outbox }: Shared, { events }: Observer): readonly string[] {
  const due = new Map<CallId, string>();
  const agreedLast = new Map<ContactId, CallId>();
  const calledAgain = new Set<CallId>();
  for (const { event } of events) {
    if (event.type === "ContactCallbackScheduled") {
      due.set(event.data.callId, event.data.callbackAt);
      agreedLast.set(event.data.contactId, event.data.callId);
    }
    const before = event.type === "ContactDialed" ? agreedLast.get(event.data.contactId) : undefined;
    if (before !== undefined) calledAgain.add(before);
  }
  return [...outbox.deliveries.values()].flatMap(({ entry: { kind, callId, body } }) => {
    const callbackAt = callId === null || kind !== "call.ended" ? undefined : due.get(callId);
    if (callId === null || callbackAt === undefined) return [];
    const { nextAttemptAt, isFinalAttempt, maxAttempts: decided } = JSON.parse(body).data;
    if (decided === null) return [];
    const isOver = nextAttemptAt === null && calledAgain.has(callId);
    if ((nextAttemptAt === callbackAt || isOver) && isFinalAttempt === false) return [];
    return [`call.ended of ${callId} tells ${nextAttemptAt}, and its callback is due ${callbackAt}`];
  });
}
