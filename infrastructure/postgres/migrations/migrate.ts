import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Migrator } from "kysely/migration";
import pg from "pg";
import { endPool } from "../../end-pool.ts";
import { DatabaseError, isMissingTable } from "../database-error.ts";
import type { FirstContent } from "../embedded/embedded-postgres.ts";
import { forgetInstallation } from "../installation.ts";
import { kyselyOn, requireSupportedServer } from "../pool.ts";
import { migrations } from "./migrations.ts";

/**
 * Migrates the database to this release: all or nothing, one process at a time (advisory lock), nothing
 * if it is up to date. Rejects with DatabaseError if the server is too old, or a newer release was here,
 * and says what to do.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  await requireSupportedServer(pool);
  if (await isOfThisRelease(pool)) return;
  const migrator = new Migrator({
    db: kyselyOn<unknown>(pool),
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: "migrations",
    migrationTableName: "applied",
    migrationLockTableName: "lock",
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error")?.migrationName;
  const problem = messageOf(error);
  if (failed !== undefined)
    throw new DatabaseError(`Migration ${failed} failed: ${problem}`, { cause: error });
  const newer = /previously executed migration (\S+) is missing/.exec(problem)?.[1];
  if (newer === undefined) throw error;
  throw new DatabaseError(`The database was made by a newer release (migration ${newer}): start that one`);
}

/** Asked before the migrator, which reads the whole catalog and takes a lock to find it out. */
async function isOfThisRelease(pool: pg.Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ name: string }>("select name from migrations.applied");
    const applied = rows.map(({ name }) => name).toSorted();
    return applied.join() === Object.keys(migrations).toSorted().join();
  } catch (error) {
    if (isMissingTable(error)) return false;
    throw error;
  }
}

/**
 * The tables of this release, which every new cluster of the embedded server has; `sources`: the folder of
 * the migrations.
 */
export function tablesOfRelease(sources: string): FirstContent {
  return {
    key: () =>
      readdirSync(sources)
        .map((name) => readFileSync(join(sources, name), "utf8"))
        .join("\0"),
    async make(connection) {
      const pool = new pg.Pool({ ...connection, max: 1 });
      try {
        await migrate(pool);
        await forgetInstallation(pool);
      } finally {
        await endPool(pool);
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
