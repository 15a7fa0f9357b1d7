import { setMaxListeners } from "node:events";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { createAppend } from "./append.ts";
import { type Connection, type EventStoreDbOptions, openConnection } from "./connection.ts";
import { drain } from "./drain.ts";
import { failureOf, unavailable } from "./failures.ts";
import { createHead } from "./head.ts";
import { createOrigin } from "./origin.ts";
import { comparePositions } from "./positions.ts";
import { createRead } from "./read.ts";
import { createReadAll } from "./read-all.ts";
import { createSubscribe } from "./subscribe.ts";

/**
 * The event log in EventStoreDB 23.10 and 24.10, hardened against the facts of docs/log.md §3 about its
 * client and server. Connects with the first call; throws at once for a URL that it cannot use. Streams with
 * other prefixes and the server's own events are invisible.
 */
export function createEventStoreDbEventStore(logger: Logger, options: EventStoreDbOptions): EventStore {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one listener for each call in flight
  const connection = openConnection(options, closing.signal);
  const origin = createOrigin(connection);
  return {
    append: createAppend(connection),
    read: createRead(connection),
    readAll: createReadAll(connection, origin),
    subscribe: createSubscribe(logger, connection, origin),
    head: createHead(connection, origin),
    comparePositions,
    ping: () => ping(connection),
    async close() {
      closing.abort();
      await connection.client.dispose();
    },
  };
}

/** One read of the newest event, without a retry; rejects Unavailable. */
async function ping(connection: Connection): Promise<void> {
  const read = connection.client.readAll({ direction: "backwards", fromPosition: "end", maxCount: 1 });
  const limits = { what: "ping", idleMillis: connection.attemptTimeoutMillis, signal: connection.closing };
  try {
    await drain(read, limits, () => "go_on");
  } catch (error) {
    const failure = failureOf(error);
    throw unavailable("cause" in failure ? failure.cause : failure.kind);
  }
}
