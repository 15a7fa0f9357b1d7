import { Migrator } from "kysely/migration";
import type pg from "pg";
import { DatabaseError } from "../database-error.ts";
import { kyselyOn, requireSupportedServer } from "../pool.ts";
import { migrations } from "./migrations.ts";

/**
 * Migrates the database to this release: all or nothing, one process at a time (advisory lock), nothing
 * if it is up to date. Rejects with DatabaseError if the server is too old, or a newer release was here,
 * and says what to do.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  await requireSupportedServer(pool);
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
