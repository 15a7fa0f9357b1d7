import { type Position, START } from "../../../application/ports/event-store.ts";
import type { Connection } from "./connection.ts";
import { drain } from "./drain.ts";
import { againAfter, failureOf, unavailable } from "./failures.ts";
import { encodePosition } from "./positions.ts";
import { type Attempt, retrying } from "./retrying.ts";
import { isOurs } from "./stored-event.ts";

/** Reads backward to the last event of ours. */
export function createHead(connection: Connection) {
  return (): Promise<Position> => retrying(connection, connection.closing, () => attemptHead(connection));
}

async function attemptHead(connection: Connection): Promise<Attempt<Position>> {
  let head = START;
  try {
    const read = connection.client.readAll({
      direction: "backwards",
      fromPosition: "end",
      requiresLeader: true,
    });
    const limits = {
      what: "head of the log",
      idleMs: connection.attemptTimeoutMs,
      signal: connection.closing,
    };
    await drain(read, limits, ({ event }) => {
      if (event?.position === undefined) return "go_on";
      if (!isOurs(connection.prefix, event)) return "go_on";
      head = encodePosition(event.position);
      return "stop";
    });
    return { done: head };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === "final") throw unavailable(failure.cause);
    return againAfter(failure);
  }
}
