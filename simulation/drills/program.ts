import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { belongsToUs } from "../../infrastructure/own-processes.ts";

export type ProgramEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A program of this repository in its own process. */
export type Program = {
  readonly pid: number;
  /** Its address; rejects when it ends before. */
  readonly listening: Promise<string>;
  readonly exited: Promise<ProgramEnd>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** SIGTERM, after 15 s SIGKILL. */
  readonly stop: () => Promise<ProgramEnd>;
};

/** `npm start`. */
export const SERVICE = join(import.meta.dirname, "../../programs/start.js");

const STOP_PATIENCE_MILLIS = 15_000;
/** Half of a start is compiling the source; the second start of a drill uses a cache. */
const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/ringfold-drills");
const running = new Set<number>();

/** Starts `file` with exactly this environment (and PATH); its stderr is appended to `logFile`. */
export function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
  logFile: string,
  args: readonly string[] = [],
): Program {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error(`${file} did not start`);
  running.add(pid);
  // When this process ends, its programs end: a failed drill leaves nothing behind.
  const { ended } = belongsToUs(pid);
  const exited = once(child, "exit").then(([code, signal]): ProgramEnd => {
    running.delete(pid);
    ended();
    return { code, signal };
  });
  const listening = untilItListens(stdout, exited, file, logFile);
  // Only callers of `listening` need its error; an unexpected end is reported by `exited`.
  listening.catch(() => undefined);
  const signal = (name: NodeJS.Signals) => {
    if (running.has(pid)) process.kill(pid, name);
  };
  return { pid, listening, exited, signal, stop: () => stop(signal, exited) };
}

async function untilItListens(
  stdout: NodeJS.ReadableStream,
  exited: Promise<ProgramEnd>,
  file: string,
  logFile: string,
): Promise<string> {
  const found = Promise.withResolvers<string>();
  createInterface({ input: stdout }).on("line", (line) => {
    const url = /listens on (http\S+)/.exec(line)?.[1];
    if (url !== undefined) found.resolve(url);
  });
  const failed = exited.then(({ code, signal }) => {
    throw new Error(`${file} ended with ${signal ?? code} before it was ready; see ${logFile}`);
  });
  return Promise.race([found.promise, failed]);
}

async function stop(
  signal: (name: NodeJS.Signals) => void,
  exited: Promise<ProgramEnd>,
): Promise<ProgramEnd> {
  signal("SIGTERM");
  signal("SIGCONT");
  const tooLong = setTimeout(() => signal("SIGKILL"), STOP_PATIENCE_MILLIS);
  const end = await exited;
  clearTimeout(tooLong);
  return end;
}
