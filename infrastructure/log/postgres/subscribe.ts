import {
  isEventStoreFailure,
  type Position,
  type ReadAllPage,
  START,
  type StoredEvent,
  type SubscribeOptions,
  type SubscriptionBatch,
} from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { systemClock } from "../../clock.ts";
import { createGathering } from "../gathering.ts";
import { placeOf, positionAt } from "./positions.ts";
import type { LogQuery } from "./query.ts";
import { readAll } from "./read.ts";
import type { Known, RecentReader, RecentWrites } from "./recent-writes.ts";
import type { WakeUps } from "./wake-ups.ts";

const DEFAULT_BATCH = 500;
/** How long an append of another process can stay unseen when its notification is lost. */
const LOOK_AGAIN_MILLIS = 1_000;
const FIRST_PAUSE_MILLIS = 50;
const LONGEST_PAUSE_MILLIS = 2_000;

export type SubscribeDeps = {
  readonly query: LogQuery;
  readonly recent: RecentWrites;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
};

/**
 * Pages after a position, then new events when it is woken. While the consumer processes a page the next one
 * is read; at most two pages are in memory. One that may be awaited gathers while the log is busy. While the
 * database is unavailable it waits, and continues after the last position that it yielded.
 */
export async function* subscribe(
  deps: SubscribeDeps,
  options: SubscribeOptions,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  placeOf(options.after);
  const reader = options.filter === undefined ? deps.recent.open() : null;
  try {
    yield* follow(deps, lookWith(deps, reader, options, signal), options, signal);
  } finally {
    reader?.close();
  }
}

async function* follow(
  { wakeUps, logger }: SubscribeDeps,
  look: LookBehind,
  { after, isAwaited }: SubscribeOptions,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  const gather = isAwaited && createGathering(isAwaited);
  let position = after;
  let announced = false;
  let isOverdue = false;
  let wait = FIRST_PAUSE_MILLIS;
  let next: Promise<Look> | undefined;
  while (!signal.aborted) {
    const looked: Look = await (next ?? look(position, isOverdue));
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
    const { page, seen }: Found = looked;
    if (page.next === position && page.atEnd === announced) {
      await wakeUps.since(seen, LOOK_AGAIN_MILLIS, signal);
      isOverdue = wakeUps.count() === seen;
      continue;
    }
    isOverdue = false;
    position = page.next;
    announced = page.atEnd;
    if (!page.atEnd) next = look(position, false);
    yield { events: page.events, position, caughtUp: page.atEnd };
    if (page.atEnd) await gather?.(page.events.length, signal);
  }
}

/** `isOverdue`: nobody has told of anything for a while, so that a notification may be lost. */
type LookBehind = (after: Position, isOverdue: boolean) => Promise<Look>;

/** `seen`: the wake-ups before. A failure is a value: what is read ahead may never be used. */
type Look = Found | { readonly failure: unknown };
type Found = { readonly page: ReadAllPage; readonly seen: number };

/**
 * What this process wrote itself comes from memory. The database is asked for what stands in front of that,
 * when others may have written, and now and then: not after each own write, because a read sees writes before
 * their writer hears of them, and a reader that is ahead of the memory would find nothing in it ever again.
 */
function lookWith(
  { query, wakeUps }: SubscribeDeps,
  reader: RecentReader | null,
  { filter, batchSize = DEFAULT_BATCH }: SubscribeOptions,
  signal: AbortSignal,
): LookBehind {
  const news = reader === null ? wakeUps.count : wakeUps.countOfOthers;
  /** The count of news when the database last had no more events; null: it has more. */
  let askedAt: number | null = null;
  return async (after, isOverdue) => {
    const seen = wakeUps.count();
    const now = news();
    const known: Known = reader?.behind(placeOf(after), batchSize) ?? { kind: "none" };
    if (reader !== null && known.kind === "own") return { page: pageOf(known.events, reader), seen };
    if (known.kind === "none" && askedAt === now && !isOverdue)
      return { page: { events: [], next: after, atEnd: true }, seen };
    const before = known.kind === "asked" ? known.before : null;
    const range = { after, limit: batchSize, signal, ...(before !== null && { before: positionAt(before) }) };
    try {
      const page = await readAll(query, { ...range, ...(filter && { filter }) });
      const atEnd = page.atEnd && before === null;
      askedAt = atEnd ? now : null;
      return { page: { ...page, atEnd }, seen };
    } catch (failure) {
      return { failure };
    }
  };
}

function pageOf(events: readonly StoredEvent[], reader: RecentReader): ReadAllPage {
  const next = events.at(-1)?.position ?? START;
  return { events, next, atEnd: reader.behind(placeOf(next), 1).kind === "none" };
}
