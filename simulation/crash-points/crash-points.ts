import process from "node:process";

/** A named place before or after an effect, where a drill may kill the process or a test may hold it. */
export interface CrashPoints {
  reached(point: string): void | Promise<void>;
}

/**
 * For drills: `CRASH_AT=<point>[:n]` kills this process with SIGKILL when it reaches that point for the n-th
 * time (the first without n); `<point>:n:SIGSTOP` stops it there until a SIGCONT. null: nothing is wrapped.
 */
export function crashPointsOf(crashAt: string | null): CrashPoints | null {
  if (crashAt === null) return null;
  const [name, count = "1", signal] = crashAt.split(":");
  let left = Number(count);
  return {
    reached: (point) => {
      if (point !== name) return;
      left -= 1;
      if (left !== 0) return;
      if (signal === "SIGSTOP") process.kill(process.pid, "SIGSTOP");
      else die();
    },
  };
}

/** Nothing more may happen here until the signal arrives. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}
