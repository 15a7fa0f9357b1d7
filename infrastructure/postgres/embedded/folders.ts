import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedPostgresError, systemErrorCode } from "./embedded-postgres-error.ts";
import { firstClosedPath, type ServerUser, withAncestors } from "./server-user.ts";

/** The folders of the embedded server. All paths are absolute and free of symbolic links. */
export type EmbeddedFolders = {
  readonly dataDir: string;
  /** DATA_DIR/postgres: used by nothing else, owned by the user that runs the server. */
  readonly home: string;
  readonly cluster: string;
  readonly socket: string;
  readonly ownerFile: string;
  readonly passwordFile: string;
};

/** sun_path is 104 bytes on macOS, 108 on Linux, with the closing zero. */
const longestSocketPath = 103;

/** The paths below a DATA_DIR that exists. */
export function foldersOf(dataDir: string): EmbeddedFolders {
  const real = realpathSync(dataDir);
  const home = join(real, "postgres");
  return {
    dataDir: real,
    home,
    cluster: join(home, "data"),
    socket: socketFolder(home),
    ownerFile: join(home, "owner.json"),
    passwordFile: join(home, "password"),
  };
}

/** Creates DATA_DIR and our folder in it; refuses with one line if that folder cannot be written. */
export async function prepareFolders(dataDir: string): Promise<EmbeddedFolders> {
  try {
    mkdirSync(dataDir, { recursive: true });
    const folders = foldersOf(dataDir);
    mkdirSync(folders.home, { recursive: true, mode: 0o700 });
    await access(folders.home, constants.R_OK | constants.W_OK | constants.X_OK);
    return folders;
  } catch (error) {
    throw new EmbeddedPostgresError(
      "data-dir-unusable",
      `DATA_DIR ${dataDir} cannot be used: ${reason(error)}`,
    );
  }
}

/**
 * As root: gives our own folder to the server's user and makes sure that this user can reach it. A closed
 * DATA_DIR is opened for the user's group only; a closed folder above it is reported, not changed.
 */
export function openFolders(folders: EmbeddedFolders, user: ServerUser | null): void {
  if (user === null) return;
  chownSync(folders.home, user.uid, user.gid);
  chmodSync(folders.home, 0o700);
  const path = withAncestors(folders.home);
  if (firstClosedPath(path, user) === folders.dataDir && statSync(folders.dataDir).uid === 0) {
    chownSync(folders.dataDir, 0, user.gid);
    chmodSync(folders.dataDir, statSync(folders.dataDir).mode | 0o010);
  }
  const closed = firstClosedPath(path, user);
  if (closed === null) return;
  throw new EmbeddedPostgresError(
    "folder-closed",
    `DATA_DIR ${folders.dataDir} cannot be reached by the user ${user.name} that runs PostgreSQL, because the folder ` +
      `${closed} is closed to him: chmod o+x ${closed}, or set DATA_DIR to a folder outside of it`,
  );
}

/** An empty folder, mode 0700, that belongs to the server's user. */
export function freshFolder(path: string, user: ServerUser | null): void {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  const own = process.getuid?.();
  if (existing !== undefined && own !== undefined && own !== 0 && existing.uid !== own) {
    throw new EmbeddedPostgresError(
      "data-dir-unusable",
      `${path} belongs to another user (uid ${existing.uid})`,
    );
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { mode: 0o700 });
  giveTo(path, user);
}

export function giveTo(path: string, user: ServerUser | null): void {
  if (user !== null) chownSync(path, user.uid, user.gid);
}

/**
 * Next to the cluster if the path is short enough; otherwise a short folder with a name
 * derived from the long one.
 */
function socketFolder(home: string): string {
  const name = `ringfold-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`;
  const choices = [join(home, "run"), join(realpathSync(tmpdir()), name)];
  const fitting = choices.find(
    (folder) => Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= longestSocketPath,
  );
  return fitting ?? join("/tmp", name);
}

function reason(error: unknown): string {
  const code = systemErrorCode(error);
  const reasons = new Map([
    ["EACCES", `permission denied for uid ${process.getuid?.() ?? "?"}`],
    ["EPERM", `not permitted for uid ${process.getuid?.() ?? "?"}`],
    ["EROFS", "the file system is read-only"],
    ["ENOSPC", "no space left on the device"],
    ["ENOTDIR", "it is below a file, not a folder"],
    ["EEXIST", "it is a file, not a folder"],
  ]);
  return reasons.get(code) ?? (error instanceof Error ? error.message : String(error));
}
