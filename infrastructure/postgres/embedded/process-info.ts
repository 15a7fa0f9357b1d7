import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * A process as the system shows it. `startMark` distinguishes two processes that had the same pid;
 * `commandLine` is the arguments joined and ended by a space, "" if they are hidden.
 */
export type ProcessInfo = {
  readonly pid: number;
  readonly zombie: boolean;
  readonly startMark: string;
  readonly commandLine: string;
};

/** The process with this pid, or null. A killed one is a zombie until its parent has read its status. */
export function readProcess(pid: number): ProcessInfo | null {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !signalReaches(pid)) return null;
  const shown = process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  return shown ?? { pid, zombie: false, startMark: "", commandLine: "" };
}

/** True while the process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  return readProcess(pid)?.zombie === false;
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function fromProc(pid: number): ProcessInfo | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in brackets and may itself contain spaces and
    // brackets: count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return { pid, zombie: fields[0] === "Z" || fields[0] === "X", startMark: fields[19] ?? "", commandLine };
  } catch {
    return null;
  }
}

function fromPs(pid: number): ProcessInfo | null {
  const args = ["-ww", "-o", "stat=", "-o", "lstart=", "-o", "command=", "-p", String(pid)];
  const [state, ...rest] = (spawnSync("ps", args, { encoding: "utf8" }).stdout ?? "").trim().split(/\s+/);
  if (state === undefined || state === "") return null;
  const commandLine = `${rest.slice(5).join(" ")} `;
  return { pid, zombie: state.startsWith("Z"), startMark: rest.slice(0, 5).join(" "), commandLine };
}
