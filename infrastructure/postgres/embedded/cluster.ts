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
import { release } from "node:os";
import { basename, join } from "node:path";
import { type Binaries, giveAllTo } from "./binaries.ts";
import { clusterTemplate } from "./cluster-template.ts";
import { EmbeddedPostgresError, systemErrorCode } from "./embedded-postgres-error.ts";
import { type EmbeddedFolders, giveTo } from "./folders.ts";
import { type ProcessEnd, runGuarded } from "./guarded-process.ts";
import type { PlatformPackage } from "./platform-package.ts";
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

export type NewCluster = {
  readonly binaries: Binaries;
  readonly source: PlatformPackage;
  readonly folders: EmbeddedFolders;
  readonly user: ServerUser | null;
  readonly fsync: boolean;
  /** Without Unix sockets initdb sets the password; else the first start does, and a template can be used. */
  readonly needsPassword: boolean;
  /** Folder of templates; null: none are used. */
  readonly templates: string | null;
  /** What a template has from the start: its key, and what makes it in a cluster. */
  readonly content: { readonly key: string; fill(cluster: string): Promise<void> } | null;
};

/**
 * Creates the cluster in a temporary folder and renames it, so that a kill leaves no incomplete one: as a
 * copy of the template of this package, or by initdb, which is then filled and becomes the template.
 */
export async function createCluster(wanted: NewCluster): Promise<void> {
  const { source, folders, user, fsync, needsPassword, content } = wanted;
  removeUnfinished(folders);
  // A unique name: an initdb that outlives its Node process for a moment removes only its own files.
  const unfinished = `${folders.cluster}.new-${randomUUID()}`;
  writeFileSync(folders.passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  giveTo(folders.passwordFile, user);
  const args = initdbArguments(needsPassword ? folders.passwordFile : null);
  const template = needsPassword
    ? null
    : clusterTemplate(source, args, content?.key ?? null, wanted.templates);
  if (template?.copyTo(unfinished) === true) {
    if (user !== null) giveAllTo(unfinished, user);
  } else {
    await initdb(wanted, [`--pgdata=${unfinished}`, ...args, "--no-sync"], user);
    if (!needsPassword) askOthersForPassword(unfinished);
    if (template?.wanted() === true) {
      await content?.fill(unfinished);
      await template.keep(unfinished, (folder) => sync(wanted, folder));
    }
  }
  if (fsync) await sync(wanted, unfinished);
  if (existsSync(folders.cluster)) rmdirSync(folders.cluster);
  renameSync(unfinished, folders.cluster);
  if (fsync) syncFolder(folders.home);
}

/** All at once where the system can: a file at a time takes a second on a busy disk. */
async function sync(wanted: NewCluster, folder: string): Promise<void> {
  const args = ["--sync-only", `--pgdata=${folder}`];
  if (syncsAllAtOnce() && (await runInitdb(wanted, [...args, "--sync-method=syncfs"], null)).code === 0)
    return;
  await initdb(wanted, args, null);
}

/** Since 5.8 Linux says of syncfs, too, when something could not be written. */
function syncsAllAtOnce(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 5 || (major === 5 && minor >= 8));
}

function runInitdb(
  { binaries: { environment, initdb: program } }: NewCluster,
  args: readonly string[],
  user: ServerUser | null,
): Promise<ProcessEnd> {
  return runGuarded({ program, args, user, environment }).exited;
}

async function initdb(wanted: NewCluster, args: readonly string[], user: ServerUser | null): Promise<void> {
  const { folders } = wanted;
  const end = await runInitdb(wanted, args, user);
  if (end.code === 0) return;
  removeUnfinished(folders);
  const why = lastLine(end.stderrTail) ?? `it ended with ${end.signal ?? end.code}`;
  throw new EmbeddedPostgresError(
    "initdb-failed",
    `initdb failed in ${folders.home}: ${why}`,
    end.stderrTail,
  );
}

function initdbArguments(passwordFile: string | null): string[] {
  return [
    `--username=${superuser}`,
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    `--auth-local=${process.platform === "win32" ? "scram-sha-256" : "trust"}`,
    // initdb wants a password for scram.
    ...(passwordFile === null
      ? ["--auth-host=reject"]
      : ["--auth-host=scram-sha-256", `--pwfile=${passwordFile}`]),
  ];
}

/** Whoever comes over TCP is asked for the password, which the first start sets. */
function askOthersForPassword(cluster: string): void {
  const path = join(cluster, "pg_hba.conf");
  const rules = readFileSync(path, "utf8").replaceAll(/^(host\b.*\s)reject$/gm, "$1scram-sha-256");
  writeFileSync(path, rules);
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
