import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { temporaryFolder } from "../infrastructure/own-processes.ts";
import { startEmbeddedPostgres } from "../infrastructure/postgres/embedded/embedded-postgres.ts";
import { migrate } from "../infrastructure/postgres/migrations/migrate.ts";

/** The server of both sides of a comparison, with the service's settings. */
export type BenchDatabase = {
  readonly connection: pg.ClientConfig;
  /** The same server over the same socket, for peers that take a URL. */
  readonly url: string;
  /** For preparing and counting; the measured code brings its own connections. */
  readonly pool: pg.Pool;
  /** Flushes everything, so that no side pays for the one before. */
  settle(): Promise<void>;
  count(query: string, values?: readonly unknown[]): Promise<number>;
  settings(): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

/** An embedded PostgreSQL on the disk of the temporary folder, migrated. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const folder = temporaryFolder("ringfold-bench-");
  // As root the server runs as another user, who needs access.
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, "data"),
    // Two sides with pools of their own; the service itself needs only the 50 of the embedded server.
    settings: { max_connections: "100" },
  });
  const pool = new pg.Pool({ ...server.connection, max: 4 });
  pool.on("error", () => undefined); // stopping the server cuts idle connections
  await migrate(pool);
  const { user, host, port, database } = server.connection;
  return {
    connection: server.connection,
    url: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    pool,
    async settle() {
      await pool.query("checkpoint");
    },
    async count(query, values = []) {
      const { rows } = await pool.query<{ n: string }>(`select count(*) as n from ${query}`, [...values]);
      return Number(rows[0]?.n);
    },
    async settings() {
      const { rows } = await pool.query<{ name: string; setting: string }>(
        "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'server_version') order by name",
      );
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    },
    async stop() {
      await pool.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Version of an installed package: of the service, or (a peer) of the benchmarks. */
export function versionOf(name: string, where: "service" | "bench" = "bench"): string {
  const modules = where === "bench" ? "node_modules/" : "../node_modules/";
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL(`${modules}${name}/package.json`, import.meta.url), "utf8"),
  );
  return version;
}
