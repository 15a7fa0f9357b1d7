import { isSuppressionListEvent, SUPPRESSION_LIST_TYPES } from "../../domain/event-kinds.ts";
import type { SuppressionListId } from "../../domain/shared/ids.ts";
import type { SuppressionListEvent } from "../../domain/suppression/events.ts";
import type { GivenUp } from "../given-up.ts";
import { type AppendDeps, appendSurely } from "../log/append-events.ts";
import type { Reaction } from "../log/reaction.ts";
import { suppressionListStream } from "../log/stream-names.ts";
import { type EventToAppend, isEventStoreFailure, type StoredEvent } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { ListChange, SuppressionLists } from "../ports/suppression-lists.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { createWakeSignal } from "../wake-signal.ts";

const AT_ONCE = 100;
const AFTER_FAILURE_MILLIS = 1_000;
/** Events of a list that are looked at for one that is there already; as a rule one page. */
const PAGE = 20;

export type ListEventsDeps = AppendDeps & {
  readonly lists: Pick<SuppressionLists, "unpublished" | "published" | "onChange">;
  readonly logger: Logger;
  readonly givenUp: GivenUp;
  readonly longestWaitMillis: number;
};

/**
 * Tells the log what changed in the settings of lists, until `stop` aborts; never rejects. What is to be told
 * is durable, with the id of its event: each process goes on with it, and two of them append it once.
 */
export async function runListEvents(deps: ListEventsDeps, stop: AbortSignal): Promise<void> {
  const { lists, logger, clock, longestWaitMillis } = deps;
  const signal = createWakeSignal(clock, stop);
  const unsubscribe = lists.onChange(signal.wake);
  const leftAside = new Set<number>();
  while (!stop.aborted) {
    let pause = longestWaitMillis;
    try {
      while ((await publish(deps, leftAside, stop)) === AT_ONCE);
    } catch (error) {
      logger.error({ error }, "changes of suppression lists are not in the log yet; tries again");
      pause = AFTER_FAILURE_MILLIS;
    }
    await signal.wait(pause);
  }
  unsubscribe();
}

/** In their order. Returns how many there were. */
async function publish(deps: ListEventsDeps, leftAside: Set<number>, stop: AbortSignal): Promise<number> {
  const known = await deps.lists.unpublished(leftAside.size + AT_ONCE);
  const changes = known.filter(({ sequence }) => !leftAside.has(sequence)).slice(0, AT_ONCE);
  for (const change of changes) {
    if (stop.aborted) return 0;
    try {
      await append(deps, change);
      await deps.lists.published(change);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      leftAside.add(change.sequence);
      deps.givenUp.add("list-events", { listId: change.event.data.listId }, error);
    }
  }
  return changes.length;
}

/** Once: an append with the same id at a later revision would not be noticed by every log. */
async function append(deps: ListEventsDeps, { eventId: id, actor, event }: ListChange): Promise<void> {
  const { owner, listId } = event.data;
  const stream = suppressionListStream(listId);
  const [encoded] = await deps.codec.encode([{ id, event }]);
  if (encoded === undefined) throw new Error(`${event.type} has no stored form`);
  const { type, data, schemaVersion } = encoded;
  const metadata = { owner, actor, correlationId: listId, causationId: null, schemaVersion };
  const events: readonly EventToAppend[] = [{ id, type, data, metadata }];
  for (;;) {
    const { revision, has } = await newestOf(deps, id, event);
    if (has) return;
    try {
      await appendSurely(deps, stream, revision, events);
      return;
    } catch (error) {
      // Another process was faster, with this event or with another one.
      if (!isEventStoreFailure(error, "conflict")) throw error;
    }
  }
}

/** The end of the list's stream, and whether the event is in it; older ones end the search. */
async function newestOf({ eventStore }: ListEventsDeps, id: string, { data }: SuppressionListEvent) {
  const [newest, ...others] = await readBack(eventStore, data.listId, null);
  if (newest === undefined) return { revision: "no_stream", has: false } as const;
  const { revision } = newest;
  for (let page: readonly StoredEvent[] = [newest, ...others]; ; ) {
    if (page.some((stored) => stored.id === id)) return { revision, has: true };
    const oldest = page.at(-1);
    if (oldest === undefined || oldest.revision === 0) return { revision, has: false };
    if (String(oldest.data["at"]) < data.at) return { revision, has: false };
    page = await readBack(eventStore, data.listId, oldest.revision - 1);
  }
}

async function readBack(
  eventStore: ListEventsDeps["eventStore"],
  listId: SuppressionListId,
  from: number | null,
): Promise<readonly StoredEvent[]> {
  const options = { ...(from === null ? {} : { from }), direction: "backward", max: PAGE } as const;
  try {
    return await eventStore.read(suppressionListStream(listId), options);
  } catch (error) {
    if (isEventStoreFailure(error, "not_found")) return [];
    throw error;
  }
}

/**
 * Holds the settings against the log, which is newer where an older database was restored; the same again
 * changes nothing.
 */
export function listReaction(lists: Pick<SuppressionLists, "follow">): Reaction {
  return {
    name: "suppression-lists",
    types: [...SUPPRESSION_LIST_TYPES],
    handle: async (events) => {
      for (const { event } of events) if (isSuppressionListEvent(event)) await lists.follow(event);
    },
  };
}
