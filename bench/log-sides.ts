import { getPostgreSQLEventStore, type PostgresEventStore } from "@event-driven-io/emmett-postgresql";
import pg from "pg";
import type { EventStore, ExpectedRevision } from "../application/ports/event-store.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { createPostgresEventStore } from "../infrastructure/log/postgres/event-store.ts";
import { silentLogger } from "../simulation/memory/silent.ts";
import type { BenchDatabase } from "./bench-database.ts";
import { EXAMPLE_DATA, EXAMPLE_METADATA, EXAMPLE_TYPE, exampleEvents } from "./example-events.ts";

/** A store under test: each client appends to its own stream, always at the exact revision. */
export type LogSide = {
  readonly name: string;
  readonly pool: number;
  /** Drops the clients' streams: the next append of each begins a new one. */
  newStreams(): void;
  append(client: number, events: number): Promise<void>;
  /** Events in the database, counted there. */
  stored(): Promise<number>;
  close(): Promise<void>;
};

/** One connection for each of 32 writers; further ones wait in the pool. */
export const PEER_POOL = 32;

export async function ringfoldSide(
  database: BenchDatabase,
): Promise<LogSide & { readonly store: EventStore }> {
  const store = createPostgresEventStore(silentLogger, { connection: database.connection });
  const streams = clientStreams();
  return {
    name: "ringfold",
    pool: 1,
    store,
    newStreams: streams.clear,
    async append(client, events) {
      const { stream, last } = streams.of(client);
      const expected: ExpectedRevision = last === null ? "no_stream" : last;
      const { revision } = await store.append(stream, expected, exampleEvents(events));
      streams.moved(client, revision);
    },
    stored: () => database.count("log.events"),
    close: () => store.close(),
  };
}

export async function emmettSide(
  database: BenchDatabase,
): Promise<LogSide & { readonly store: PostgresEventStore }> {
  const pool = new pg.Pool({ ...database.connection, max: PEER_POOL });
  pool.on("error", () => undefined);
  const store = getPostgreSQLEventStore(database.url, { connectionOptions: { pool } });
  await store.schema.migrate();
  const streams = clientStreams();
  return {
    name: "emmett",
    pool: PEER_POOL,
    store,
    newStreams: streams.clear,
    async append(client, events) {
      const { stream, last } = streams.of(client);
      const messages = Array.from({ length: events }, () => ({
        type: EXAMPLE_TYPE,
        data: EXAMPLE_DATA,
        metadata: EXAMPLE_METADATA,
      }));
      const expectedStreamVersion = last === null ? "STREAM_DOES_NOT_EXIST" : BigInt(last);
      const { nextExpectedStreamVersion } = await store.appendToStream(stream, messages, {
        expectedStreamVersion,
      });
      streams.moved(client, Number(nextExpectedStreamVersion));
    },
    stored: () => database.count("emt_messages"),
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

/**
 * One INSERT of one row with its own commit: what `pg` and the disk allow without any guarantee
 * of order or revisions.
 */
export async function rawSide(database: BenchDatabase): Promise<LogSide> {
  const pool = new pg.Pool({ ...database.connection, max: PEER_POOL });
  pool.on("error", () => undefined);
  await createRawTable(database);
  const streams = clientStreams();
  const data = JSON.stringify(EXAMPLE_DATA);
  const metadata = JSON.stringify(EXAMPLE_METADATA);
  return {
    name: "raw INSERT",
    pool: PEER_POOL,
    newStreams: streams.clear,
    async append(client) {
      const { stream, last } = streams.of(client);
      const revision = last === null ? 0 : last + 1;
      await pool.query({
        name: "insert",
        text: "insert into raw_events (stream, revision, event_id, type, owner, data, metadata) values ($1, $2, $3, $4, $5, $6, $7)",
        values: [stream, revision, systemIds.uuid(), EXAMPLE_TYPE, EXAMPLE_METADATA.owner, data, metadata],
      });
      streams.moved(client, revision);
    },
    stored: () => database.count("raw_events"),
    close: () => pool.end(),
  };
}

/** The columns and indexes of the event log, with positions from a sequence. */
async function createRawTable({ pool }: BenchDatabase): Promise<void> {
  await pool.query(`create table if not exists raw_events (
    position bigint generated always as identity primary key, stream text not null, revision integer not null,
    event_id uuid not null, type text not null, owner text not null, data json not null, metadata json not null,
    created timestamptz not null default clock_timestamp(), unique (stream, revision), unique (stream, event_id))`);
  await pool.query("create index if not exists raw_owner on raw_events (owner, position)");
}

type ClientStreams = {
  of(client: number): { readonly stream: string; readonly last: number | null };
  moved(client: number, revision: number): void;
  clear(): void;
};

function clientStreams(): ClientStreams {
  const current = new Map<number, { readonly stream: string; readonly last: number | null }>();
  const of = (client: number) => {
    const known = current.get(client) ?? { stream: `call-${systemIds.next("call")}`, last: null };
    current.set(client, known);
    return known;
  };
  return {
    of,
    moved: (client, revision) => void current.set(client, { stream: of(client).stream, last: revision }),
    clear: () => current.clear(),
  };
}
