import { createHash, randomUUID } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveOwnIdentity } from "./cluster-identity.ts";
import type { PlatformPackage } from "./platform-package.ts";

/**
 * A cluster as initdb makes it, kept for the installations that follow. It holds no password and nothing of
 * ours.
 */
export type ClusterTemplate = {
  /** false: there is none, or it cannot be read; nothing is at `folder` then. */
  copyTo(folder: string): boolean;
  /**
   * Keeps a copy of a new cluster that never ran; `sync` flushes a folder to the disk. Does nothing when
   * there is one already, or when the cache cannot be written.
   */
  keep(cluster: string, sync: (folder: string) => Promise<void>): Promise<void>;
};

/** Where the layout of the control file is known. */
const MAJOR = 18;
/** An unfinished copy of a process that died; a living one takes a second. */
const ABANDONED_MILLIS = 10 * 60_000;

/**
 * The template of this package and these arguments of initdb, below `cache`; null: there can be none.
 */
export function clusterTemplate(
  { version, major }: PlatformPackage,
  initdbArguments: readonly string[],
  cache: string | null,
): ClusterTemplate | null {
  if (cache === null || major !== MAJOR) return null;
  const made = createHash("sha256").update(initdbArguments.join("\n")).digest("hex").slice(0, 12);
  const path = join(cache, `${version}-${made}`);
  return {
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
  giveOwnIdentity(to);
}

/** Not cpSync: its folders do not keep their mode, and PostgreSQL refuses one that others may read. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.includes(".new-") && Date.now() - statSync(path).mtimeMs > ABANDONED_MILLIS)
      rmSync(path, { recursive: true, force: true });
  }
}
