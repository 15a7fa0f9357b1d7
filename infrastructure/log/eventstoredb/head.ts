import { type Position, START } from "../../../application/ports/event-store.ts";
import type { Connection } from "./connection.ts";
import { drain } from "./drain.ts";
import { againAfter, failureOf, unavailable } from "./failures.ts";
import { passOver } from "./pass-over.ts";
import { comparePositions, encodePosition } from "./positions.ts";
import { type Attempt, retrying } from "./retrying.ts";
import { isOurs } from "./stored-event.ts";

/** `head`: our last event up to and including `end`, the position of any event. */
type Seen = {
  readonly head: Position;
  readonly end: Position;
  /** The log ends before an earlier end: nothing that was seen before can be trusted. */
  readonly wentBack: boolean;
};

/** After so many foreign events read backwards, the server is asked to filter them. */
const FAR = 2_000;

/**
 * Our last event: read backwards from the end to it, or to the end of the last search. If that is far, a
 * filtered subscription reads forward from there at the same time, and the faster one wins.
 */
export function createHead(connection: Connection, origin: () => Promise<Position>) {
  let seen: Seen | null = null;
  return async (): Promise<Position> => {
    const before = seen ?? { head: START, end: await origin(), wentBack: false };
    const found = await retrying(connection, connection.closing, () => attemptHead(connection, before));
    if (found.wentBack) connection.quiet.forget();
    if (seen === null || found.wentBack || comparePositions(found.end, seen.end) > 0) seen = found;
    if (found.end !== found.head) connection.quiet.learn({ from: found.head, to: found.end });
    return found.head;
  };
}

async function attemptHead(connection: Connection, before: Seen): Promise<Attempt<Seen>> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, connection.closing]);
  const far = Promise.withResolvers<"far">();
  const backward = readBack(connection, before, signal, () => far.resolve("far"));
  const forward = Promise.race([far.promise, backward]).then((found) =>
    found === "far" ? passForward(connection, before, signal) : found,
  );
  try {
    return { done: await Promise.any([backward, forward]) };
  } catch {
    const failure = await backward.then(() => null, failureOf);
    if (failure?.kind === "final") throw unavailable(failure.cause);
    return failure === null ? { again: "head of the log" } : againAfter(failure);
  } finally {
    over.abort();
  }
}

async function readBack(
  connection: Connection,
  before: Seen,
  signal: AbortSignal,
  onFar: () => void,
): Promise<Seen> {
  const read = connection.client.readAll({
    direction: "backwards",
    fromPosition: "end",
    requiresLeader: true,
  });
  const limits = { what: "head of the log", idleMillis: connection.attemptTimeoutMillis, signal };
  let end: Position | null = null;
  let wentBack = false;
  let head = START;
  let count = 0;
  await drain(read, limits, ({ event }) => {
    if (event?.position === undefined) return "go_on";
    const at = encodePosition(event.position);
    const order = comparePositions(at, before.end);
    if (end === null) wentBack = order < 0;
    end ??= at;
    count += 1;
    if (count === FAR && !wentBack) onFar();
    const ours = isOurs(connection.prefix, event);
    if (ours) head = at;
    else if (order <= 0 && !wentBack) head = before.head;
    return ours || (order <= 0 && !wentBack) ? "stop" : "go_on";
  });
  return { head, end: end ?? START, wentBack };
}

/** Up to the present as the leader knows it; the server filters foreign events. */
async function passForward(connection: Connection, before: Seen, signal: AbortSignal): Promise<Seen> {
  let { head } = before;
  const run = { after: before.end, batchSize: 500, signal, requiresLeader: true };
  const { end } = await passOver(connection, run, (at) => {
    head = at;
    return "go_on";
  });
  return { head, end, wentBack: false };
}
