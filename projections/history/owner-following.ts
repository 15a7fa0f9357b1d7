import { type Position, START } from "../../application/ports/event-store.ts";
import type { Feed } from "../../application/ports/feed.ts";
import type { OwnerEventsFilter } from "../../application/ports/queries/history-records.ts";
import type { Queries } from "../../application/ports/queries.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { withActorNames } from "./actor-names.ts";
import { historyRecord, streamOfId } from "./history-record.ts";
import { campaignOf } from "./owner-events.ts";
import { type OwnerHistoryDeps, ownerEvents } from "./owner-history.ts";
import { createSharedPages, type SharedPages } from "./shared-pages.ts";

export type OwnerFollowingDeps = OwnerHistoryDeps & { readonly feed: Feed };

const PAGE = 100;
/** The most events that a follower holds while its reader does not read. */
const PART = 25;
const NEWEST = 500;
const LOOK_AGAIN_MILLIS = 250;

/** Shared by the followers of one owner: its newest events, all after `since` and up to `position`. */
type Newest = {
  readonly events: Followed[];
  since: Position;
  position: Position;
  followers: number;
  readonly opened: Promise<void>;
  readonly bells: Set<() => void>;
  readonly stop: AbortController;
};

/** An event, and its campaign. */
type Followed = { readonly record: HistoryRecord; readonly campaign: string | null };

type Reader = {
  readonly deps: OwnerFollowingDeps;
  readonly pages: SharedPages;
  readonly newest: Newest;
  readonly owner: OwnerId;
  readonly filter: OwnerEventsFilter;
};
/** `page`: where the page of this place begins. */
type Place = { readonly position: Position; readonly page: Position };
type Part = { readonly rows: readonly HistoryRecord[]; readonly next: Place };

/**
 * An owner's events after a position, then live, for any number of followers at the cost of one: older events
 * come from shared pages of the log, the newest from one follower of the feed for each owner. A follower
 * keeps only its place, so a slow one reads the log again.
 */
export function createOwnerFollowing(deps: OwnerFollowingDeps): Queries["followOwnerEvents"] {
  const pages = createSharedPages({ kept: 32, readsAtOnce: 4 });
  const owners = new Map<OwnerId, Newest>();
  const leave = (owner: OwnerId, newest: Newest) => {
    newest.followers -= 1;
    if (newest.followers > 0) return;
    newest.stop.abort();
    owners.delete(owner);
    // From now on nobody reports erasures.
    if (owners.size === 0) pages.clear();
  };
  return async function* follow(owner, filter, { after, signal }) {
    const newest = owners.get(owner) ?? open(deps, pages, owner);
    owners.set(owner, newest);
    newest.followers += 1;
    try {
      await newest.opened;
      yield* readOn({ deps, pages, newest, owner, filter }, after, signal);
    } finally {
      leave(owner, newest);
    }
  };
}

