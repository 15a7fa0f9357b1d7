import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * Child processes and temporary folders that must not outlive this process, however it ends
 * (except by SIGKILL).
 */
const children = new Set<number>();
const folders = new Set<string>();

const SERVER_MAY_TAKE_MILLIS = 5_000;
const STEP_MILLIS = 10;

process.once("exit", () => {
  for (const pid of children) kill(pid, "SIGKILL");
  for (const folder of folders) removeNow(folder);
});

/** Killed if this process ends first; call `gone` at the child's exit. */
export function belongsToUs(pid: number): { readonly ended: () => void } {
  children.add(pid);
  return { ended: () => void children.delete(pid) };
}

/**
 * A new, unique folder in the temporary folder, with this prefix; removed with its content
 * when this process ends.
 */
export function temporaryFolder(prefix: string, base = tmpdir()): string {
  const folder = mkdtempSync(join(base, prefix));
  folders.add(folder);
  return folder;
}

/** Another program removes it. */
export function removed(folder: string): void {
  folders.delete(folder);
}

/** A database in it is stopped first, because it would go on writing. */
function removeNow(folder: string): void {
  for (const pid of serversIn(folder)) {
    kill(pid, "SIGQUIT");
    for (let waited = 0; isThere(pid) && waited < SERVER_MAY_TAKE_MILLIS; waited += STEP_MILLIS)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MILLIS);
  }
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch (error) {
    process.stderr.write(`${folder} was not removed: ${String(error)}\n`);
  }
}

function serversIn(folder: string): number[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names
      .filter((name) => name.endsWith("postmaster.pid"))
      .map((name) => Number.parseInt(readFileSync(join(folder, name), "utf8"), 10))
      .filter((pid) => pid > 1);
  } catch {
    return []; // the folder or file was removed meanwhile
  }
}

function isThere(pid: number): boolean {
  return kill(pid, 0);
}

/** false: there is no such process. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
