import {
  type ReadAllOptions,
  type ReadAllPage,
  START,
  type StoredEvent,
} from "../../../application/ports/event-store.ts";
import { matchesFilter } from "../event-filter.ts";
import type { Connection } from "./connection.ts";
import { drain } from "./drain.ts";
import { againAfter, failureOf, unavailable } from "./failures.ts";
import { compareLogPositions, decodePosition, encodePosition } from "./positions.ts";
import { type Attempt, retrying } from "./retrying.ts";
import { isOurs, toStoredEvent } from "./stored-event.ts";

/** The most events read for one page. */
const SCAN_LIMIT = 5_000;

/** A page of the whole log, newest first: the counterpart of a forward page. */
export function readBack(connection: Connection, options: ReadAllOptions): Promise<ReadAllPage> {
  const signal =
    options.signal === undefined ? connection.closing : AbortSignal.any([options.signal, connection.closing]);
  return retrying(connection, signal, () => attempt(connection, options, signal));
}

async function attempt(
  connection: Connection,
  options: ReadAllOptions,
  signal: AbortSignal,
): Promise<Attempt<ReadAllPage>> {
  try {
    return { done: await scan(connection, options, signal) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === "final") throw unavailable(failure.cause);
    return againAfter(failure);
  }
}

async function scan(
  connection: Connection,
  { after, before, limit, filter }: ReadAllOptions,
  signal: AbortSignal,
): Promise<ReadAllPage> {
  const begin = before === undefined ? undefined : decodePosition(before);
  const floor = decodePosition(after);
  const events: StoredEvent[] = [];
  let next = before ?? START;
  let scanned = 0;
  let ended = before === START;
  const read = connection.client.readAll({
    direction: "backwards",
    fromPosition: begin ?? "end",
    maxCount: SCAN_LIMIT,
  });
  const limits = { what: "read of the log", idleMillis: connection.attemptTimeoutMillis, signal };
  await drain(read, limits, ({ event }) => {
    scanned += 1;
    if (event?.position === undefined) return "go_on";
    if (begin !== undefined && compareLogPositions(event.position, begin) >= 0) return "go_on";
    if (ended || (floor !== undefined && compareLogPositions(event.position, floor) <= 0)) {
      ended = true;
      return "stop";
    }
    next = encodePosition(event.position);
    if (isOurs(connection.prefix, event)) {
      const stored = toStoredEvent(connection.prefix, event);
      if (matchesFilter(stored, filter)) events.push(stored);
    }
    return events.length < limit ? "go_on" : "stop";
  });
  return { events, next, atEnd: ended || (events.length < limit && scanned < SCAN_LIMIT) };
}
