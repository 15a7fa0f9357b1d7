import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import { expect, it } from "vitest";
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  isEventStoreFailure,
  START,
  type StoredEvent,
} from "../../../application/ports/event-store.ts";
import { createPostgresEventStore } from "../../../infrastructure/log/postgres/event-store.ts";
import { startEmbeddedPostgres } from "../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../../../infrastructure/postgres/migrations/migrate.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { exampleEvents, freshStream, idsOf } from "../../contracts/event-store/example-events.ts";
import { followToPresent } from "../../contracts/event-store/following.ts";

/**
 * kill -9 of the server so many times; more of them:
 * `LOG_CRASHES=50 npx vitest run test/infrastructure/log/postgres-crashes.test.ts`.
 */
const CRASHES = Number(process.env["LOG_CRASHES"] ?? 3);
const WRITERS = 16;
/** Acknowledged appends between two crashes. */
const BETWEEN = 400;
const LIMIT_MILLIS = 120_000 + CRASHES * 60_000;

type Acknowledged = { readonly event: EventToAppend; readonly stream: string; readonly result: AppendResult };

it(
  "loses, doubles and misplaces nothing that it acknowledged when the server is killed under load",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "ringfold-log-crash-"));
    chmodSync(dataDir, 0o755); // as root the server runs as another user, who has to get in
    let server = await startEmbeddedPostgres({ dataDir });
    await migrateOnce(server.connection);
    const open = () => createPostgresEventStore(silentLogger, { connection: server.connection });
    const [one, other] = [open(), open()];
    const stop = new AbortController();
    const acknowledged: Acknowledged[] = [];
    const delivered: StoredEvent[] = [];
    const following = follow(one, delivered, stop.signal);
    const writing = Array.from({ length: WRITERS }, (_, n) =>
      writeOn(n % 2 === 0 ? one : other, acknowledged, stop.signal),
    );

    for (let crash = 1; crash <= CRASHES; crash += 1) {
      await eventually(`load before crash ${crash}`, () => acknowledged.length >= crash * BETWEEN, 60_000);
      process.kill(server.pid, "SIGKILL");
      await server.exited;
      server = await startEmbeddedPostgres({ dataDir });
    }
    await eventually(
      "load after the last crash",
      () => acknowledged.length >= (CRASHES + 1) * BETWEEN,
      60_000,
    );
    stop.abort();
    await Promise.all([...writing, following]);

    const all = await followToPresent(one);
    const byId = new Map(all.map((event) => [event.id, event]));
    const wrong = acknowledged.filter(({ event, stream, result }) => {
      const found = byId.get(event.id);
      return (
        found?.stream !== stream || found.revision !== result.revision || found.position !== result.position
      );
    });
    expect(wrong).toEqual([]);
    expect([all.length, byId.size]).toEqual([acknowledged.length, acknowledged.length]);
    expect(idsOf(delivered)).toEqual(idsOf(all.slice(0, delivered.length)));
    await Promise.all([one.close(), other.close()]);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  },
  LIMIT_MILLIS,
);

async function migrateOnce(connection: pg.ClientConfig): Promise<void> {
  const pool = new pg.Pool(connection);
  pool.on("error", () => undefined);
  await migrate(pool);
  await pool.end();
}

async function follow(store: EventStore, into: StoredEvent[], signal: AbortSignal) {
  for await (const { events } of store.subscribe({ after: START, signal })) into.push(...events);
}

/**
 * One stream after another, each event at its exact revision; an append whose outcome is unknown is
 * repeated with the same ids.
 */
async function writeOn(store: EventStore, acknowledged: Acknowledged[], signal: AbortSignal) {
  while (!signal.aborted) {
    const stream = freshStream();
    let expected: ExpectedRevision = "no_stream";
    for (const event of exampleEvents(10)) {
      const result = await appendUntilKnown(store, stream, expected, event);
      acknowledged.push({ event, stream, result });
      expected = result.revision;
    }
  }
}

async function appendUntilKnown(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  event: EventToAppend,
): Promise<AppendResult> {
  return eventually("an append to be answered", () =>
    store.append(stream, expected, [event]).catch((error: unknown) => {
      if (isEventStoreFailure(error, "unavailable")) return null;
      throw error;
    }),
  );
}
