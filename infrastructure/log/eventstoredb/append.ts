import { type AppendResult as ClientResult, jsonEvent } from "@eventstore/db-client";
import {
  type AppendResult,
  EventStoreError,
  type EventToAppend,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type StreamName,
} from "../../../application/ports/event-store.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import { checkAppend, checkIds } from "../append-guard.ts";
import { createAppendLanes, type Urgency } from "./append-lanes.ts";
import type { Connection } from "./connection.ts";
import { againAfter, failureOf, unavailable } from "./failures.ts";
import { encodePosition } from "./positions.ts";
import { readOnce } from "./read.ts";
import { type Attempt, retrying } from "./retrying.ts";
import { answeredWithin } from "./waiting.ts";

type Request = {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
};

const DIAL: DomainEvent["type"] = "CallDialingBegan";

function urgencyOf({ stream, events }: Request): Urgency {
  if (stream.startsWith("campaign-")) return "campaign";
  return events.some(({ type }) => type === DIAL) ? "dial" : "other";
}

/** How much longer an attempt may take for each event: amid 64 others 500 events took a real node 5 s. */
const MILLIS_PER_EVENT = 20;

/**
 * An append on the classic path, repeated with the same ids while its outcome is unknown. A Conflict is
 * accepted only after the stream was read at the expected revision: the server also answers so to a repeat
 * whose original is still in flight (fact 4).
 */
export function createAppend(connection: Connection) {
  const lanes = createAppendLanes(connection.maxAppendsInFlight);
  return async (
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult> => {
    checkAppend(stream, events);
    checkIds(events);
    const request = { stream, expected, events };
    const urgency = urgencyOf(request);
    return retrying(connection, connection.closing, () =>
      lanes.run(urgency, () => attempt(connection, request)),
    );
  };
}

async function attempt(connection: Connection, request: Request): Promise<Attempt<AppendResult>> {
  try {
    const result = await send(connection, request);
    const revision = Number(result.nextExpectedRevision);
    if (result.position === undefined)
      return await foundAt(connection, request, revision - request.events.length + 1);
    return { done: { revision, position: encodePosition(result.position) } };
  } catch (error) {
    if (error instanceof EventStoreError) throw error;
    const failure = failureOf(error);
    switch (failure.kind) {
      case "conflict":
        return judgeConflict(connection, request, failure.actual);
      case "deleted":
        throw new EventStoreError({ kind: "deleted", stream: request.stream });
      case "too_large":
        throw tooLarge(request, failure.limit);
      case "final":
        throw unavailable(failure.cause);
      case "not_found":
      case "overrun":
      case "unknown":
      case "away":
      case "retry":
        return againAfter(failure);
    }
  }
}

function send(connection: Connection, { stream, expected, events }: Request): Promise<ClientResult> {
  const { client, credentials, closing, prefix } = connection;
  const limitMillis = connection.attemptTimeoutMillis + events.length * MILLIS_PER_EVENT;
  const work = client.appendToStream(
    prefix + stream,
    events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata })),
    {
      expectedRevision: expected === "no_stream" ? expected : BigInt(expected),
      credentials,
      requiresLeader: true,
      deadline: limitMillis,
    },
  );
  return answeredWithin("append", limitMillis, closing, work);
}

async function judgeConflict(
  connection: Connection,
  request: Request,
  actual: ExpectedRevision,
): Promise<Attempt<AppendResult>> {
  const { stream, expected } = request;
  if (actual === expected)
    return { again: "a conflict that names the expected revision: the original is in flight" };
  const first = expected === "no_stream" ? 0 : expected + 1;
  const conflict = new EventStoreError({ kind: "conflict", stream, expected, actual });
  const found = await foundAt(connection, request, first);
  if ("done" in found || found.again !== OTHERS_STAND_THERE) return found;
  throw conflict;
}

const OTHERS_STAND_THERE = "other events stand at the expected place";

/** Our own events at that revision, as the answer that their append would have had. */
async function foundAt(
  connection: Connection,
  request: Request,
  first: number,
): Promise<Attempt<AppendResult>> {
  try {
    const stored = await readOnce(connection, request.stream, { from: first, max: request.events.length });
    const last = stored.at(-1);
    const ours = request.events.every((event, index) => stored[index]?.id === event.id);
    return ours && last !== undefined
      ? { done: { revision: last.revision, position: last.position } }
      : { again: OTHERS_STAND_THERE };
  } catch (error) {
    const failure = failureOf(error);
    return {
      again: failure.kind === "not_found" ? OTHERS_STAND_THERE : `conflict not verified: ${failure.kind}`,
    };
  }
}

/** The port's limit is checked first; a server whose limit includes metadata may still refuse. */
function tooLarge({ events }: Request, limit: number): EventStoreError {
  const bytes = Buffer.byteLength(JSON.stringify(events), "utf8");
  return new EventStoreError({
    kind: "too_large",
    what: "append",
    bytes,
    limit: Math.min(limit, MAX_APPEND_BYTES),
  });
}
