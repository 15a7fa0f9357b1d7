import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventStore } from "../../../../application/ports/event-store.ts";
import { type LogConnections, openConnections } from "../../../../infrastructure/log/postgres/connection.ts";
import { createPostgresEventStore } from "../../../../infrastructure/log/postgres/event-store.ts";
import { createQuery, type LogQuery } from "../../../../infrastructure/log/postgres/query.ts";
import { createShortReads } from "../../../../infrastructure/log/postgres/short-streams.ts";
import { silentLogger } from "../../../../simulation/memory/silent.ts";
import { exampleEvents } from "../../../contracts/event-store/example-events.ts";
import { migratedDatabase } from "../../../support/database.ts";
import type { TestDatabase } from "../../../support/postgres.ts";

const STREAMS = 100;

let database: TestDatabase;
let store: EventStore;
let connections: LogConnections;
let statements = 0;
let counted: LogQuery;

beforeAll(async () => {
  database = await migratedDatabase();
  const connection = { connectionString: database.connectionString };
  store = createPostgresEventStore(silentLogger, { connection });
  connections = openConnections({ connection, readers: 2 });
  const query = createQuery(connections.readers, new AbortController().signal);
  counted = (text, values, signal) => {
    statements += 1;
    return query(text, values, signal);
  };
  await Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      store.append(`call-${index}`, "no_stream", exampleEvents((index % 5) + 1)),
    ),
  );
});
afterAll(async () => {
  await connections.readers.end();
  await store.close();
  await database.drop();
});

it("reads a hundred calls that are asked for at the same moment by four statements, each as it is read alone", async () => {
  const readShort = createShortReads(counted, 2);
  const reads = Array.from({ length: STREAMS }, (_, index) => ({
    stream: `call-${index}`,
    from: index % 3,
    max: index % 7 === 0 ? 2 : null,
  }));
  const together = await Promise.all(reads.map(readShort));
  expect(statements).toBe(4);
  for (const [index, { stream, from, max }] of reads.entries()) {
    const alone = await store.read(stream, { from, ...(max !== null && { max }) });
    expect(together[index]).toEqual(alone);
    expect(alone).toHaveLength(Math.min(max ?? 5, Math.max(0, (index % 5) + 1 - from)));
  }
});

it("tells a stream that is not there from one that has nothing more, beside others", async () => {
  const readShort = createShortReads(counted, 2);
  const [missing, atItsEnd, found] = await Promise.all([
    readShort({ stream: "call-missing", from: 0, max: null }),
    readShort({ stream: "call-4", from: 5, max: null }),
    readShort({ stream: "call-4", from: 4, max: null }),
  ]);
  expect(missing).toBeNull();
  expect(atItsEnd).toEqual([]);
  expect(found?.map(({ revision }) => revision)).toEqual([4]);
});
