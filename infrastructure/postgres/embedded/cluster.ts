import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { EmbeddedPostgresError, systemErrorCode } from "./embedded-postgres-error.ts";
import { type EmbeddedFolders, giveTo } from "./folders.ts";
import { runGuarded } from "./guarded-process.ts";
import { lastLine } from "./server-log.ts";
import type { ServerUser } from "./server-user.ts";

export const superuser = "ringfold";

/**
 * Refuses a cluster that this PostgreSQL cannot read, and a folder that is not a cluster; an empty or
 * missing one is fine.
 */
export function checkCluster(folders: EmbeddedFolders, major: number): "ready" | "missing" {
  const { cluster } = folders;
  try {
    if (!existsSync(cluster) || readdirSync(cluster).length === 0) return "missing";
    const found = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
    if (found === String(major)) return "ready";
    throw new EmbeddedPostgresError(
      "other-major-version",
      `${cluster} was made by PostgreSQL ${found} and this release brings PostgreSQL ${major}: start the release that ` +
        "made it, export its log, and import that into a new DATA_DIR (or set DATABASE_URL to a server of that version)",
    );
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    const why =
      systemErrorCode(error) === "ENOENT" ? "it holds files but no PostgreSQL cluster" : String(error);
    throw new EmbeddedPostgresError("data-dir-unusable", `${cluster} cannot be used: ${why}`);
  }
}

/** Creates the cluster in a temporary folder and renames it, so that a kill leaves no incomplete one. */
export async function createCluster(
  binaries: Binaries,
  folders: EmbeddedFolders,
  user: ServerUser | null,
  fsync: boolean,
): Promise<void> {
  removeUnfinished(folders);
  // A unique name: an initdb that outlives its Node process for a moment removes only its own files.
  const unfinished = `${folders.cluster}.new-${randomUUID()}`;
  writeFileSync(folders.passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  giveTo(folders.passwordFile, user);
  const end = await runGuarded({
    program: binaries.initdb,
    args: initdbArguments(unfinished, folders.passwordFile, fsync),
    user,
    environment: binaries.environment,
  }).exited;
  if (end.code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const why = lastLine(end.stderrTail) ?? `it ended with ${end.signal ?? end.code}`;
    throw new EmbeddedPostgresError(
      "initdb-failed",
      `initdb failed in ${folders.home}: ${why}`,
      end.stderrTail,
    );
  }
  if (existsSync(folders.cluster)) rmdirSync(folders.cluster);
  renameSync(unfinished, folders.cluster);
  if (fsync) syncFolder(folders.home);
}

function initdbArguments(folder: string, passwordFile: string, fsync: boolean): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    `--auth-local=${process.platform === "win32" ? "scram-sha-256" : "trust"}`,
    "--auth-host=scram-sha-256",
    "--no-instructions",
    ...(fsync ? [] : ["--no-sync"]),
  ];
}

function removeUnfinished(folders: EmbeddedFolders): void {
  const prefix = `${basename(folders.cluster)}.new`;
  for (const name of readdirSync(folders.home)) {
    if (!name.startsWith(prefix)) continue;
    rmSync(join(folders.home, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/**
 * Without it a power failure could undo the rename after commits were acknowledged. Windows
 * cannot open a folder.
 */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}
