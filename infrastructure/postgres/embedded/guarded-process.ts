import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** How a program ended. `stderrTail`: its last 8 kB of output. */
export type ProcessEnd = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
};

export type GuardedProcess = {
  /** The pid of the program (not of its supervisor); null if it could not be started. */
  readonly pid: Promise<number | null>;
  /** Settles once the program and every child of it that shares its stderr are gone. */
  readonly exited: Promise<ProcessEnd>;
};

export type GuardedCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** The user that runs it; null: the current user. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
};

/** The programs get nothing of our environment: no PG* variable, no locale, no secret. */
export const childEnvironment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
} as const;

const tailLength = 8192;

/**
 * Its stdin is a pipe held only by our Node process. Its end means that Node is gone, also by kill -9; the
 * supervisor then stops the program. The supervisor ignores the signals that a terminal or a service manager
 * sends to all processes, so that its exit always means that of the program.
 */
const supervisor = `
trap '' HUP INT QUIT TERM
exec 3<&0 </dev/null
"$@" 3<&- >&2 &
program=$!
echo "$program"
exec >/dev/null 2>&1
(while read -r line; do :; done; kill -INT "$program") <&3 &
guard=$!
exec 3<&-
wait "$program"
code=$?
kill -KILL "$guard"
exit "$code"
`;

/** Starts a program that does not outlive this process and does not get Ctrl-C (it has its own session). */
export function runGuarded(command: GuardedCommand): GuardedProcess {
  const child = spawnSupervised(command);
  let tail = "";
  let unfinished = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-tailLength);
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) command.onLine?.(line);
  });
  // The pipe breaks when the supervisor ends first; its exit reports that.
  child.stdin.on("error", () => undefined);
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, stderrTail: error.message }));
    child.once("close", (code, signal) => resolve({ ...decoded(code, signal), stderrTail: tail }));
  });
  return { pid: programPid(child, exited), exited };
}

/** Sends a signal to a server; Windows has none, there pg_ctl is used. */
export function signalServer(pid: number, signal: "SIGINT" | "SIGQUIT", program: string): void {
  if (process.platform === "win32") {
    spawnSync(join(dirname(program), "pg_ctl.exe"), ["kill", signal.slice(3), String(pid)]);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, as requested.
  }
}

function spawnSupervised(command: GuardedCommand): ChildProcessByStdio<Writable, Readable, Readable> {
  const identity = command.user === null ? {} : { uid: command.user.uid, gid: command.user.gid };
  const windows = process.platform === "win32";
  const file = windows ? command.program : "/bin/sh";
  const args = windows ? command.args : ["-c", supervisor, "sh", command.program, ...command.args];
  return spawn(file, args, {
    ...identity,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
    env: { ...childEnvironment, ...command.environment },
    // That user may have no access to our working directory.
    cwd: dirname(windows ? command.program : "/"),
  });
}

async function programPid(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  exited: Promise<ProcessEnd>,
): Promise<number | null> {
  if (process.platform === "win32") return child.pid ?? null;
  const announced = new Promise<number>((resolve) => {
    child.stdout.setEncoding("utf8").once("data", (text: string) => resolve(Number.parseInt(text, 10)));
  });
  return Promise.race([announced, exited.then(() => null)]);
}

/** A shell reports a program ended by a signal as 128 + its number. */
function decoded(code: number | null, signal: string | null): Pick<ProcessEnd, "code" | "signal"> {
  if (code === null || code <= 128) return { code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}
