import { sql } from "kysely";
import { START } from "../../application/ports/event-store.ts";
import { lastEventOf, parkEvents } from "./checkpoints.ts";
import {
  nextTables,
  type Projection,
  type ProjectionWriter,
  READ_SCHEMA,
  type ReadTransaction,
  tableName,
} from "./projection.ts";
import { type Draft, decodeFor, type RebuildDeps } from "./rebuild-draft.ts";
import { withFallback } from "./write-rows.ts";

const PAGE = 5_000;
const SWITCH_ATTEMPTS = 200;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * When readers hold locks it tries again after 50 ms, so that nobody queues behind it and
 * there is no deadlock.
 */
export async function switchOver(deps: RebuildDeps, draft: Draft): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await withFallback(draft.writer, (write) =>
        deps.db.transaction().execute((trx) => switchTables(deps, trx, draft, write)),
      );
      return;
    } catch (error) {
      const busy = error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
      if (!busy || attempt >= SWITCH_ATTEMPTS) throw error;
    }
  }
}

/**
 * The checkpoint's row is locked from the first statement on: no projector writes while the last events are
 * caught up and the tables are swapped.
 */
async function switchTables(
  deps: RebuildDeps,
  trx: ReadTransaction,
  { projection, model, ...draft }: Draft,
  write: ProjectionWriter["write"],
): Promise<void> {
  await sql`insert into read.checkpoints (model, position, generation) values (${model}, ${START}, 0)
    on conflict do nothing`.execute(trx);
  await sql`select 1 from read.checkpoints where model = ${model} for update`.execute(trx);
  const poisons = [...draft.poisons];
  let { position, lastEvent } = draft;
  for (let atEnd = false; !atEnd; ) {
    const page = await deps.eventStore.readAll({ after: position, limit: PAGE });
    const events = await decodeFor(deps, [projection], page.events);
    const ours = events.filter(({ event }) => projection.types.has(event.type));
    if (ours.length > 0) poisons.push(...(await write(trx, ours)));
    lastEvent = lastEventOf(page.events, lastEvent);
    position = page.next;
    atEnd = page.atEnd;
  }
  await replaceTables(trx, projection);
  await sql`update read.checkpoints set position = ${position}, generation = generation + 1, moved_at = now(),
      event_id = ${lastEvent?.id ?? null}, event_stream = ${lastEvent?.stream ?? null},
      event_revision = ${lastEvent?.revision ?? null}::integer
    where model = ${model}`.execute(trx);
  await sql`delete from read.parked_events where model = ${model}`.execute(trx);
  await parkEvents(trx, model, poisons);
}

async function replaceTables(trx: ReadTransaction, projection: Projection): Promise<void> {
  await sql`set local lock_timeout = '50ms'`.execute(trx);
  const nextOf = nextTables(projection);
  for (const table of projection.tables) {
    const name = tableName(projection, table);
    await sql`drop table if exists ${sql.table(`${READ_SCHEMA}.${name}`)}`.execute(trx);
    await sql`alter table ${nextOf(table)} rename to ${sql.ref(name)}`.execute(trx);
  }
}
