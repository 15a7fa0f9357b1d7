import {
  EventStoreError,
  type ReadOptions,
  type StoredEvent,
  type StreamName,
} from "../../../application/ports/event-store.ts";
import type { Connection } from "./connection.ts";
import { drain } from "./drain.ts";
import { againAfter, failureOf, unavailable } from "./failures.ts";
import { type Attempt, retrying } from "./retrying.ts";
import { isOurs, toStoredEvent } from "./stored-event.ts";

/** Reads one stream; a read that breaks off continues after its last event. */
export function createRead(connection: Connection) {
  return async (stream: StreamName, options: ReadOptions = {}): Promise<readonly StoredEvent[]> => {
    const signal =
      options.signal === undefined
        ? connection.closing
        : AbortSignal.any([options.signal, connection.closing]);
    const events: StoredEvent[] = [];
    return retrying(connection, signal, () => attempt(connection, stream, { ...options, signal }, events));
  };
}

async function attempt(
  connection: Connection,
  stream: StreamName,
  options: ReadOptions,
  events: StoredEvent[],
): Promise<Attempt<readonly StoredEvent[]>> {
  const rest = remaining(options, events);
  if (rest === undefined) return { done: events };
  try {
    await readInto(connection, stream, rest, events);
    return { done: events };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === "not_found" || failure.kind === "deleted")
      throw new EventStoreError({ kind: failure.kind, stream });
    if (failure.kind === "final") throw unavailable(failure.cause);
    return againAfter(failure);
  }
}

/** The range that is still to be read; undefined: nothing is left. */
function remaining(options: ReadOptions, events: readonly StoredEvent[]): ReadOptions | undefined {
  const max = options.max === undefined ? undefined : options.max - events.length;
  if (max !== undefined && max <= 0) return undefined;
  const last = events.at(-1);
  const from =
    last === undefined ? options.from : last.revision + (options.direction === "backward" ? -1 : 1);
  if (from !== undefined && from < 0) return undefined;
  return { ...options, ...(max === undefined ? {} : { max }), ...(from === undefined ? {} : { from }) };
}

/** A single attempt; rejects with the client's error. */
export async function readOnce(
  connection: Connection,
  stream: StreamName,
  options: ReadOptions,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  await readInto(connection, stream, options, events);
  return events;
}

async function readInto(
  connection: Connection,
  stream: StreamName,
  options: ReadOptions,
  events: StoredEvent[],
): Promise<void> {
  const backward = options.direction === "backward";
  const from = options.from === undefined ? (backward ? "end" : "start") : BigInt(options.from);
  const read = connection.client.readStream(connection.prefix + stream, {
    direction: backward ? "backwards" : "forwards",
    fromRevision: from,
    requiresLeader: true,
    ...(options.max === undefined ? {} : { maxCount: options.max }),
  });
  const limits = {
    what: "read",
    idleMillis: connection.attemptTimeoutMillis,
    signal: options.signal ?? connection.closing,
  };
  await drain(read, limits, ({ event }) => {
    if (event !== undefined && isOurs(connection.prefix, event))
      events.push(toStoredEvent(connection.prefix, event));
    return "go_on";
  });
}
