import type { ReadPosition } from "@eventstore/db-client";
import {
  EventStoreError,
  type Position,
  type ReadAllOptions,
  type ReadAllPage,
  START,
  type StoredEvent,
} from "../../../application/ports/event-store.ts";
import { matchesFilter } from "../event-filter.ts";
import type { Connection } from "./connection.ts";
import { drain } from "./drain.ts";
import { againAfter, ForeignPositionError, failureOf, unavailable } from "./failures.ts";
import { compareLogPositions, decodePosition, encodePosition } from "./positions.ts";
import { readBack } from "./read-back.ts";
import { type Attempt, retrying, unlessAborted } from "./retrying.ts";
import { isOurs, toStoredEvent } from "./stored-event.ts";

/**
 * The most events read for one page, so that a filter with few matches holds neither a caller nor the
 * server's read for long.
 */
const SCAN_LIMIT = 5_000;

type Scan = ReadAllOptions & { readonly scanLimit: number };

/**
 * A page of the whole log. The server's reads cannot filter (fact 13), and a filtered subscription would have
 * to stop at a moving head. So the page reads on, keeps matching events and returns how far it came.
 */
export function createReadAll(connection: Connection, origin: () => Promise<Position>) {
  return async (options: ReadAllOptions): Promise<ReadAllPage> => {
    if (options.backward === true) return readBack(connection, options);
    if (options.limit <= 0) return { events: [], next: options.after, atEnd: false };
    const signal =
      options.signal === undefined
        ? connection.closing
        : AbortSignal.any([options.signal, connection.closing]);
    const page = (after: Position): Promise<ReadAllPage> =>
      retrying(connection, signal, () =>
        attempt(connection, { ...options, after, signal, scanLimit: SCAN_LIMIT }),
      );
    const from = await unlessAborted(signal, beyondTheQuiet(connection, origin, options.after));
    try {
      return await page(from);
    } catch (error) {
      if (from === options.after || !(error instanceof ForeignPositionError)) throw error;
      connection.quiet.forget(); // the log was restored to an older state
      return page(options.after);
    }
  };
}

/** Where to read on after `position`, skipping ranges without events of ours. */
export async function beyondTheQuiet(
  { quiet }: Connection,
  origin: () => Promise<Position>,
  position: Position,
): Promise<Position> {
  return position === START ? origin() : quiet.beyond(position);
}

async function attempt(connection: Connection, options: Scan): Promise<Attempt<ReadAllPage>> {
  try {
    return { done: await scan(connection, options) };
  } catch (error) {
    if (error instanceof EventStoreError) throw error;
    const failure = failureOf(error);
    if (failure.kind === "unknown" && options.after !== START && (await isForeign(connection, options))) {
      throw new ForeignPositionError(options.after);
    }
    if (failure.kind === "final") throw unavailable(failure.cause);
    return againAfter(failure);
  }
}

/** If the server answers another read and then refuses this position again, the position is invalid. */
async function isForeign(connection: Connection, options: Scan): Promise<boolean> {
  const refusalOf = (after: Position): Promise<string> =>
    scan(connection, { ...options, after, limit: 1, scanLimit: 1 }).then(
      () => "none",
      (error: unknown) => failureOf(error).kind,
    );
  return (await refusalOf(START)) === "none" && (await refusalOf(options.after)) === "unknown";
}

async function scan(connection: Connection, options: Scan): Promise<ReadAllPage> {
  const { after, before, limit, filter, scanLimit } = options;
  const end = before === undefined ? undefined : decodePosition(before);
  let ended = false;
  const fromPosition = fromOf(after);
  const asked = decodePosition(after);
  const events: StoredEvent[] = [];
  let next = after;
  let scanned = 0;
  const read = connection.client.readAll({ fromPosition, maxCount: scanLimit, direction: "forwards" });
  const limits = {
    what: "read of the log",
    idleMillis: connection.attemptTimeoutMillis,
    signal: options.signal ?? connection.closing,
  };
  await drain(read, limits, ({ event }) => {
    scanned += 1;
    if (event?.position === undefined) return "go_on";
    const order = compareLogPositions(event.position, asked);
    if (order < 0) throw new ForeignPositionError(after);
    if (order === 0) return "go_on"; // a forward read begins with the event at the position itself
    if (end !== undefined && compareLogPositions(event.position, end) >= 0) {
      ended = true;
      return "stop";
    }
    next = encodePosition(event.position);
    if (isOurs(connection.prefix, event)) keep(toStoredEvent(connection.prefix, event));
    return events.length < limit ? "go_on" : "stop";
  });
  // beyond the end the server silently returns nothing (fact 11)
  if (asked !== undefined && scanned === 0) throw new ForeignPositionError(after);
  return { events, next, atEnd: ended || (events.length < limit && scanned < scanLimit) };

  function keep(event: StoredEvent): void {
    if (matchesFilter(event, filter)) events.push(event);
  }
}

/**
 * Rejects with ForeignPositionError for a position that is not in this log: it is between two events, or
 * beyond the end of a log that was restored to an older state.
 */
export async function verifyPosition(
  connection: Connection,
  position: Position,
  signal: AbortSignal,
): Promise<void> {
  if (position === START) return;
  await retrying(connection, signal, () =>
    attempt(connection, { after: position, limit: 1, signal, scanLimit: 1 }),
  );
}

export function fromOf(after: Position): ReadPosition {
  if (after === START) return "start";
  const position = decodePosition(after);
  if (position === undefined) throw new ForeignPositionError(after);
  return position;
}
