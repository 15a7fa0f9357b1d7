import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { endPool } from "../../../../infrastructure/end-pool.ts";
import { giveOwnIdentity } from "../../../../infrastructure/postgres/embedded/cluster-identity.ts";
import type { FirstContent } from "../../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import type { Connection } from "../../../../infrastructure/postgres/embedded/owner-file.ts";
import { readInstallation } from "../../../../infrastructure/postgres/installation.ts";
import { migrate, tablesOfRelease } from "../../../../infrastructure/postgres/migrations/migrate.ts";
import { ask, eventually, hold, start, temporaryFolder } from "./data-dirs.ts";
import { serverOf } from "./holder.ts";
import { isRoot } from "./users.ts";

const SYSTEM = "select system_identifier::text from pg_control_system()";
const PASSWORD = "select rolpassword from pg_authid where rolname = 'ringfold'";
const passwordOf = (dataDir: string) => readFileSync(join(dataDir, "postgres", "password"), "utf8");
/** The nonce's bytes of pg_control, by which SCRAM hides which users exist. */
const nonceOf = (cluster: string) => readFileSync(join(cluster, "global", "pg_control")).subarray(257, 289);

/** An installation with this cache: its DATA_DIR and what its server answers. */
async function installed(templates: string | null, options: { readonly content?: FirstContent } = {}) {
  const dataDir = temporaryFolder();
  const server = await start({ dataDir, templates, ...options });
  const [system] = await ask(server.connection, SYSTEM);
  const [verifier] = await ask(server.connection, PASSWORD);
  return { dataDir, cluster: join(dataDir, "postgres", "data"), server, system, verifier };
}

it("keeps the first cluster as a template, and copies it for those that follow", async () => {
  const cache = temporaryFolder();
  await installed(cache);
  const [name = ""] = readdirSync(cache);
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/^18\.[^/]+-[0-9a-f]{12}$/)]);
  // Only a copy has it.
  writeFileSync(join(cache, name, "copied"), "");
  const second = await installed(cache);
  expect(readdirSync(second.cluster)).toContain("copied");
  expect(statSync(second.cluster).mode & 0o777).toBe(0o700);
});

it("shares nothing secret: each has a system identifier, a nonce and a password of its own", async () => {
  const cache = temporaryFolder();
  const all = [await installed(cache), await installed(cache), await installed(cache)];
  const template = join(cache, readdirSync(cache)[0] ?? "");
  expect(new Set(all.map(({ system }) => system)).size).toBe(3);
  expect(new Set(all.map(({ verifier }) => verifier)).size).toBe(3);
  expect(all.map(({ verifier }) => String(verifier).slice(0, 13))).toEqual(Array(3).fill("SCRAM-SHA-256"));
  const nonces = [...all.map(({ cluster }) => cluster), template].map((of) => nonceOf(of).toString("hex"));
  expect(new Set(nonces).size).toBe(4);
});

it("asks over TCP for the password of this installation, and takes no other", async () => {
  const cache = temporaryFolder();
  const [other, { dataDir, server }] = [await installed(cache), await installed(cache)];
  await server.stop();
  const { connection } = await start({ dataDir, templates: cache, transport: "tcp" });
  expect(connection.password).toBe(passwordOf(dataDir));
  expect(await ask(connection, "select 1")).toEqual([1]);
  const password = passwordOf(other.dataDir);
  await expect(ask({ ...connection, password }, "select 1")).rejects.toMatchObject({ code: "28P01" });
  await expect(ask({ ...connection, password: "" }, "select 1")).rejects.toThrow(/password/);
});

it("runs a crash recovery of a copied cluster, whose write-ahead log has its identity", async () => {
  const cache = temporaryFolder();
  await installed(cache);
  const dataDir = temporaryFolder();
  const holder = hold({ dataDir, templates: cache });
  const { connection } = await serverOf(holder);
  await ask(connection, "create table kept as select 42 as x");
  holder.process.kill("SIGKILL");
  await holder.ended;
  const again = await start({ dataDir, templates: cache });
  expect(await ask(again.connection, "select x from kept")).toEqual([42]);
});

