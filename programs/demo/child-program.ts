import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { belongsToUs } from "../../infrastructure/own-processes.ts";

export type ChildProgram = { readonly child: ChildProcess; readonly stdout: Readable };

/** In its own process group: Ctrl-C reaches only the demo, which then stops its programs. */
export function startChild(args: readonly string[], env: NodeJS.ProcessEnv, logFile: string): ChildProgram {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", log], detached: true });
  closeSync(log);
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error("The program could not be started");
  const { ended } = belongsToUs(pid);
  child.once("exit", ended);
  return { child, stdout };
}

/** SIGTERM, as an operator would stop it. */
export async function ended({ child }: ChildProgram): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

/** The address where it listens. Rejects with its output if it ends before. */
export async function listeningUrl({ child, stdout }: ChildProgram, logFile: string): Promise<string> {
  const failed = once(child, "exit").then(async ([code]) => {
    const said = (await readFile(logFile, "utf8")).trim().split("\n").at(-1);
    throw new Error(`The program ended with ${code} before it was ready: ${said}`);
  });
  const lines = createInterface({ input: stdout });
  const listening = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const url = /listens on (http\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  failed.catch(() => undefined); // a later end is not reported
  return Promise.race([listening, failed]);
}
