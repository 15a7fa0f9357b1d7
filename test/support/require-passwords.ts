import { writeFileSync } from "node:fs";
import pg from "pg";
import type { Connection } from "../../infrastructure/postgres/embedded/owner-file.ts";
import { eventually } from "../../simulation/drills/eventually.ts";

type SignIn = {
  /** Lines of pg_hba.conf, instead of the server's own. */
  readonly rules: readonly string[];
  /** Roles and passwords, made before the rules hold. */
  readonly statements: readonly string[];
};

/**
 * A server of our own lets everybody in over its socket; the ones that people have do not. New connections
 * follow the rules once this resolves.
 */
export async function requirePasswords(connection: Connection, { rules, statements }: SignIn): Promise<void> {
  const admin = new pg.Client(connection);
  await admin.connect();
  try {
    for (const statement of statements) await admin.query(statement);
    const { rows } = await admin.query<{ file: string }>("select current_setting('hba_file') as file");
    for (const { file } of rows) writeFileSync(file, `${rules.join("\n")}\n`);
    await admin.query("select pg_reload_conf()");
  } finally {
    await admin.end();
  }
  await eventually("nobody gets in with a wrong password", () => isRefused(connection));
}

async function isRefused(connection: Connection): Promise<boolean> {
  const client = new pg.Client({ ...connection, password: "wrong" });
  try {
    await client.connect();
    await client.end();
    return false;
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === "28P01";
  }
}
