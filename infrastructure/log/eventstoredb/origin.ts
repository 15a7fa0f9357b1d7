import { type Position, START } from "../../../application/ports/event-store.ts";
import type { Connection, KnownOrigin } from "./connection.ts";
import { drain } from "./drain.ts";
import { againAfter, failureOf, unavailable } from "./failures.ts";
import { passOver } from "./pass-over.ts";
import { comparePositions, decodePosition, encodePosition } from "./positions.ts";
import { fromOf } from "./read-all.ts";
import { type Attempt, retrying } from "./retrying.ts";

/**
 * A position before every event of ours, so that nobody has to read from the start of a log full of foreign
 * events. Found once by a filtered subscription, then stored; START if nothing better is known.
 */
export function createOrigin(connection: Connection): () => Promise<Position> {
  const { quiet } = connection;
  let searching: Promise<Position> | null = null;
  return async () => {
    if (!quiet.knowsFirst()) {
      searching ??= findOrigin(connection).finally(() => {
        searching = null;
      });
      quiet.learn({ from: START, to: await searching });
    }
    return quiet.beyond(START);
  };
}

async function findOrigin(connection: Connection): Promise<Position> {
  const { origin, prefix, closing } = connection;
  const remembered = await origin.load(prefix);
  const find = async (): Promise<KnownOrigin | null> => {
    if (remembered === null) return search(connection);
    const there = await eventAt(connection, remembered.position);
    return there?.eventId === remembered.eventId ? remembered : search(connection);
  };
  const found = await retrying(connection, closing, () => attempt(find));
  if (found === null) return START;
  if (found !== remembered) await origin.save(prefix, found);
  return found.position;
}

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { done: await work() };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === "final") throw unavailable(failure.cause);
    return againAfter(failure);
  }
}

/** null: our first event is the first of all, or only a few foreign events precede it. */
async function search(connection: Connection): Promise<KnownOrigin | null> {
  const run = { after: START, batchSize: 1, signal: connection.closing };
  const { end, stopped } = await passOver(connection, run, () => "stop");
  return stopped ? oneEvent(connection, end, "backwards") : eventAt(connection, end);
}

/**
 * The event at exactly this position; null: there is none, so the log was restored to an
 * older state or replaced.
 */
async function eventAt(connection: Connection, position: Position): Promise<KnownOrigin | null> {
  if (decodePosition(position) === undefined) return null;
  try {
    const found = await oneEvent(connection, position, "forwards");
    return found !== null && comparePositions(found.position, position) === 0 ? found : null;
  } catch (error) {
    if (failureOf(error).kind === "unknown") return null; // no event begins there
    throw error;
  }
}

/** Forward: the first event from the position on; backward: the last one before it; null: there is none. */
async function oneEvent(
  connection: Connection,
  from: Position,
  direction: "forwards" | "backwards",
): Promise<KnownOrigin | null> {
  const read = connection.client.readAll({ fromPosition: fromOf(from), direction, maxCount: 1 });
  const limits = { what: "origin", idleMillis: connection.attemptTimeoutMillis, signal: connection.closing };
  const found: KnownOrigin[] = [];
  await drain(read, limits, ({ event }) => {
    if (event?.position === undefined) return "go_on";
    found.push({ position: encodePosition(event.position), eventId: event.id });
    return "stop";
  });
  return found[0] ?? null;
}
