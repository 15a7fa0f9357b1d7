import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Around } from "./around.ts";

const MOVES_A_CHECKPOINT = /\bupdate\b.*\bread\.checkpoints\b/s;

/**
 * The pool of the read models: a transaction that moves a checkpoint commits between
 * `readRows.commit.before` and `.after`.
 */
export function crashingCommits(pool: PostgresPool, around: Around): PostgresPool {
  return { ...pool, connect: async () => crashingConnection(await pool.connect(), around) };
}

function crashingConnection(client: PostgresPoolClient, around: Around): PostgresPoolClient {
  let moves = false;
  return {
    // Kysely calls it with statements only, as in prepared-statements.ts.
    query: ((text: string, values: readonly unknown[]) => {
      moves ||= MOVES_A_CHECKPOINT.test(text);
      const query = () => client.query<never>(text, values);
      return text === "commit" && moves ? around("readRows.commit", query) : query();
    }) as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
