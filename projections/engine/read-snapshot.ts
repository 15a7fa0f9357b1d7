import { type Expression, sql } from "kysely";
import { type EventStore, type Position, START } from "../../application/ports/event-store.ts";
import { type Heard, ReadModelUnservedError } from "../../application/ports/queries.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { loadPositions } from "./checkpoints.ts";
import { isOfMissingTables } from "./missing-tables.ts";
import { modelOf, type Projection, type ReadDatabase } from "./projection.ts";

type SnapshotDeps = { readonly db: ReadDatabase; readonly eventStore: Pick<EventStore, "comparePositions"> };

/**
 * Reads rows and, if the caller asks for it, the lowest checkpoint of the models that they come from, in the
 * same snapshot. Otherwise no transaction is opened.
 */
export async function readSnapshot<Answer>(
  { db, eventStore }: SnapshotDeps,
  models: readonly Projection[],
  heard: Heard | undefined,
  read: (db: ReadDatabase) => Promise<Answer>,
): Promise<Answer> {
  if (heard === undefined) return read(db);
  const names = models.map(modelOf);
  const { position, answer } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const positions = await loadPositions(trx, names);
      const reached = names.map((name) => positions.get(name) ?? START);
      return { position: lowestOf(eventStore, reached), answer: await read(trx) };
    });
  heard(position);
  return answer;
}

/** Of at least one: how far an answer is that comes from several models. */
export function lowestOf(
  eventStore: Pick<EventStore, "comparePositions">,
  positions: readonly Position[],
): Position {
  return positions.reduce((a, b) => (eventStore.comparePositions(a, b) <= 0 ? a : b));
}

/**
 * The checkpoint of one model within a statement that reads its rows, so that both are from the same moment.
 */
export function positionOf(model: Pick<Projection, "name" | "version">) {
  return sql<Position>`coalesce((select position from read.checkpoints where model = ${modelOf(model)}), '')`;
}

/**
 * The rows of a query in its order, and the checkpoint of their model, in one statement and so from the same
 * moment: a list needs no transaction.
 */
export async function rowsAt<Row>(
  db: ReadDatabase,
  model: Pick<Projection, "name" | "version">,
  query: Expression<Row>,
): Promise<{ readonly position: Position; readonly rows: readonly Row[] }> {
  const { rows } = await sql<Row & { readonly position: Position; readonly place: unknown }>`
    select /* prepared */ known.position, found.*
    from (select ${positionOf(model)} as position) as known
    left join lateral (select row_number() over () as place, wanted.* from ${query} as wanted) as found on true
    order by found.place`.execute(db);
  // Without any row the position stands alone.
  return { position: rows[0]?.position ?? START, rows: rows.filter(({ place }) => place !== null) };
}

/** A row with its model's checkpoint; null: there is no such row. */
export type FoundAt<Found> = { readonly position: Position; readonly found: Found | null };

/** Passes the position on if the caller asks for it, and returns the rest. */
export function tellingPosition<Id, Found>(
  read: (owner: OwnerId, id: Id) => Promise<FoundAt<Found> | null>,
): (owner: OwnerId, id: Id, heard?: Heard) => Promise<Found | null> {
  return async (owner, id, heard) => {
    const answer = await read(owner, id);
    if (answer === null) return null;
    heard?.(answer.position);
    return answer.found;
  };
}

/** Rows of several tables at one position. */
export type Snapshot = <Answer>(
  models: readonly Projection[],
  heard: Heard | undefined,
  read: (rows: ReadDatabase) => Promise<Answer>,
) => Promise<Answer>;

/** A query whose tables do not exist is reported as not available yet. */
export function served<Asked extends readonly unknown[], Answer>(
  ask: (...asked: Asked) => Promise<Answer>,
): (...asked: Asked) => Promise<Answer> {
  return async (...asked) => {
    try {
      return await ask(...asked);
    } catch (error) {
      throw isOfMissingTables(error)
        ? new ReadModelUnservedError("It is being built", { cause: error })
        : error;
    }
  };
}
