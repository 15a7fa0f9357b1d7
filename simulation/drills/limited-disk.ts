import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A separate disk (in memory) that can be filled to the last byte. */
export type LimitedDisk = {
  readonly path: string;
  readonly fill: () => Promise<void>;
  /** Makes room again. */
  readonly clear: () => Promise<void>;
  /** Throws while it is still in use. */
  readonly remove: () => void;
};

const MEGABYTE = 1_048_576;

/** Only root can mount, and not in every container. */
export function canLimitDisks(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    makeLimitedDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}

export function makeLimitedDisk(megabytes: number): LimitedDisk {
  const path = mkdtempSync(join(tmpdir(), "ringfold-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", path], {
      stdio: "pipe",
    });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw error;
  }
  const ballast = join(path, "ballast");
  return {
    path,
    fill: async () => {
      const file = await open(ballast, "a");
      try {
        for (;;) await file.write(Buffer.alloc(MEGABYTE));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        await file.close();
      }
    },
    clear: () => rm(ballast),
    remove: () => {
      execFileSync("umount", [path], { stdio: "pipe" });
      rmSync(path, { recursive: true });
    },
  };
}
