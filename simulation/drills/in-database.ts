import pg from "pg";
import { findRunningEmbeddedPostgres } from "../../infrastructure/postgres/embedded/embedded-postgres.ts";

/** In the database of a running service; rejects while there is none, which dies with the service. */
export async function inDatabase(dataDir: string, statements: string): Promise<void> {
  const client = new pg.Client(findRunningEmbeddedPostgres(dataDir) ?? undefined);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
