import { randomBytes } from "node:crypto";
import process from "node:process";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../infrastructure/postgres/embedded/embedded-postgres.ts";
import type { Connection } from "../../infrastructure/postgres/embedded/owner-file.ts";
import { makeDrillFolder } from "./drill-folder.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

/** A PostgreSQL that the service reaches over TCP (DATABASE_URL), through a proxy that can lose answers. */
export type RemoteDatabase = {
  /** Directly to the server, without the proxy. */
  readonly connection: Connection;
  readonly env: Readonly<Record<string, string>>;
  readonly proxy: FaultProxy;
  /** SIGKILL to the postmaster; resolves when the server is gone. */
  readonly kill: () => Promise<void>;
  readonly startAgain: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startRemoteDatabase(): Promise<RemoteDatabase> {
  const folder = makeDrillFolder();
  const start = () => startEmbeddedPostgres({ dataDir: folder.path, transport: "tcp" });
  let server: EmbeddedPostgres = await start();
  const { user, password = "", database } = server.connection;
  const proxy = await startFaultProxy(server.connection.port);
  return {
    connection: server.connection,
    env: {
      DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}/${database}`,
      SECRETS_KEY: randomBytes(32).toString("base64"),
    },
    proxy,
    kill: async () => {
      process.kill(server.pid, "SIGKILL");
      await server.exited;
    },
    startAgain: async () => {
      server = await start();
      proxy.target(server.connection.port);
    },
    close: async () => {
      await proxy.close();
      await server.stop();
      await folder.remove();
    },
  };
}
