import { createHash } from "node:crypto";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/** More texts than the service has: what is built with a list of varying length cannot fill a connection with statements. */
const MOST_NAMES = 200;

/**
 * The pool as kysely uses it, with a name for every statement that takes values: a connection parses and plans it once, not each time (kysely itself
 * names none). Names come from the text, so several users of one pool may share them. A text beyond the first 200 is sent without a name.
 */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const nameOf = statementNames();
  return {
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const made = preparingClient(client, nameOf);
      clients.set(client, made);
      return made;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_NAMES) return known;
    const name = createHash("sha256").update(text).digest("base64url");
    names.set(text, name);
    return name;
  };
}

function preparingClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): PostgresPoolClient {
  return {
    // Kysely asks for statements only: cursors need a constructor that its dialect is not given.
    query: ((text: string, values: readonly unknown[]) => {
      const name = values.length === 0 ? undefined : nameOf(text);
      return client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
    }) as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
