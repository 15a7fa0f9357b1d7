import { readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { withClient } from "../pool.ts";
import { prepareBinaries } from "./binaries.ts";
import { checkCluster, createCluster, type NewCluster, superuser } from "./cluster.ts";
import { cacheBeside } from "./cluster-template.ts";
import { EmbeddedPostgresError, systemErrorCode } from "./embedded-postgres-error.ts";
import { type EmbeddedFolders, foldersOf, freshFolder, openFolders, prepareFolders } from "./folders.ts";
import { freePort } from "./free-port.ts";
import type { ProcessEnd } from "./guarded-process.ts";
import { settleLeftover } from "./leftover-server.ts";
import { type Connection, livingOwner, takeOwnership } from "./owner-file.ts";
import { findPlatformPackage, readPlatformPackage } from "./platform-package.ts";
import { type RunningServer, type ServerCommand, startServer } from "./server.ts";
import type { Log } from "./server-log.ts";
import {
  type ServerSettings,
  serverArguments,
  socketPort,
  templatePort,
  templateSettings,
} from "./server-settings.ts";
import { chooseServerUser } from "./server-user.ts";

/** What new clusters have from the start, because all of a release have it; it makes nothing secret. */
export type FirstContent = {
  /** Other for all that `make` makes otherwise. */
  key(): string;
  make(connection: Connection): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  readonly dataDir: string;
  readonly log?: Log;
  /** Server settings by name, over ours. */
  readonly settings?: ServerSettings;
  /** false gives up durability: tests only. */
  readonly fsync?: boolean;
  /** "tcp": 127.0.0.1 with a password, for systems without Unix sockets. */
  readonly transport?: "socket" | "tcp";
  /** A platform package elsewhere than in node_modules. */
  readonly packageFolder?: string;
  /**
   * Folder of cluster templates; null: each cluster is made by initdb. Default: in the cache of node_modules.
   */
  readonly templates?: string | null;
  /** What templates have; without one `make` is not asked. */
  readonly content?: FirstContent;
};

export type EmbeddedPostgres = {
  /** Connection options for `pg`. */
  readonly connection: Connection;
  readonly pid: number;
  /** Stops the server (its clients first) and releases DATA_DIR. A repeat changes nothing. */
  stop(): Promise<void>;
  /** Settles when the server is gone, for any reason; it can then be started again. */
  readonly exited: Promise<ProcessEnd>;
};

/** A server shared with the process that started it. */
export type JoinedPostgres = { readonly connection: Connection; stop(): Promise<void> };

/**
 * Starts the embedded PostgreSQL of a DATA_DIR (made when missing) and resolves when it answers queries. It
 * ends with this process, however that ends. Throws EmbeddedPostgresError; `held` names the process that has
 * this DATA_DIR already.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const folders = await prepareFolders(dataDir);
  const ownership = takeOwnership(folders.ownerFile, dataDir);
  try {
    const { server, connection } = await startOwned(options, folders);
    ownership.publish(connection);
    // It may be outside of DATA_DIR, where nobody would look for it, so it is also removed
    // when the process exits.
    const removeSocket = () => rmSync(folders.socket, { recursive: true, force: true });
    process.once("exit", removeSocket);
    return published(server, connection, () => {
      process.off("exit", removeSocket);
      removeSocket();
      ownership.release();
    });
  } catch (error) {
    ownership.release();
    throw error;
  }
}

/** The running server of this DATA_DIR, started by any process; null if none answers. */
export function findRunningEmbeddedPostgres(dataDir: string): Connection | null {
  try {
    return livingOwner(foldersOf(dataDir).ownerFile)?.connection ?? null;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    const why = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError("data-dir-unusable", `DATA_DIR ${dataDir} cannot be read: ${why}`);
  }
}

/**
 * For tools beside the service: uses the server of the process that holds this DATA_DIR (waiting up to a
 * minute if it is just starting), or starts one. `stop` stops it only in the second case.
 */
export async function joinOrStartEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<JoinedPostgres> {
  const stepMilliseconds = 100;
  for (let waited = 0; ; waited += stepMilliseconds) {
    const connection = findRunningEmbeddedPostgres(options.dataDir);
    if (connection !== null) return { connection, stop: async () => undefined };
    try {
      return await startEmbeddedPostgres(options);
    } catch (error) {
      const starting = error instanceof EmbeddedPostgresError && error.code === "held";
      if (!starting || waited >= 60_000) throw error;
    }
    await wait(stepMilliseconds);
  }
}

async function startOwned(
  options: EmbeddedPostgresOptions,
  folders: EmbeddedFolders,
): Promise<{ server: RunningServer; connection: Connection }> {
  const { log = () => undefined, settings = {}, fsync = true, packageFolder } = options;
  const source = packageFolder === undefined ? findPlatformPackage() : readPlatformPackage(packageFolder);
  const user = chooseServerUser(folders.cluster);
  openFolders(folders, user);
  const found = checkCluster(folders, source.major);
  const binaries = prepareBinaries(source, folders.home, user);
  const environment = await settleLeftover(folders, binaries.postgres, log);
  const needsPassword = options.transport === "tcp" || process.platform === "win32";
  const { templates = cacheBeside(source) } = options;
  if (found === "missing") {
    log("info", "start", { step: "making the database, at the first start only" });
    const content = contentFor(options, { binaries, folders, user, environment, log });
    await createCluster({ binaries, source, folders, user, fsync, needsPassword, templates, content });
  }
  log("info", "start", { step: "starting PostgreSQL" });
  freshFolder(folders.socket, user);
  const connection = await connectionOf(folders, needsPassword);
  const args = serverArguments(folders, connection, settings, fsync);
  const { cluster, passwordFile } = folders;
  const server = await startServer({
    binaries,
    args,
    user,
    environment,
    connection,
    cluster,
    passwordFile,
    log,
  });
  log("info", "embedded PostgreSQL is ready", {
    pid: server.pid,
    version: source.version,
    made: found === "missing",
  });
  return { server, connection };
}

/** It is made by a server of its own in the cluster that becomes the template, which is shut down then. */
function contentFor(
  { content }: EmbeddedPostgresOptions,
  parts: Pick<ServerCommand, "binaries" | "environment" | "log" | "user"> & {
    readonly folders: EmbeddedFolders;
  },
): NewCluster["content"] {
  if (content === undefined) return null;
  const { folders, user } = parts;
  return {
    key: content.key(),
    fill: async (cluster) => {
      freshFolder(folders.socket, user);
      const connection = { ...(await connectionOf(folders, false)), port: templatePort };
      const args = serverArguments({ ...folders, cluster }, connection, templateSettings, false);
      const server = await startServer({ ...parts, args, connection, cluster, passwordFile: null });
      try {
        await content.make(connection);
        await withClient(connection, (client) => client.query("select pg_switch_wal()"));
      } finally {
        await server.stop();
      }
    },
  };
}

async function connectionOf(folders: EmbeddedFolders, needsPassword: boolean): Promise<Connection> {
  const account = { user: superuser, database: "ringfold" };
  if (!needsPassword) return { ...account, host: folders.socket, port: socketPort };
  const password = readFileSync(folders.passwordFile, "utf8");
  return { ...account, host: "127.0.0.1", port: await freePort(), password };
}

function published(server: RunningServer, connection: Connection, release: () => void): EmbeddedPostgres {
  const exited = server.exited.then((end) => {
    release();
    return end;
  });
  return {
    connection,
    pid: server.pid,
    exited,
    stop: async () => {
      await server.stop();
      await exited;
    },
  };
}
