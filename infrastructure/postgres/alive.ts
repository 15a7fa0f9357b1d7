import type pg from "pg";
import type { EventStore, Position } from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";

const WRITE_MILLIS = 5_000;
const RESTORED_AFTER_MILLIS = 60_000;
const PAGE = 1_000;

export type Heartbeat = { readonly stop: () => void };

/** Writes the database's time into it every 5 s, to tell a restored database from one that was stopped. */
export function writeHeartbeat(pool: pg.Pool, logger: Logger): Heartbeat {
  const write = (): void => {
    pool.query({ name: "alive", text: WRITE }).catch((error: unknown) => {
      logger.warn({ problem: String(error) }, "the sign of life was not written");
    });
  };
  write();
  const timer = setInterval(write, WRITE_MILLIS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** null: the service has never run with this database. */
export async function lastSignOfLife(pool: pg.Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ alive_at: Date }>("select alive_at from work.alive");
  const [row] = rows;
  return row === undefined ? null : instantFromMillis(row.alive_at.getTime());
}

/** The log has events that are newer than this database. */
export type RestoredDatabase = { readonly position: Position; readonly aliveAt: Instant };

/**
 * Looks for an event created more than 60 s after the last sign of life (docs/architecture.md §5): then
 * PostgreSQL was restored to an older state, and nobody is dialled until a start with
 * `ACCEPT_RESTORED=<position>`. `after`: the position of this database's reactions. Called at the start,
 * before the first sign of life; the same database gives the same position again. null: nothing was restored.
 */
export async function findRestored(
  pool: pg.Pool,
  eventStore: EventStore,
  after: Position,
): Promise<RestoredDatabase | null> {
  const aliveAt = await lastSignOfLife(pool);
  if (aliveAt === null) return null;
  const limit = millisOf(aliveAt) + RESTORED_AFTER_MILLIS;
  let from = after;
  for (;;) {
    const page = await eventStore.readAll({ after: from, limit: PAGE });
    const beyond = page.events.find(({ created }) => millisOf(created) > limit);
    if (beyond !== undefined) return { position: beyond.position, aliveAt };
    if (page.atEnd) return null;
    from = page.next;
  }
}

const WRITE = `
insert into work.alive (alive_at) values (clock_timestamp())
on conflict (id) do update set alive_at = greatest(excluded.alive_at, work.alive.alive_at)`;
