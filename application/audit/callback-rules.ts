import type {
  ContactCallbackScheduled,
  ContactDialed,
  ContactSkipped,
} from "../../domain/campaign/events.ts";
import { type Instant, instantFromMillis } from "../../domain/shared/instant.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import type { AuditedCall, AuditedContact, CallStep, Campaign, CampaignBook } from "./campaign-book.ts";
import type { LocalTimes } from "./local-time.ts";
import { isInside } from "./window-rules.ts";

/**
 * The rule of docs/api.md §5, Callbacks, implemented a second time: this file and callback-moment.ts share no
 * code. An opening is looked for minute by minute.
 */
const MINUTE_MILLIS = 60_000;
const LATEST_OPENING_MINUTES = 7 * 24 * 60;
const RETRIES_UNLESS_SAID = 3;

/** The latest agreement counts, and null takes it back. */
export function readAgreement(call: AuditedCall, { event }: CallStep): void {
  if (event.type === "CallCallbackAgreed") call.agreed = event.data.callbackAt === null ? null : event;
}

/** An attempt that ended otherwise than with a callback, although one was agreed on its call. */
export function judgeNoCallback(
  book: CampaignBook,
  call: AuditedCall,
  recorded: Campaign,
  times: LocalTimes,
  report: Report,
): void {
  const { agreed, contact } = call;
  const wished = agreed?.data.callbackAt ?? null;
  // Without an end the call could not be read, and nobody knew what was agreed.
  if (agreed === null || wished === null || call.end === null) return;
  const optedOut = "optedOut" in recorded.event.data && recorded.event.data.optedOut === true;
  if (optedOut || book.status === "CANCELLED" || contact.skip !== null) return;
  if ((call.request?.event.data.callback?.left ?? 0) <= 0) return;
  if (firstOpening(book, call, wished, times) === null) return;
  report("callback-as-agreed", `${contact.contactId} is not called at ${wished}, as agreed`, recorded);
}

/** Its attempt counts already. */
export function judgeCallback(
  book: CampaignBook,
  call: AuditedCall,
  recorded: AuditedEvent<ContactCallbackScheduled>,
  times: LocalTimes,
  report: Report,
): void {
  const { settings } = book;
  const { contact, agreed, request } = call;
  const { contactId, agreedAt, callbackAt, zone, maxAttempts } = recorded.event.data;
  const broken = (problem: string) => report("callback-as-agreed", `${contactId} ${problem}`, recorded);
  if (settings === null) return;
  const wished = agreed?.data.callbackAt ?? null;
  if (agreed === null || wished === null) {
    broken("agreed no callback");
    return;
  }
  if (agreedAt !== agreed.data.at) broken(`agreed at ${agreed.data.at}, not at ${agreedAt}`);
  if ((request?.event.data.callback?.left ?? 0) <= 0) broken("may agree no more callbacks");
  if (book.status === "CANCELLED" || contact.skip !== null) broken("is not to be called again");
  if (zone !== (contact.timezone ?? settings.timezone)) broken(`is not in ${zone}`);
  const due = firstOpening(book, call, wished, times);
  if (callbackAt !== due) broken(`is due ${callbackAt}, not ${due}`);
  const budget = 1 + (settings.maxRetries ?? RETRIES_UNLESS_SAID) + contact.notPlaced + contact.callbacks;
  if (maxAttempts !== budget) report("retry-within-budget", `maxAttempts is ${maxAttempts}`, recorded);
}

/** Statistics count who waits for a callback by what a dial and a skip say of it. */
export function judgeWaited(
  { standing, ended, contactId }: AuditedContact,
  recorded: AuditedEvent<ContactDialed | ContactSkipped>,
  report: Report,
): void {
  const waited = standing === "waiting" && ended?.event.type === "ContactCallbackScheduled";
  if (waited === (recorded.event.data.waitedForCallback ?? false)) return;
  const problem = waited ? "waited for a callback, which is not told" : "waited for no callback";
  report("callback-as-agreed", `${contactId} ${problem}`, recorded);
}

/** null: none within a week, so that nobody is called. */
function firstOpening(
  { settings }: CampaignBook,
  { contact }: AuditedCall,
  wished: Instant,
  times: LocalTimes,
): Instant | null {
  if (settings === null) return null;
  const zone = contact.timezone ?? settings.timezone;
  const isOpen = (at: Instant) => {
    const local = times(zone, at);
    return local !== null && isInside(settings.window, local.text);
  };
  if (isOpen(wished)) return wished;
  const wishedMillis = Date.parse(wished);
  const next = (Math.floor(wishedMillis / MINUTE_MILLIS) + 1) * MINUTE_MILLIS;
  for (let minute = 0; minute <= LATEST_OPENING_MINUTES; minute += 1) {
    const millis = next + minute * MINUTE_MILLIS;
    if (millis > wishedMillis + LATEST_OPENING_MINUTES * MINUTE_MILLIS) return null;
    if (isOpen(instantFromMillis(millis))) return instantFromMillis(millis);
  }
  return null;
}