async function* readOn(
  reader: Reader,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<readonly HistoryRecord[]> {
  const { comparePositions } = reader.deps.eventStore;
  let place = beginningAt(after);
  while (!signal.aborted) {
    const isNew = comparePositions(place.position, reader.newest.since) >= 0;
    const { rows, next } = isNew ? newestAfter(reader, place) : await olderAfter(reader, place);
    if (signal.aborted) return;
    if (rows.length > 0) yield rows;
    // The log has nothing at a place that was announced: an index is behind.
    else if (next.position === place.position)
      await woken(reader.newest, signal, isNew ? null : LOOK_AGAIN_MILLIS);
    place = next;
  }
}

/** A follower from elsewhere begins a page at its place. */
function beginningAt(position: Position): Place {
  return { position, page: position };
}

function open(deps: OwnerFollowingDeps, pages: SharedPages, owner: OwnerId): Newest {
  const opened = Promise.withResolvers<void>();
  const newest: Newest = {
    events: [],
    since: START,
    position: START,
    followers: 0,
    opened: opened.promise,
    bells: new Set(),
    stop: new AbortController(),
  };
  const begin = async () => {
    newest.since = newest.position = await deps.eventStore.head();
    void fill(deps, pages, owner, newest);
  };
  begin().then(opened.resolve, opened.reject);
  return newest;
}

/** Events in memory may have texts that were erased: they are read from the log again. */
function forgetWords(pages: SharedPages, newest: Newest): void {
  pages.clear();
  newest.since = newest.events.at(-1)?.record.position ?? newest.since;
  newest.events.length = 0;
}

/** The feed continues by itself after failures, until it is stopped. */
async function fill(
  deps: OwnerFollowingDeps,
  pages: SharedPages,
  owner: OwnerId,
  newest: Newest,
): Promise<void> {
  const { feed, codec } = deps;
  const { since: after, stop } = newest;
  for await (const batch of feed.follow({ after, signal: stop.signal, name: "owner-events" })) {
    const ours = batch.events.filter(({ metadata }) => metadata.owner === owner);
    const records = await withActorNames(
      deps,
      ours.map((recorded) => historyRecord({ ...recorded, ...codec.asJson(recorded.event) })),
    );
    const recordOf = new Map(ours.map((recorded, index) => [recorded, records[index]]));
    for (const recorded of batch.events) {
      if (recorded.event.type === "CallContentErased") forgetWords(pages, newest);
      const record = recordOf.get(recorded);
      if (record !== undefined) newest.events.push({ record, campaign: campaignOf(recorded) });
    }
    const tooMany = Math.max(0, newest.events.length - NEWEST);
    for (const { record } of newest.events.splice(0, tooMany)) newest.since = record.position;
    newest.position = batch.position;
    for (const bell of newest.bells) bell();
  }
}

/** Resolves when something arrived, when it is to stop, or after the time. */
function woken({ bells }: Newest, signal: AbortSignal, millis: number | null): Promise<void> {
  return new Promise((resolve) => {
    const bell = () => {
      bells.delete(bell);
      signal.removeEventListener("abort", bell);
      clearTimeout(timer);
      resolve();
    };
    const timer = millis === null ? undefined : setTimeout(bell, millis);
    bells.add(bell);
    signal.addEventListener("abort", bell);
  });
}

function newestAfter({ deps, newest, filter }: Reader, { position }: Place): Part {
  const { comparePositions } = deps.eventStore;
  const known = newest.events.findLastIndex(({ record }) => comparePositions(record.position, position) <= 0);
  const matches = matcher(filter);
  const rows: HistoryRecord[] = [];
  for (const followed of newest.events.slice(known + 1)) {
    if (matches(followed)) rows.push(followed.record);
    if (rows.length === PART) return { rows, next: beginningAt(followed.record.position) };
  }
  // A follower may begin beyond the end of the log.
  const isAhead = comparePositions(newest.position, position) <= 0;
  return { rows, next: beginningAt(isAhead ? position : newest.position) };
}

async function olderAfter({ deps, pages, owner, filter }: Reader, place: Place): Promise<Part> {
  const { comparePositions } = deps.eventStore;
  const page = await pages.get(JSON.stringify([owner, filter, place.page]), () =>
    ownerEvents(deps, owner, filter, { after: place.page, limit: PAGE }),
  );
  const first = page.rows.findIndex(({ position }) => comparePositions(position, place.position) > 0);
  const rows = first < 0 ? [] : page.rows.slice(first, first + PART);
  const last = rows.at(-1);
  if (last === undefined || first + PART >= page.rows.length) return { rows, next: beginningAt(page.next) };
  return { rows, next: { position: last.position, page: place.page } };
}

function matcher({ types, streamOf, campaignId }: OwnerEventsFilter): (followed: Followed) => boolean {
  const stream = streamOf === undefined ? null : streamOfId(streamOf);
  return ({ record, campaign }) =>
    (types?.includes(record.type) ?? true) &&
    (stream === null || stream === record.stream) &&
    (campaignId === undefined || campaignId === campaign);
}
