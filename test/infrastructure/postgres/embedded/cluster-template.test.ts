import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { giveOwnIdentity } from "../../../../infrastructure/postgres/embedded/cluster-identity.ts";
import { ask, hold, start, temporaryFolder } from "./data-dirs.ts";
import { serverOf } from "./holder.ts";
import { isRoot } from "./users.ts";

const SYSTEM = "select system_identifier::text from pg_control_system()";
const PASSWORD = "select rolpassword from pg_authid where rolname = 'ringfold'";
const passwordOf = (dataDir: string) => readFileSync(join(dataDir, "postgres", "password"), "utf8");
/** The nonce's bytes of pg_control, by which SCRAM hides which users exist. */
const nonceOf = (cluster: string) => readFileSync(join(cluster, "global", "pg_control")).subarray(257, 289);

/** An installation with this cache: its DATA_DIR and what its server answers. */
async function installed(templates: string | null) {
  const dataDir = temporaryFolder();
  const server = await start({ dataDir, templates });
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
