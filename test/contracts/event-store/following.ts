import {
  type EventStore,
  type ReadAllOptions,
  START,
  type StoredEvent,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../../../application/ports/event-store.ts";

export type FollowOptions = Partial<SubscribeOptions>;

type Followed = Pick<EventStore, "subscribe">;

/** The batches of a subscription until one after which `enough` holds; the subscription is ended then. */
export async function followUntil(
  store: Followed,
  enough: (events: readonly StoredEvent[], last: SubscriptionBatch) => boolean,
  options: FollowOptions = {},
): Promise<SubscriptionBatch[]> {
  const stop = new AbortController();
  const batches: SubscriptionBatch[] = [];
  const events: StoredEvent[] = [];
  try {
    const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
    for await (const batch of store.subscribe({ after: START, ...options, signal })) {
      batches.push(batch);
      events.push(...batch.events);
      if (enough(events, batch)) break;
    }
  } finally {
    stop.abort();
  }
  return batches;
}

/** The first `count` events of a subscription. */
export async function followEvents(
  store: Followed,
  count: number,
  options: FollowOptions = {},
): Promise<StoredEvent[]> {
  const batches = await followUntil(store, (events) => events.length >= count, options);
  return batches.flatMap(({ events }) => events);
}

/** The whole log, page by page: a page may be empty and not the last, where the events of others stand. */
export async function readWholeLog(
  store: Pick<EventStore, "readAll">,
  options: Partial<ReadAllOptions> = {},
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let page = { next: START, atEnd: false }; !page.atEnd; ) {
    const read = await store.readAll({ limit: 1_000, ...options, after: page.next });
    events.push(...read.events);
    page = read;
  }
  return events;
}

/** Everything up to the present. */
export async function followToPresent(store: Followed, options: FollowOptions = {}): Promise<StoredEvent[]> {
  const batches = await followUntil(store, (_, { caughtUp }) => caughtUp, options);
  return batches.flatMap(({ events }) => events);
}
