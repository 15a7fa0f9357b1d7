import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPostgres } from "../../../infrastructure/connections/check-postgres.ts";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import type { PostgresConnection } from "../../../infrastructure/tools/query-threads.ts";
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from "../../support/receiver-certificate.ts";
import { requirePasswords } from "../../support/require-passwords.ts";
import { runOf, toolWorld } from "./tool-world.ts";

/** A server with a TLS certificate for `receiver.test`, and a user for each way to sign in. */
const USERS = ["scram", "hashed", "plain", "encrypted"] as const;
const RULES = [
  "host all scram all scram-sha-256",
  "host all hashed all md5",
  "host all plain all password",
  "hostssl all encrypted all scram-sha-256",
  "hostnossl all encrypted all reject",
  "host all all all scram-sha-256",
];
const PASSWORD = "ş secret 'of' the shop";

let folder: string;
let server: EmbeddedPostgres;
let world: ReturnType<typeof toolWorld>;
let connection: PostgresConnection;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ringfold-sign-in-"));
  chmodSync(folder, 0o755);
  const options = { dataDir: join(folder, "data"), fsync: false, transport: "tcp" } as const;
  const first = await startEmbeddedPostgres(options);
  const cluster = await dataFolderOf(first);
  await first.stop();
  server = await startEmbeddedPostgres({ ...options, settings: withCertificate(cluster) });
  const literal = pg.escapeLiteral(PASSWORD);
  await requirePasswords(server.connection, {
    rules: RULES,
    statements: USERS.flatMap((user) => [
      `set password_encryption = '${user === "hashed" ? "md5" : "scram-sha-256"}'`,
      `create role ${user} login password ${literal}`,
    ]),
  });
  const { port } = server.connection;
  const where = { host: "127.0.0.1", port, database: server.connection.database, tls: false };
  connection = { ...where, user: "scram", password: PASSWORD };
  world = toolWorld({ connection });
});
afterAll(async () => {
  await world.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function dataFolderOf({ connection: own }: EmbeddedPostgres): Promise<string> {
  const client = new pg.Client(own);
  await client.connect();
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  await client.end();
  return rows[0].folder;
}

/** The key belongs to whom the cluster belongs to: PostgreSQL refuses any other. */
function withCertificate(cluster: string) {
  const { uid, gid } = statSync(cluster);
  const [cert, key] = [join(cluster, "test.crt"), join(cluster, "test.key")];
  for (const [file, text] of [
    [cert, RECEIVER_CERTIFICATE],
    [key, RECEIVER_KEY],
  ] as const) {
    writeFileSync(file, text, { mode: 0o600 });
    chownSync(file, uid, gid);
  }
  return { ssl: "on", ssl_cert_file: cert, ssl_key_file: key };
}

type World = Parameters<typeof toolWorld>[0];

async function asked(changes: Partial<PostgresConnection>, more: World = {}) {
  const own = toolWorld({ connection: { ...connection, ...changes }, ...more });
  const { outcome, shown } = await own.run(runOf("DATABASE_QUERY", ONE));
  await own.close();
  return outcome === "answered" ? [outcome, JSON.parse(shown)] : [outcome, shown];
}
const ONE = { connectionId: "conn_1", query: "select current_user::text as me", parameters: {} };
const NOT_THERE = ["failed", "The database cannot be used at the moment"];

async function checked(changes: Partial<PostgresConnection>, more: { readonly ca?: string } = {}) {
  const { password, ...settings } = { ...connection, ...changes };
  const way = { policy: addressPolicy(["127.0.0.0/8"]), resolve: async () => ["127.0.0.1"], ...more };
  return (await checkPostgres(way, settings, password)).map(({ name, ok }) => `${name} ${ok}`);
}
const WELL = ["reachable true", "credentials true", "database true"];
const REFUSED = ["reachable true", "credentials false"];

describe("a database that wants a password", () => {
  it.each(["scram", "hashed", "plain"])("lets a query and the check in as %s", async (user) => {
    expect(await asked({ user })).toEqual(["answered", [{ me: user }]]);
    expect(await checked({ user })).toEqual(WELL);
  });

  it.each(["scram", "hashed", "plain"])("refuses both with another password: %s", async (user) => {
    expect(await asked({ user, password: "another" })).toEqual(NOT_THERE);
    expect(await checked({ user, password: "another" })).toEqual(REFUSED);
  });

  it("is signed in to with TLS, by the name of its certificate", async () => {
    const over = { user: "encrypted", tls: true, host: "receiver.test" };
    const resolve = async () => ["127.0.0.1"];
    const known = { ca: RECEIVER_CERTIFICATE };
    expect(await asked(over, { resolve, ...known })).toEqual(["answered", [{ me: "encrypted" }]]);
    expect(await checked(over, known)).toEqual(WELL);
    expect(await asked({ ...over, tls: false }, { resolve, ...known })).toEqual(NOT_THERE);
    expect(await asked({ ...over, host: "other.test" }, { resolve, ...known })).toEqual(NOT_THERE);
    expect(await asked(over, { resolve })).toEqual(NOT_THERE);
  });
});

it("another password is another connection of a tool", async () => {
  let current: PostgresConnection = connection;
  const own = toolWorld({ connection: () => current });
  const ask = () => own.run(runOf("DATABASE_QUERY", ONE));
  expect((await ask()).outcome).toBe("answered");
  current = { ...connection, password: "another" };
  expect((await ask()).shown).toBe(NOT_THERE[1]);
  current = connection;
  expect((await ask()).outcome).toBe("answered");
  await own.close();
});