/** A table, and how often it was made. */
function tableOf(key: string) {
  const content = {
    made: 0,
    key: () => key,
    async make(connection: Connection) {
      content.made += 1;
      await ask(connection, `create table ${key} as select pg_backend_pid() as by`);
    },
  } satisfies FirstContent & { made: number };
  return content;
}

it("fills a template once, and all clusters that follow have what it was filled with", async () => {
  const cache = temporaryFolder();
  const content = tableOf("made");
  const all = [await installed(cache, { content }), await installed(cache, { content })];
  const made = await Promise.all(all.map(({ server }) => ask(server.connection, "select by from made")));
  expect([content.made, made[0]]).toEqual([1, made[1]]);
  expect(new Set(all.map(({ system }) => system)).size).toBe(2);
  expect(new Set(all.map(({ verifier }) => verifier)).size).toBe(2);
  const template = join(cache, readdirSync(cache)[0] ?? "");
  const names = readdirSync(template);
  expect([names.includes("postmaster.opts"), names.includes("postmaster.pid")]).toEqual([false, false]);
  expect(
    readdirSync(template, { recursive: true }).filter((path) => /_(fsm|vm)$/.test(String(path))),
  ).toEqual([]);
  const logFiles = readdirSync(join(template, "pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name));
  expect(logFiles).toHaveLength(1);
  const { size, blocks } = statSync(join(template, "pg_wal", logFiles[0] ?? ""));
  expect([size, blocks * 512 < 1_000_000]).toEqual([16 * 1024 ** 2, true]);
});

it("keeps the template of the latest content only, beside that without any", async () => {
  const cache = temporaryFolder();
  await installed(cache);
  const old = await installed(cache, { content: tableOf("old") });
  const latest = await installed(cache, { content: tableOf("latest") });
  expect(readdirSync(cache)).toHaveLength(2);
  expect(await ask(old.server.connection, "select count(*)::int from old")).toEqual([1]);
  await expect(ask(latest.server.connection, "select from old")).rejects.toMatchObject({ code: "42P01" });
});

it("asks for no content where no template can be kept, and leaves none behind that failed", async () => {
  const content = tableOf("made");
  const { server } = await installed(null, { content });
  expect([content.made, await ask(server.connection, "select to_regclass('made')")]).toEqual([0, [null]]);
  const cache = temporaryFolder();
  const failing = { key: () => "failing", make: () => Promise.reject(new Error("it cannot be made")) };
  await expect(installed(cache, { content: failing })).rejects.toThrow("it cannot be made");
  expect(readdirSync(cache)).toEqual([]);
});

it("starts after a kill while a template was filled", async () => {
  const [cache, dataDir] = [temporaryFolder(), temporaryFolder()];
  const holder = hold({ dataDir, templates: cache, fillsForever: true });
  const socket = join(dataDir, "postgres", "run", ".s.PGSQL.5433");
  await eventually(() => existsSync(socket));
  holder.process.kill("SIGKILL");
  await holder.ended;
  const content = tableOf("made");
  const server = await start({ dataDir, templates: cache, content });
  expect([content.made, await ask(server.connection, "select count(*)::int from made")]).toEqual([1, [1]]);
  expect(readdirSync(join(dataDir, "postgres")).filter((name) => name.startsWith("data"))).toEqual(["data"]);
  expect(readdirSync(cache)).toHaveLength(1);
});

const CATALOG = `
  select kind || ' ' || word from (
    select 'column', concat_ws(' ', table_schema, table_name, column_name, data_type, column_default, is_nullable, collation_name)
    from information_schema.columns
    union all select 'index', pg_get_indexdef(indexrelid) from pg_index
    union all select 'constraint', conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
    union all select 'options', oid::regclass || ' ' || relkind::text || ' ' || relpersistence::text || ' ' || array_to_string(reloptions, ' ') from pg_class
    union all select 'function', pg_get_functiondef(oid) from pg_proc where prokind <> 'a' and oid >= 16384
    union all select 'migration', name from migrations.applied
  ) as found (kind, word)
  where word !~ '(pg_catalog|information_schema|pg_toast)' order by 1`;

/** The rows of every table. What a migration draws would differ, and may be in no template. */
async function drawnByNobody(pool: pg.Pool) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'installation' order by 1`,
  );
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query(
        `select to_jsonb(t) - 'timestamp' as row from ${name} as t order by 1`,
      );
      return { name, rows };
    }),
  );
}

it("makes the tables that migrations make step by step, and identities of their own", async () => {
  const cache = temporaryFolder();
  const content = tablesOfRelease(
    join(import.meta.dirname, "../../../../infrastructure/postgres/migrations"),
  );
  const kept = [await installed(cache, { content }), await installed(cache, { content })];
  const stepwise = await installed(null);
  const pools = [...kept, stepwise].map(({ server }) => new pg.Pool({ ...server.connection, max: 1 }));
  try {
    const when = "select timestamp from migrations.applied order by name";
    const before = await Promise.all(kept.map(({ server }) => ask(server.connection, when)));
    for (const pool of pools) await migrate(pool);
    expect(await Promise.all(kept.map(({ server }) => ask(server.connection, when)))).toEqual(before);
    const [first, second, third] = await Promise.all(
      pools.map(async (pool) => (await pool.query(CATALOG)).rows),
    );
    expect(first?.length).toBeGreaterThan(500);
    expect([second, third]).toEqual([first, first]);
    const [copied, own] = await Promise.all(pools.slice(1).map(drawnByNobody));
    expect(copied?.length).toBeGreaterThan(30);
    expect(copied).toEqual(own);
    const ids = [...pools, ...pools].map(async (pool) => (await readInstallation(pool)).id);
    expect(new Set(await Promise.all(ids)).size).toBe(3);
  } finally {
    await Promise.all(pools.map(endPool));
  }
});

it("passes by what a crash left half, and a template that is damaged", async () => {
  const cache = temporaryFolder();
  mkdirSync(join(cache, "18.4.0-0.new-a-crash"));
  const first = await installed(cache);
  const template = readdirSync(cache).find((name) => !name.includes(".new-")) ?? "";
  writeFileSync(join(cache, template, "global", "pg_control"), Buffer.alloc(8_192));
  const second = await installed(cache);
  expect(second.system).not.toBe(first.system);
});

it("lets several installations start at the same moment, with a cache that is empty", async () => {
  const cache = temporaryFolder();
  const all = await Promise.all([installed(cache), installed(cache), installed(cache)]);
  expect(new Set(all.map(({ system }) => system)).size).toBe(3);
  expect(readdirSync(cache)).toHaveLength(1);
});

it("works where the cache cannot be made", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  await expect(installed(join(folder, "file", "cache"))).resolves.toMatchObject({
    system: expect.any(String),
  });
});

it.runIf(!isRoot)("works where the template is closed to this user", async () => {
  const cache = temporaryFolder();
  await installed(cache);
  chmodSync(join(cache, readdirSync(cache)[0] ?? ""), 0);
  await expect(installed(cache)).resolves.toMatchObject({ system: expect.any(String) });
});

it("refuses to rename a control file that is not one of PostgreSQL 18", async () => {
  const { cluster, server } = await installed(null);
  await server.stop();
  const copy = join(temporaryFolder(), "copy");
  cpSync(cluster, copy, { recursive: true });
  const path = join(copy, "global", "pg_control");
  const control = readFileSync(path);
  control.writeUInt8(control.readUInt8(100) ^ 1, 100);
  writeFileSync(path, control);
  expect(() => giveOwnIdentity(copy)).toThrow(/control file/);
  expect(readFileSync(path).equals(control)).toBe(true);
  rmSync(copy, { recursive: true });
});

it("renames no cluster that is running, or was killed", async () => {
  const { cluster } = await installed(null);
  const copy = join(temporaryFolder(), "copy");
  cpSync(join(cluster, "global"), join(copy, "global"), { recursive: true });
  expect(() => giveOwnIdentity(copy)).toThrow(/not shut down/);
});
