import { constants } from "node:os";
import process from "node:process";
import { UsageError } from "./command-line.ts";

/**
 * Why a program has to end: the reason of its stop signal. `code`: the exit code if its
 * work is not done then.
 */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly code: number;
  constructor(why: string, code: number) {
    super(why);
    this.code = code;
  }
}

/** npm and systemd may deliver one signal twice. */
const SAME_SIGNAL_MILLIS = 1_000;
/** docs/api.md §9: all within 12 s. */
const LONGEST_STOP_MILLIS = 11_500;

export type ProgramOptions = {
  /** Formats the error of `main`; default: its message. */
  readonly tell?: (error: unknown) => readonly string[];
  /** It runs until it is stopped: that is its normal end, with exit code 0. */
  readonly goesOn?: boolean;
};

/**
 * Runs a program and exits with the code that `main` returns. SIGTERM, SIGINT, SIGHUP and a closed reader of
 * its output abort `stop` with a `Stopped`, and `main` ends in order. A second signal more than 1 s later
 * ends the program at once (143, 130, 129), and so does a `main` that takes longer than 11.5 s to stop. An
 * error of `main` is printed, exit code 1 (2 for a UsageError). An error after a stop is not printed, and the
 * code is that of the stop.
 */
export function runProgram(
  main: (stop: AbortSignal) => Promise<number>,
  { tell = (error) => [messageOf(error)], goesOn = false }: ProgramOptions = {},
): void {
  const stop = new AbortController();
  let stoppedAt: number | null = null;
  const end = (stopped: Stopped) => {
    stoppedAt = performance.now();
    stop.abort(stopped);
    setTimeout(() => process.exit(goesOn ? 0 : stopped.code), LONGEST_STOP_MILLIS).unref();
  };
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
    const code = 128 + constants.signals[signal];
    process.on(signal, () => {
      if (stoppedAt === null) end(new Stopped(`stopped by ${signal}`, code));
      else if (performance.now() - stoppedAt > SAME_SIGNAL_MILLIS) process.exit(code);
    });
  }
  for (const output of [process.stdout, process.stderr]) {
    output.on("error", (error) => {
      if (nobodyReads(error) && stoppedAt === null) end(new Stopped("nobody reads its output any more", 0));
    });
  }
  main(stop.signal).then(
    (code) => process.exit(code),
    (error: unknown) => {
      if (stop.signal.reason instanceof Stopped && !goesOn) process.exit(stop.signal.reason.code);
      const misused = error instanceof UsageError;
      for (const line of misused ? error.lines : tell(error)) process.stderr.write(`${line}\n`);
      process.exit(misused ? 2 : 1);
    },
  );
}

/** Any other error of a write (a full disk) loses a line and ends nothing. */
function nobodyReads(error: NodeJS.ErrnoException): boolean {
  return error.code !== undefined && READER_GONE.has(error.code);
}
/** A pipe or a connection without a reader; a terminal that was closed. */
const READER_GONE = new Set(["EPIPE", "ECONNRESET", "EIO"]);

/**
 * For work that cannot be stopped: rejects with the reason as soon as there is one; the exit of the
 * process ends the work.
 */
export function orStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([work, untilStopped(stop).then(() => Promise.reject(stop.reason))]);
}

export function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
