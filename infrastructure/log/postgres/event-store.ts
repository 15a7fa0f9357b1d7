import { setMaxListeners } from "node:events";
import { type EventStore, START } from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { endPool } from "../../end-pool.ts";
import { checkAppend, checkIds } from "../append-guard.ts";
import { createAnnouncements } from "./announcements.ts";
import { openConnections, type PostgresLogOptions } from "./connection.ts";
import { createGroupWriter } from "./group-writer.ts";
import { comparePositions } from "./positions.ts";
import { createQuery } from "./query.ts";
import { readAll, readStream } from "./read.ts";
import { createRecentWrites } from "./recent-writes.ts";
import { createShortReads } from "./short-streams.ts";
import { subscribe } from "./subscribe.ts";
import { createWakeUps } from "./wake-ups.ts";

/**
 * The event log in PostgreSQL 17 and 18, schema `log` (migration 0001). Its own connections, opened when
 * needed. An append whose connection breaks is retried once, then rejects Unavailable.
 */
export function createPostgresEventStore(logger: Logger, options: PostgresLogOptions): EventStore {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one listener for each subscription
  const connections = openConnections(options);
  const query = createQuery(connections.readers, closing.signal);
  const readShort = createShortReads(query, connections.readers.options.max);
  const wakeUps = createWakeUps();
  const announcements = createAnnouncements(connections, wakeUps);
  const recent = createRecentWrites();
  const writer = createGroupWriter(connections, recent, () => {
    wakeUps.raise(false);
    announcements.announce();
  });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort();
    await writer.close(); // its last group is announced
    await announcements.close();
    await endPool(connections.readers);
  };
  return {
    append: (stream, expected, events) =>
      new Promise((resolve, reject) => {
        const json = checkAppend(stream, events);
        checkIds(events);
        writer.submit({ stream, expected, events, json, resolve, reject });
      }),
    read: (stream, read) => readStream(query, readShort, stream, read ?? {}),
    readAll: (page) => readAll(query, page),
    subscribe(subscription) {
      announcements.listen();
      const signal = AbortSignal.any([subscription.signal, closing.signal]);
      return subscribe({ query, recent, wakeUps, logger }, subscription, signal);
    },
    async head() {
      const rows = await query<[last: string | null]>("select max(position) from log.events", []);
      return rows[0]?.[0] ?? START;
    },
    comparePositions,
    async ping() {
      await query("select 1", []);
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
