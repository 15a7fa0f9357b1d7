import pg from "pg";
import { findRunningEmbeddedPostgres } from "../../infrastructure/postgres/embedded/embedded-postgres.ts";

/** In the database of a running service; rejects while there is none, which dies with the service. */
export async function inDatabase(dataDir: string, statements: string): Promise<void> {
  await withClient(findRunningEmbeddedPostgres(dataDir) ?? {}, (client) => client.query(statements));
}

/** A connection for one job; its server may die at any moment. */
export async function withClient(
  database: pg.ClientConfig,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(database);
  // Of a server that ends after the job nobody else would hear.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
