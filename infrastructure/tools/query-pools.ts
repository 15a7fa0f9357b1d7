import { createHash } from "node:crypto";
import net from "node:net";
import pg from "pg";
import { createRecentMap } from "../../application/recent-map.ts";
import { type AddressPolicy, judgeAddress, type ResolveName } from "../http/address-guard.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { type LentClient, lentClient, QueryClient } from "./query-client.ts";

/** Owners' databases are many, and none is ours: few connections each, and only for as long as they are used. */
const MOST_CONNECTIONS = 2;
const IDLE_MILLIS = 10_000;
/** Waiting for a free one included. */
const CONNECT_MILLIS = 5_000;
const KEPT_POOLS = 200;

export type QueryPoolDeps = {
  /** Opens the ranges that are not public. */
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
};

export type QueryPools = {
  /** null: the address is not allowed. Rejects when the database cannot be had. */
  readonly lend: (connection: PostgresConnection) => Promise<LentClient | null>;
  readonly close: () => Promise<void>;
};

/**
 * One pool for each connection as it is now (a changed password makes another one) and the address it leads to. Names are resolved for every use, each answer
 * must be allowed, and the socket goes to the address that was judged.
 */
export function createQueryPools({ policy, resolve }: QueryPoolDeps): QueryPools {
  const recent = createRecentMap<string, pg.Pool>(KEPT_POOLS);
  const all = new Set<pg.Pool>();

  const poolOf = (connection: PostgresConnection, address: string): pg.Pool => {
    const key = createHash("sha256")
      .update(JSON.stringify([connection, address]))
      .digest("hex");
    const known = recent.get(key);
    if (known !== undefined) return known;
    const pool = openPool(connection, address);
    recent.set(key, pool);
    all.add(pool);
    // One that nobody finds any more is forgotten when its connections, idle, have closed.
    pool.on("remove", () => pool.totalCount === 0 && recent.get(key) !== pool && all.delete(pool));
    return pool;
  };
  return {
    lend: async (connection) => {
      const address = await allowedAddress(policy, resolve, connection.host);
      return address === null ? null : lentClient(await poolOf(connection, address).connect());
    },
    close: async () => {
      await Promise.all([...all].map((pool) => pool.end()));
    },
  };
}

async function allowedAddress(
  policy: AddressPolicy,
  resolve: ResolveName,
  host: string,
): Promise<string | null> {
  const addresses = net.isIP(host) === 0 ? await resolve(host) : [host];
  const isAllowed = addresses.every((address) => judgeAddress(policy, address) !== "refused");
  return isAllowed ? (addresses[0] ?? null) : null;
}

function openPool(connection: PostgresConnection, address: string): pg.Pool {
  const { host, port, database, user, password, tls } = connection;
  const pool = new pg.Pool({
    host: address,
    port,
    database,
    user,
    password,
    ssl: tls ? { rejectUnauthorized: true, ...(net.isIP(host) === 0 ? { servername: host } : {}) } : false,
    Client: QueryClient,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MILLIS,
    idleTimeoutMillis: IDLE_MILLIS,
    allowExitOnIdle: true,
    application_name: "ringfold-tool",
  });
  // Without listeners a connection that breaks would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
