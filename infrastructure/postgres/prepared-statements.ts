import { createHash } from "node:crypto";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/** Marks a statement that connections are to prepare. */
const MARK = "/* prepared */";
/** More texts than the service marks: what is built from parts cannot fill a connection with statements. */
const MOST_NAMES = 100;

/**
 * The pool as kysely uses it, with a name for every statement that is marked: a connection parses and plans it once, not each time (kysely itself
 * names none). To be marked are statements whose best plan is the same for a table of ten rows and of a million: the plan is kept while the table
 * grows, until it is analysed next. Names come from the text, so several users of one pool share them; a text beyond the first 100 has none.
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
    // Kysely asks for statements only: cursors need a constructor that its dialect is not given.
    query: ((text: string, values: readonly unknown[]) => {
      const name = nameOf(text);
      return name === undefined
        ? client.query(text, [...values])
        : client.query({ name, text, values: [...values] });
    }) as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}
