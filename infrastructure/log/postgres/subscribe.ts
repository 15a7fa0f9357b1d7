import {
  isEventStoreFailure,
  type Position,
  type ReadAllPage,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { systemClock } from "../../clock.ts";
import { placeOf, positionAt } from "./positions.ts";
import type { LogQuery } from "./query.ts";
import { readAll } from "./read.ts";
import type { RecentWrites } from "./recent-writes.ts";
import { toStoredEvents } from "./rows.ts";
import type { WakeUps } from "./wake-ups.ts";

const DEFAULT_BATCH = 500;
/** How long an append of another process can stay unseen when its notification is lost. */
const LOOK_AGAIN_MILLIS = 1_000;
const FIRST_PAUSE_MILLIS = 50;
const LONGEST_PAUSE_MILLIS = 2_000;

/**
 * After so many events at once the subscription waits a moment: under load, fewer and larger batches
 * cost everybody less.
 */
const BUSY_BATCH = 8;
const GATHER_MILLIS = 10;

export type SubscribeDeps = {
  readonly query: LogQuery;
  readonly recent: RecentWrites;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
};

/**
 * Pages after a position, then new events when it is woken. While the consumer processes a page the next one
 * is read; at most two pages are in memory. While the database is unavailable it waits, and continues after
 * the last position that it yielded.
 */
export async function* subscribe(
  { query, recent, wakeUps, logger }: SubscribeDeps,
  options: SubscribeOptions,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  const { filter, batchSize = DEFAULT_BATCH } = options;
  /** The count of foreign wake-ups when the database last had no more events. */
  let askedAt = -1;
  const look = async (after: Position): Promise<Look> => {
    const seen = wakeUps.count();
    const others = wakeUps.countOfOthers();
    const own = filter === undefined ? ownPage(recent, after, batchSize) : null;
    if (own !== null) return { page: own, seen };
    return readAll(query, { after, limit: batchSize, signal, ...(filter && { filter }) }).then(
      (page) => {
        if (page.atEnd) askedAt = others;
        return { page, seen };
      },
      (failure: unknown) => ({ failure }),
    );
  };
  placeOf(options.after);
  let position = options.after;
  let announced = false;
  let wait = FIRST_PAUSE_MILLIS;
  let next: Promise<Look> | undefined;
  while (!signal.aborted) {
    const looked: Look = await (next ?? look(position));
    next = undefined;
    if (signal.aborted) return;
    if ("failure" in looked) {
      if (!isEventStoreFailure(looked.failure, "unavailable")) throw looked.failure;
      const { cause } = looked.failure.failure;
      logger.warn({ position, cause, waitMillis: wait }, "the log cannot be read; waiting");
      await systemClock.sleep(wait, signal);
      wait = Math.min(wait * 2, LONGEST_PAUSE_MILLIS);
      continue;
    }
    wait = FIRST_PAUSE_MILLIS;
    const { page, seen } = looked;
    if (page.next === position && page.atEnd === announced) {
      await wakeUps.since(seen, LOOK_AGAIN_MILLIS, signal);
      continue;
    }
    position = page.next;
    announced = page.atEnd;
    if (!page.atEnd) next = look(position);
    yield { events: page.events, position, caughtUp: page.atEnd };
    if (page.atEnd && page.events.length >= BUSY_BATCH) await systemClock.sleep(GATHER_MILLIS, signal);
    // Nobody has written since, so the database has nothing new.
    if (page.atEnd && askedAt === wakeUps.countOfOthers())
      await wakeUps.since(seen, LOOK_AGAIN_MILLIS, signal);
  }
}

/** null: this process does not know what follows. */
function ownPage(recent: RecentWrites, after: Position, limit: number): ReadAllPage | null {
  const rows = recent.after(placeOf(after), limit);
  const last = rows?.at(-1);
  if (rows === null || last === undefined) return null;
  const next = Number(last[0]);
  return { events: toStoredEvents(rows), next: positionAt(next), atEnd: recent.after(next, 1) === null };
}

/** A failure is a value, because the result of reading ahead may never be used. */
type Look = { readonly page: ReadAllPage; readonly seen: number } | { readonly failure: unknown };
