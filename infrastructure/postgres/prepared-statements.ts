import { createHash } from "node:crypto";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/** Marks a statement to be prepared. */
const MARK = "/* prepared */";
/**
 * More texts than the service marks, so that generated statements cannot fill a
 * connection with prepared ones.
 */
const MOST_NAMES = 100;

/**
 * The pool for kysely, with a name for every marked statement: a connection parses and plans it once, not
 * each time (kysely itself names none). Mark statements whose best plan is the same for a table of ten rows
 * and of a million, because the plan is kept while the table grows, until it is analysed next. Names are
 * derived from the text, so that several users of one pool share them; a text after the first 100 gets none.
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
    if (known !== undefined || !text.includes(MARK) || names.size >= MOST_NAMES) return known;
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
    // Kysely calls it with statements only: cursors need a constructor that its dialect does not get.
    query: ((text: string, values: readonly unknown[]) => {
      const name = nameOf(text);
      return name === undefined
        ? client.query(text, [...values])
        : client.query({ name, text, values: [...values] });
    }) as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
