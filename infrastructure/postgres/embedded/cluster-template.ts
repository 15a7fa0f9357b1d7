import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveOwnIdentity, WAL_FILE } from "./cluster-identity.ts";
import type { PlatformPackage } from "./platform-package.ts";

/**
 * A new cluster, kept for the installations that follow. It holds no password, and nothing that one
 * installation has alone.
 */
export type ClusterTemplate = {
  /** false: there is none, or it cannot be read; nothing is at `folder` then. */
  copyTo(folder: string): boolean;
  /** false: there is one, or the cache cannot be written. */
  wanted(): boolean;
  /**
   * Keeps a copy of a new cluster that is shut down; `sync` flushes a folder to the disk. Does nothing when
   * there is one already, or when the cache cannot be written.
   */
  keep(cluster: string, sync: (folder: string) => Promise<void>): Promise<void>;
};

/** Where the layout of the control file is known. */
const MAJOR = 18;
/** Of free space and of visible rows: a fifth of all files. A table may be without, and vacuum makes them. */
const MAP_FILE = /^\d+_(?:fsm|vm)$/;
/** An unfinished copy of a process that died; a living one takes a second. */
const ABANDONED_MILLIS = 10 * 60_000;

/**
 * The template of this package, these arguments of initdb and this first content, below `cache`; null: there
 * can be none.
 */
export function clusterTemplate(
  { version, major }: PlatformPackage,
  initdbArguments: readonly string[],
  content: string | null,
  cache: string | null,
): ClusterTemplate | null {
  if (cache === null || major !== MAJOR) return null;
  const kind = `${version}-${shortHash(initdbArguments.join("\n"))}`;
  const path = join(cache, content === null ? kind : `${kind}-${shortHash(content)}`);
  return {
    wanted() {
      try {
        mkdirSync(cache, { recursive: true });
        accessSync(cache, constants.W_OK);
        return !existsSync(path);
      } catch {
        return false;
      }
    },
    copyTo(folder) {
      if (!existsSync(path)) return false;
      try {
        copyWithOwnIdentity(path, folder);
        return true;
      } catch {
        rmSync(folder, { recursive: true, force: true });
        return false;
      }
    },
    async keep(cluster, sync) {
      if (existsSync(path)) return;
      // A unique name, and complete on the disk before it gets its own.
      const unfinished = `${path}.new-${randomUUID()}`;
      try {
        mkdirSync(cache, { recursive: true });
        removeAbandoned(cache);
        if (content !== null) removeOthers(cache, kind, path);
        copyWithOwnIdentity(cluster, unfinished);
        await sync(unfinished);
        renameSync(unfinished, path);
      } catch {
        // Not writable, full, or another start was faster.
        rmSync(unfinished, { recursive: true, force: true });
      }
    },
  };
}

/** Beside the packages, so that it goes with them; null where a package lies elsewhere. */
export function cacheBeside({ folder }: PlatformPackage): string | null {
  const modules = dirname(dirname(folder));
  return basename(modules) === "node_modules" ? join(modules, ".cache", "ringfold-clusters") : null;
}

function copyWithOwnIdentity(from: string, to: string): void {
  copyFolder(from, to);
  // Written at each start, with the paths of whoever it was.
  rmSync(join(to, "postmaster.opts"), { force: true });
  giveOwnIdentity(to);
}

/** Not cpSync: its folders do not keep their mode, and PostgreSQL refuses one that others may read. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else if (MAP_FILE.test(entry.name)) continue;
    else if (WAL_FILE.test(entry.name)) copyWritten(source, target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

/** A file of the write-ahead log has 16 MB from the first, of which a shut-down cluster needs a page. */
function copyWritten(source: string, target: string): void {
  const whole = readFileSync(source);
  let end = whole.length;
  while (end > 0 && whole[end - 1] === 0) end -= 1;
  writeFileSync(target, whole.subarray(0, end), { mode: 0o600 });
  truncateSync(target, whole.length);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** Those of other contents, which no release starts with from here any more. */
function removeOthers(cache: string, kind: string, path: string): void {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith(`${kind}-`) || name.includes(".new-") || join(cache, name) === path) continue;
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.includes(".new-") && Date.now() - statSync(path).mtimeMs > ABANDONED_MILLIS)
      rmSync(path, { recursive: true, force: true });
  }
}
