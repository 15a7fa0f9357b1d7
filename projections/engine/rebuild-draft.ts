import { sql } from "kysely";
import type { EventCodec, RecordedEvent } from "../../application/ports/event-codec.ts";
import {
  type EventStore,
  type Position,
  START,
  type StoredEvent,
} from "../../application/ports/event-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { ALL_TYPES } from "../../domain/event-kinds.ts";
import { type LastEvent, withoutFlush } from "./checkpoints.ts";
import {
  modelOf,
  nextTables,
  type Poison,
  type Projection,
  type ProjectionWriter,
  type ReadDatabase,
} from "./projection.ts";
import { withFallback } from "./write-rows.ts";

export type RebuildDeps = {
  readonly db: ReadDatabase;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly logger: Logger;
  /**
   * Positions of events that were already reported as left out: each read model reads the last ones again.
   */
  readonly leftOut?: Set<Position>;
};

/** A set of tables that is being filled beside the serving one. */
export type Draft = {
  readonly projection: Projection;
  readonly model: string;
  readonly writer: ProjectionWriter;
  position: Position;
  lastEvent: LastEvent | null;
  readonly poisons: Poison[];
};

export async function openDraft(db: ReadDatabase, projection: Projection): Promise<Draft> {
  const tableOf = nextTables(projection);
  await db.transaction().execute(async (trx) => {
    for (const table of projection.tables) await sql`drop table if exists ${tableOf(table)}`.execute(trx);
    await projection.createTables(trx, tableOf);
  });
  const writer = projection.openWriter(tableOf);
  return { projection, model: modelOf(projection), writer, position: START, lastEvent: null, poisons: [] };
}

/**
 * Full tables are indexed several times faster than growing ones, and the planner needs statistics
 * before the first query.
 */
export async function indexTables(db: ReadDatabase, { projection }: Draft): Promise<void> {
  const tableOf = nextTables(projection);
  await db.transaction().execute(async (trx) => {
    await projection.createIndexes(trx, tableOf);
    for (const table of projection.tables) await sql`analyze ${tableOf(table)}`.execute(trx);
  });
}

export async function extend(
  db: ReadDatabase,
  draft: Draft,
  events: readonly RecordedEvent[],
  { position, lastEvent }: Pick<Draft, "position" | "lastEvent">,
): Promise<void> {
  const { projection, writer } = draft;
  const ours = events.filter(({ event }) => projection.types.has(event.type));
  if (ours.length > 0) {
    const poisons = await withFallback(writer, (write) =>
      db.transaction().execute(async (trx) => {
        await withoutFlush(trx);
        return write(trx, ours);
      }),
    );
    draft.poisons.push(...poisons);
  }
  draft.position = position;
  draft.lastEvent = lastEvent ?? draft.lastEvent;
}

const KNOWN: ReadonlySet<string> = ALL_TYPES;

/**
 * Decodes only the events that these projections use. Events that this release cannot read are
 * reported and left out.
 */
export async function decodeFor(
  { codec, logger, leftOut }: RebuildDeps,
  projections: readonly Projection[],
  events: readonly StoredEvent[],
): Promise<RecordedEvent[]> {
  const wanted: ReadonlySet<string> = new Set(projections.flatMap(({ types }) => [...types]));
  const ours = events.filter(({ type }) => wanted.has(type) || !KNOWN.has(type));
  const all = await codec.decode(ours);
  return all.flatMap((decoded) => {
    if (decoded.kind === "event") return [decoded.recorded];
    const { position, stream, revision, type } = decoded.stored;
    if (leftOut?.has(position) === true) return [];
    leftOut?.add(position);
    const problem = decoded.kind === "damaged" ? decoded.problem : "unknown type";
    logger.warn({ position, stream, revision, type, problem }, "left out of the read models");
    return [];
  });
}
