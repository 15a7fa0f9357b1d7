import { SUPPRESSION_LIST_TYPES } from "../../../domain/event-kinds.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { recordedEvents } from "../../log/recorded-events.ts";
import { callStream, policyStream } from "../../log/stream-names.ts";
import type { EventCodec, RecordedEvent } from "../../ports/event-codec.ts";
import { type EventStore, START, type StoredEvent } from "../../ports/event-store.ts";
import { eventsOfTypes } from "../../restore/events-of-types.ts";

type LogDeps = { readonly eventStore: EventStore; readonly codec: EventCodec };

const PAGE = 1_000;
const READ_AT_ONCE = 16;

/**
 * The events of a campaign and its calls, with the versions of its owner's policy, the changes of its lists,
 * and every dial of its contacts' numbers by other campaigns and single calls. In log order. Without a
 * policy, and where nobody is skipped for a list: the events as they are. Rejects as the log does.
 */
export async function withPolicies(
  deps: LogDeps,
  owner: OwnerId,
  events: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> {
  const versions: RecordedEvent[] = [];
  for await (const version of recordedEvents(deps, policyStream(owner))) versions.push(version);
  if (versions.length === 0 && !events.some(namesList)) return events;
  for await (const stored of eventsOfTypes(deps.eventStore, [...SUPPRESSION_LIST_TYPES]))
    if (stored.metadata.owner === owner)
      for (const decoded of await deps.codec.decode([stored]))
        if (decoded.kind === "event") versions.push(decoded.recorded);
  const known = new Set(events.map(({ stream }) => stream));
  const elsewhere = await dialsElsewhere(deps, owner, numbersOf(events), known);
  const calls = [...elsewhere.keys()];
  const found = [...elsewhere.values()].flat();
  await Promise.all(
    Array.from({ length: READ_AT_ONCE }, async () => {
      for (let callId = calls.pop(); callId !== undefined; callId = calls.pop())
        for await (const recorded of recordedEvents(deps, callStream(callId))) found.push(recorded);
    }),
  );
  const compare = deps.eventStore.comparePositions;
  return [...events, ...versions, ...found].toSorted((a, b) => compare(a.position, b.position));
}

function namesList({ event }: RecordedEvent): boolean {
  return event.type === "ContactSkipped" && event.data.suppression?.list !== undefined;
}

function numbersOf(events: readonly RecordedEvent[]): ReadonlySet<PhoneNumber> {
  return new Set(
    events.flatMap(({ event }) => {
      if (event.type === "ContactsImported") return event.data.contacts.map(({ phoneNumber }) => phoneNumber);
      return event.type === "ContactDialed" ? [event.data.phoneNumber] : [];
    }),
  );
}

/** Calls of these numbers that are not of the streams known, with the dial if another campaign made it. */
async function dialsElsewhere(
  { eventStore, codec }: LogDeps,
  owner: string,
  numbers: ReadonlySet<PhoneNumber>,
  known: ReadonlySet<string>,
): Promise<ReadonlyMap<CallId, readonly RecordedEvent[]>> {
  const dials = new Map<CallId, readonly RecordedEvent[]>();
  const filter = { types: ["ContactDialed", "CallRequested"], owner };
  for (let after = START, atEnd = false; !atEnd; ) {
    const page = await eventStore.readAll({ after, limit: PAGE, filter });
    const isElsewhere = (stored: StoredEvent) =>
      !known.has(stored.stream) && !(stored.type === "CallRequested" && stored.metadata.campaignId);
    for (const decoded of await codec.decode(page.events.filter(isElsewhere))) {
      if (decoded.kind !== "event") continue;
      const { event } = decoded.recorded;
      if (event.type === "ContactDialed" && numbers.has(event.data.phoneNumber))
        dials.set(event.data.callId, [decoded.recorded]);
      else if (event.type === "CallRequested" && event.data.contactId === null && numbers.has(event.data.to))
        dials.set(event.data.callId, []);
    }
    ({ next: after, atEnd } = page);
  }
  return dials;
}
