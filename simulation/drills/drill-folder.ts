import { chmodSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { removed, temporaryFolder } from "../../infrastructure/own-processes.ts";
import { removeFolder } from "./remove-folder.ts";

export type DrillFolder = { readonly path: string; readonly remove: () => Promise<void> };

/**
 * A separate folder for a drill; in memory if there is enough of it, because processes are killed
 * here, never the machine.
 */
export function makeDrillFolder(): DrillFolder {
  const path = temporaryFolder(`ringfold-drill-${process.pid}-`, roomiestFolder());
  // As root the database runs as another user, who needs access.
  chmodSync(path, 0o755);
  const remove = async () => {
    await removeFolder(path);
    removed(path);
  };
  return { path, remove };
}

function roomiestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 4 * 1024 ** 3 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}
