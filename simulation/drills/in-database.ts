import { findRunningEmbeddedPostgres } from "../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { withClient } from "../../infrastructure/postgres/pool.ts";

/** In the database of a running service; rejects while there is none, which dies with the service. */
export async function inDatabase(dataDir: string, statements: string): Promise<void> {
  await withClient(findRunningEmbeddedPostgres(dataDir) ?? {}, (client) => client.query(statements));
}
