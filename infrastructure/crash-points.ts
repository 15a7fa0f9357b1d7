import process from "node:process";
import type { CrashPoints } from "../application/ports/crash-points.ts";

/** In production nothing happens at a named point. */
const none: CrashPoints = { reached: () => undefined };

/**
 * For drills: `CRASH_AT=<point>[:n]` kills this process with SIGKILL when it reaches that point for the n-th time (the first without n);
 * `<point>:n:SIGSTOP` lets it stand still there until somebody sends SIGCONT. Points are named with hyphens: "before place call" is
 * `before-place-call`.
 */
export function crashPointsOf(crashAt: string | null): CrashPoints {
  if (crashAt === null) return none;
  const [name, count = "1", signal] = crashAt.split(":");
  let left = Number(count);
  return {
    reached: (point) => {
      if (point.replaceAll(" ", "-") !== name) return;
      left -= 1;
      if (left !== 0) return;
      if (signal === "SIGSTOP") process.kill(process.pid, "SIGSTOP");
      else die();
    },
  };
}

/** Nothing more may happen here while the signal is on its way. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}
