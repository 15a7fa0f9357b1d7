import { sql } from "kysely";
import { modelOf, type Projection, READ_SCHEMA, type ReadDatabase, tableName } from "./projection.ts";

/**
 * A version whose checkpoint has not moved for this long is no longer used by a process of an older release;
 * if it is, that process builds its rows again.
 */
const UNUSED_AFTER = "1 hour";

/** Drops the tables of older versions of these projections, with their checkpoints. */
export async function dropOldVersions(db: ReadDatabase, projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    const { rows } = await sql<{ model: string }>`select model from read.checkpoints
      where model like ${`${projection.name}\\_v%`} and moved_at < now() - ${UNUSED_AFTER}::interval`.execute(
      db,
    );
    const found = new Set(rows.map(({ model }) => model));
    for (let version = 1; version < projection.version; version += 1) {
      const older = { ...projection, version };
      if (found.has(modelOf(older))) await dropVersion(db, older);
    }
  }
}

async function dropVersion(db: ReadDatabase, projection: Projection): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of projection.tables) {
      const name = `${READ_SCHEMA}.${tableName(projection, table)}`;
      await sql`drop table if exists ${sql.table(name)}, ${sql.table(`${name}_next`)}`.execute(trx);
    }
    await trx.deleteFrom("read.checkpoints").where("model", "=", modelOf(projection)).execute();
    await trx.deleteFrom("read.parked_events").where("model", "=", modelOf(projection)).execute();
  });
}
