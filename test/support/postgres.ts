import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export type TestDatabase = {
  /** For programs and libraries that take a URL. */
  readonly connectionString: string;
  readonly pool: pg.Pool;
  /** Ends the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
};

/** A database of its own in the run's shared cluster (8 ms); `template`: a name prepared by withTemplate. */
export function createTestDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  return copyOf(options.template === undefined ? "template1" : templateDatabase(options.template));
}

/** The database as it is now, as a backup has it; rejects while anybody is connected to it. */
export function copyTestDatabase({ connectionString }: TestDatabase): Promise<TestDatabase> {
  return copyOf(new URL(connectionString).pathname.slice(1));
}

async function copyOf(source: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(async (admin) => {
    await admin.query(`create database ${quoted(name)} template ${quoted(source)} strategy file_copy`);
  });
  const connectionString = urlOf(name);
  const pool = openTestPool(connectionString, 20);
  let dropped: Promise<void> | null = null;
  return {
    connectionString,
    pool,
    drop: () => {
      dropped ??= dropDatabase(name, pool);
      return dropped;
    },
  };
}

/**
 * Prepares a template once per run, however many test files ask for it at the same time. A
 * failed one is tried again.
 */
export async function withTemplate(name: string, prepare: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const finished = templateDatabase(name);
  await asAdmin(async (admin) => {
    await admin.query("select pg_advisory_lock(hashtextextended($1, 0))", [finished]);
    const found = await admin.query("select 1 from pg_database where datname = $1", [finished]);
    if (found.rows.length > 0) return;
    const draft = `${finished}_draft`;
    await admin.query(`drop database if exists ${quoted(draft)} with (force)`);
    await admin.query(`create database ${quoted(draft)} strategy file_copy`);
    const pool = openTestPool(urlOf(draft), 20);
    try {
      await prepare(pool);
    } finally {
      await pool.end();
    }
    await admin.query(`alter database ${quoted(draft)} rename to ${quoted(finished)}`);
  });
}

async function dropDatabase(name: string, pool: pg.Pool): Promise<void> {
  if (!pool.ended) await pool.end();
  await asAdmin(async (admin) => {
    await admin.query(`drop database if exists ${quoted(name)} with (force)`);
  });
}

/** One connection for one job; ending it frees its advisory locks. */
async function asAdmin(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(inject("postgres"));
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

/** A pool that does not mind when its database is removed. */
export function openTestPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  // A connection that is cut while idle or while it ends (drop with force) concerns nobody; the pool hears
  // only of the idle ones.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function urlOf(database: string): string {
  const { host, port, user, password } = inject("postgres");
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgresql://${user}:${password}@localhost/${database}?${query}`;
}

function templateDatabase(name: string): string {
  return `template_${name}`;
}

function quoted(identifier: string): string {
  return pg.escapeIdentifier(identifier);
}
