import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { EmbeddedFolders } from "./folders.ts";
import { signalServer } from "./guarded-process.ts";
import { isRunning, readProcess } from "./process-info.ts";
import type { Log } from "./server-log.ts";

const stepMilliseconds = 20;
const patience = { fastStop: 10_000, quickStop: 20_000, otherSystem: 5_000 };

/**
 * Handles the postmaster.pid that an earlier run left in the cluster; only the owner of the DATA_DIR may call
 * it. A server of this very cluster is stopped; a server run by another container or machine is refused
 * (`held`). Returns the environment for the next start: if the pid now belongs to another process or a zombie
 * (which a signal still reaches), PostgreSQL is told to skip that one check. The file itself is never
 * deleted, because its shared memory key protects the data.
 */
export async function settleLeftover(
  folders: EmbeddedFolders,
  program: string,
  log: Log,
): Promise<Readonly<Record<string, string>>> {
  const pid = recordedPid(folders.cluster);
  if (pid === null) return {};
  const found = readProcess(pid);
  if (found?.commandLine.includes(` -D ${folders.cluster} `)) {
    log("warn", "stopping a server that an earlier run left behind", { pid });
    await stopServer(pid, program, () => isRunning(pid));
    return {};
  }
  await refuseServerOfOtherSystem(folders);
  if (found === null) return {};
  log("info", "postmaster.pid names a process that is not our server", { pid, zombie: found.zombie });
  return { PG_GRANDPARENT_PID: String(pid) };
}

/** Fast shutdown, immediate shutdown after 10 s; resolves when `running` says no. */
export async function stopServer(pid: number, program: string, running: () => boolean): Promise<void> {
  signalServer(pid, "SIGINT", program);
  if (await until(() => !running(), patience.fastStop)) return;
  signalServer(pid, "SIGQUIT", program);
  if (await until(() => !running(), patience.quickStop)) return;
  throw new EmbeddedPostgresError("held", `the PostgreSQL server with pid ${pid} does not stop`);
}

/** True as soon as the condition holds, false if it still does not after so many milliseconds. */
export async function until(condition: () => boolean, milliseconds: number): Promise<boolean> {
  for (let waited = 0; !condition(); waited += stepMilliseconds) {
    if (waited >= milliseconds) return false;
    await wait(stepMilliseconds);
  }
  return true;
}

function recordedPid(cluster: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, "postmaster.pid"), "utf8"), 10);
    // A negative pid is a single-user backend, which PostgreSQL itself handles.
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

/** Pids of another container mean nothing here, but a socket on a shared volume still answers. */
async function refuseServerOfOtherSystem(folders: EmbeddedFolders): Promise<void> {
  const socket = join(folders.socket, ".s.PGSQL.5432");
  for (let waited = 0; await accepts(socket); waited += 250) {
    if (waited >= patience.otherSystem) {
      throw new EmbeddedPostgresError(
        "held",
        `DATA_DIR ${folders.dataDir} is held by a PostgreSQL server outside of this system (another container?): ` +
          "stop that one, or set DATA_DIR to another folder",
      );
    }
    await wait(250);
  }
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once("connect", () => resolve(true)).once("error", () => resolve(false));
    connection.once("close", () => connection.destroy()).unref();
    connection.once("connect", () => connection.end());
  });
}
