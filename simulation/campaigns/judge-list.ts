import type { ContactId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { ObservedEvent, Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import { OWNER } from "./simulated-names.ts";

/** The list is read at most this long before the log says that the number is on it. */
const READ_BEFORE_MILLIS = 1_000;

/**
 * The do-not-call list in the end, and what followed from it: whoever asked never to be called again is on
 * it, and each of these calls says so once; whom the user listed, too; and nobody else, so that a number that
 * was taken off may be rung again.
 */
export function judgeList(shared: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  return [
    ...judgeOptOuts(scenario, observer),
    ...judgeEntries(shared, scenario, observer),
    ...judgeSuppressed(shared, scenario, observer),
  ];
}

function judgeOptOuts({ listens }: Scenario, { askedBook }: Observer): readonly string[] {
  const { asked, optedOut } = askedBook;
  const problems: string[] = [];
  for (const [callId, times] of optedOut) {
    if (times !== 1) problems.push(`${callId} says ${times} times that somebody opted out`);
    if (!asked.has(callId) || !listens) problems.push(`${callId}: nobody opted out`);
  }
  if (!listens) return problems;
  for (const callId of asked.keys())
    if (!optedOut.has(callId)) problems.push(`${callId} does not say that somebody opted out`);
  return problems;
}

/** A span in which a number may have been on the list. */
type Listed = { readonly phoneNumber: PhoneNumber; readonly from: number; readonly until: number };

function listedSpans({ listens }: Scenario, { askedBook, handBook }: Observer): readonly Listed[] {
  const { asked, revoked, numbers } = askedBook;
  const byHand = handBook.listings.map(({ phoneNumber, from, askedOff }) => {
    const until = askedOff === null ? Number.POSITIVE_INFINITY : handBook.offSince(phoneNumber, askedOff);
    return { phoneNumber, from, until };
  });
  const byCalls = [...asked].flatMap(([callId, from]) => {
    const phoneNumber = numbers.get(callId);
    const revokedAt = revoked.get(callId);
    if (phoneNumber === undefined || !listens) return [];
    const until =
      revokedAt === undefined ? Number.POSITIVE_INFINITY : handBook.offSince(phoneNumber, revokedAt);
    return [{ phoneNumber, from, until }];
  });
  return [...byHand, ...byCalls];
}

function judgeEntries({ directory }: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  const spans = listedSpans(scenario, observer);
  const wanted = new Set(
    spans.flatMap(({ phoneNumber, until }) => (until === Number.POSITIVE_INFINITY ? [phoneNumber] : [])),
  );
  const known = new Set([...observer.askedBook.numbers.values(), ...spans.map((span) => span.phoneNumber)]);
  return [...known].flatMap((number) => {
    const isListed = directory.isSuppressed(OWNER, number);
    if (isListed === wanted.has(number)) return [];
    return [isListed ? `${number} is on the list for no reason` : `${number} must be on the list and is not`];
  });
}

function judgeSuppressed(
  { simulatedLists }: Shared,
  scenario: Scenario,
  observer: Observer,
): readonly string[] {
  const { numbers } = observer.askedBook;
  const spans = [...listedSpans(scenario, observer), ...simulatedLists.spans];
  const contacts = new Map<ContactId, PhoneNumber>();
  const numberOf = ({ event }: ObservedEvent): PhoneNumber | undefined => {
    if (event.type === "ContactsImported")
      for (const { contactId, phoneNumber } of event.data.contacts) contacts.set(contactId, phoneNumber);
    if (event.type === "ContactSkipped" && event.data.reason === "suppressed")
      return contacts.get(event.data.contactId);
    if (event.type === "CallFailed" && event.data.endReason === "suppressed")
      return numbers.get(event.data.callId);
    return undefined;
  };
  return observer.events.flatMap((observed) => {
    const number = numberOf(observed);
    if (number === undefined) return [];
    const { seenAt, event } = observed;
    const wasListed = spans.some(
      ({ phoneNumber, from, until }) =>
        phoneNumber === number && from <= seenAt && seenAt - until <= READ_BEFORE_MILLIS,
    );
    return wasListed
      ? []
      : [`${event.type} at ${seenAt} says that ${number} was on the list, and it was not`];
  });
}
