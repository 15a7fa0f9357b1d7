import { sql } from "kysely";
import type { Position } from "../../application/ports/event-store.ts";
import type { Poison, ReadDatabase, ReadTransaction } from "./projection.ts";

/** The last event that a read model processed, to detect a log that was restored to an older state. */
export type LastEvent = { readonly id: string; readonly stream: string; readonly revision: number };

export type ModelCheckpoint = {
  readonly position: Position;
  /** Rises when a rebuild replaces the tables: cached rows of the old ones are then invalid. */
  readonly generation: number;
  readonly lastEvent: LastEvent | null;
};

export type ParkedRow = {
  readonly model: string;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly problem: string;
};

/**
 * The schema `read` with its checkpoints. Everything in it can be rebuilt from the log; a
 * repeat changes nothing.
 */
export async function createReadSchema(db: ReadDatabase): Promise<void> {
  // Without the lock for which all read models of a start would wait, one after another.
  const { rows } = await sql<{ readonly there: boolean }>`select to_regclass('read.checkpoints') is not null
    and to_regclass('read.parked_events') is not null as there`.execute(db);
  if (rows[0]?.there === true) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('read.schema', 0))`.execute(trx);
    await sql`create schema if not exists read`.execute(trx);
    await sql`create table if not exists read.checkpoints (
      model text primary key,
      position text not null,
      generation integer not null,
      event_id text,
      event_stream text,
      event_revision integer,
      moved_at timestamptz not null default now()
    )`.execute(trx);
    await sql`create table if not exists read.parked_events (
      model text not null,
      position text not null,
      stream text not null,
      revision integer not null,
      type text not null,
      problem text not null,
      parked_at timestamptz not null default now(),
      primary key (model, position)
    )`.execute(trx);
  });
}

/** null: this version was never built. */
export async function loadCheckpoint(
  db: ReadDatabase | ReadTransaction,
  model: string,
): Promise<ModelCheckpoint | null> {
  const row = await db
    .selectFrom("read.checkpoints")
    .select(["position", "generation", "event_id", "event_stream", "event_revision"])
    .where("model", "=", model)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { position, generation, event_id: id, event_stream: stream, event_revision: revision } = row;
  const lastEvent = id === null || stream === null || revision === null ? null : { id, stream, revision };
  return { position, generation, lastEvent };
}

export async function loadPositions(
  db: ReadDatabase,
  models: readonly string[],
): Promise<ReadonlyMap<string, Position>> {
  if (models.length === 0) return new Map();
  const rows = await db
    .selectFrom("read.checkpoints")
    .select(["model", "position"])
    .where("model", "in", models)
    .execute();
  return new Map(rows.map(({ model, position }) => [model, position]));
}

/** A move of a checkpoint that succeeds only from the position that its writer expects. */
export type CheckpointMove = {
  readonly model: string;
  readonly from: ModelCheckpoint;
  readonly to: ModelCheckpoint;
};

/**
 * The first statement of every transaction that writes rows; it locks the checkpoint's row until the end.
 * false: another process has moved it, or a rebuild has replaced the tables, and nothing may be written. Rows
 * and checkpoint are lost together and replayed, so the transaction need not wait for the disk.
 */
export async function advanceCheckpoint(trx: ReadTransaction, move: CheckpointMove): Promise<boolean> {
  const [moved = false] = await advanceCheckpoints(trx, [move]);
  return moved;
}

/** For several models at once. Without rows to write it is a transaction by itself. */
export async function advanceCheckpoints(
  db: ReadDatabase | ReadTransaction,
  moves: readonly CheckpointMove[],
): Promise<boolean[]> {
  const wanted = moves.map(({ model, from, to }) => ({
    model,
    before: from.position,
    generation: from.generation,
    position: to.position,
    event: to.lastEvent?.id ?? null,
    stream: to.lastEvent?.stream ?? null,
    revision: to.lastEvent?.revision ?? null,
  }));
  const { rows } = await sql<{ readonly model: string }>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    update /* prepared */ read.checkpoints as old set position = new.position, event_id = new.event, event_stream = new.stream,
      event_revision = new.revision, moved_at = now()
    from relaxed, json_to_recordset(${JSON.stringify(wanted)}) as new (model text, before text, generation integer,
      position text, event text, stream text, revision integer)
    where old.model = new.model and old.position = new.before and old.generation = new.generation
    returning old.model`.execute(db);
  const moved = new Set(rows.map(({ model }) => model));
  return moves.map(({ model }) => moved.has(model));
}

/** Stored once for each model and position. */
export async function parkEvents(
  trx: ReadTransaction,
  model: string,
  poisons: readonly Poison[],
): Promise<void> {
  if (poisons.length === 0) return;
  const rows = poisons.map(({ recorded: { position, stream, revision, event }, problem }) => ({
    model,
    position,
    stream,
    revision,
    type: event.type,
    problem,
  }));
  await trx
    .insertInto("read.parked_events")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function loadParked(db: ReadDatabase, models: readonly string[]): Promise<ParkedRow[]> {
  if (models.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("read.parked_events")
    .select(["model", "position", "stream", "revision", "type", "problem"])
    .where("model", "in", models)
    .execute();
}

export function lastEventOf(events: readonly LastEvent[], before: LastEvent | null): LastEvent | null {
  const last = events.at(-1);
  return last === undefined ? before : { id: last.id, stream: last.stream, revision: last.revision };
}

/** Rows and checkpoint are lost together and replayed, so their transactions need not wait for the disk. */
export async function withoutFlush(trx: ReadTransaction): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(trx);
}
