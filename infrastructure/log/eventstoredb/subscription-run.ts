import type {
  EventFilter,
  Position,
  StoredEvent,
  SubscriptionBatch,
} from "../../../application/ports/event-store.ts";
import { matchesFilter } from "../event-filter.ts";
import type { Gathering } from "../gathering.ts";
import type { Connection } from "./connection.ts";
import { ForeignPositionError } from "./failures.ts";
import { comparePositions, encodePosition } from "./positions.ts";
import { isOurs, toStoredEvent } from "./stored-event.ts";
import { openSubscriptionSource, type SubscriptionSource } from "./subscription-source.ts";

export type SubscriptionRun = {
  readonly after: Position;
  readonly filter: EventFilter | undefined;
  readonly batchSize: number;
  readonly signal: AbortSignal;
  readonly gather: Gathering | undefined;
};

/**
 * One subscription until it breaks (it rejects) or the signal aborts. The server filters by our prefix.
 * Categories, types and owners are filtered here, so that every event of ours advances the position. While
 * the consumer processes a batch, and while it gathers, only the bounded buffer is filled.
 */
export async function* openSubscription(
  connection: Connection,
  run: SubscriptionRun,
): AsyncGenerator<SubscriptionBatch, void, undefined> {
  const source = openSubscriptionSource(connection, run);
  let position = run.after;
  let announced = false;
  try {
    while (!run.signal.aborted) {
      const batch = await takeBatch(source, connection.prefix, run, position);
      const live = source.live();
      if (batch.position !== position || live !== announced) {
        position = batch.position;
        announced = live;
        yield { events: batch.events, position, caughtUp: live };
        if (live) await run.gather?.(batch.events.length, run.signal);
      } else if (source.failure() !== undefined) {
        throw source.failure();
      } else {
        await source.changed();
      }
    }
  } finally {
    source.close();
  }
}

type Batch = { readonly events: StoredEvent[]; position: Position };

/**
 * Takes everything that is ready, and what further turns of the event loop bring: messages arrive one by one,
 * and each batch costs its consumer a commit.
 */
async function takeBatch(
  source: SubscriptionSource,
  prefix: string,
  run: SubscriptionRun,
  after: Position,
): Promise<Batch> {
  const batch: Batch = { events: [], position: after };
  let room = run.batchSize;
  for (let taken = -1; taken !== 0 && room > 0; room -= taken) {
    if (taken > 0) await new Promise((resolve) => setImmediate(resolve));
    taken = takeReady(source, prefix, run, batch, room);
  }
  const mark = source.passedMark();
  if (mark !== undefined && comparePositions(mark, batch.position) > 0) batch.position = mark;
  return batch;
}

/** Moves ready elements into the batch; returns how many there were. */
function takeReady(
  source: SubscriptionSource,
  prefix: string,
  run: SubscriptionRun,
  batch: Batch,
  room: number,
): number {
  for (let count = 0; count < room; count += 1) {
    const event = source.take()?.event;
    if (event === undefined) return count;
    if (event.position === undefined) continue;
    const at = encodePosition(event.position);
    // fact 11: before the requested position
    if (comparePositions(at, batch.position) <= 0) throw new ForeignPositionError(run.after);
    batch.position = at;
    if (!isOurs(prefix, event)) continue;
    const stored = toStoredEvent(prefix, event);
    if (matchesFilter(stored, run.filter)) batch.events.push(stored);
  }
  return room;
}
