import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { belongsToUs, removed, temporaryFolder } from "../belongings.ts";
import { START_ARGUMENTS } from "../start-arguments.ts";
import { orStopped } from "../ways-out.ts";

export type RunningService = {
  readonly url: string;
  readonly apiKey: string;
};

export type DemoService = {
  /** Starts the service as a program of its own and resolves when it listens. Rejects with what it said when it ends before. */
  readonly start: () => Promise<RunningService>;
  /** SIGTERM, as an operator would stop it; the data of the demo goes with it. Answers where its log was kept, if that was asked for. */
  readonly stop: (log: "keep the log" | "remove all") => Promise<string | null>;
};

/** How fast the simulated world of the demo is: see docs/api.md §9 on what each of them does not touch. */
const SIMULATED_WORLD = { SIMULATOR_SPEED: "25", SIMULATOR_MINUTE_MS: "300", SIMULATOR_SEED: "7" };

/** Of whoever starts the demo: its database, its carrier and its processes are not the demo's. */
const LEFT_OUT = Object.fromEntries(
  ["DATABASE_URL", "SIMULATOR_URL", "ROLE", "HOST", "PUBLIC_URL", "CRASH_AT", "LLM_BASE_URL"].map((name) => [
    name,
    "",
  ]),
);

type ServiceProcess = { readonly child: ChildProcess; readonly stdout: Readable };

/** The service of one demo, in a folder of this run's own, which goes with the demo whichever way it ends. */
export function demoService(stop: AbortSignal): DemoService {
  const folder = temporaryFolder("ringfold-demo-");
  const logFile = join(folder, "service.log");
  let service: ServiceProcess | null = null;
  return {
    start: async () => {
      const apiKey = randomBytes(24).toString("hex");
      const started = spawned(folder, logFile, apiKey);
      service = started;
      return { url: await orStopped(stop, listeningUrl(started, logFile)), apiKey };
    },
    stop: async (log) => {
      if (service !== null) await ended(service);
      const kept = log === "keep the log" && service !== null ? `${folder}.log` : null;
      if (kept !== null) await rename(logFile, kept);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      removed(folder);
      return kept;
    },
  };
}

/** In a process group of its own: Ctrl-C reaches the demo alone, which then stops its service. */
function spawned(folder: string, logFile: string, apiKey: string): ServiceProcess {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, START_ARGUMENTS, {
    env: {
      ...process.env,
      ...LEFT_OUT,
      ...SIMULATED_WORLD,
      PORT: "0",
      DATA_DIR: folder,
      BOOTSTRAP_API_KEY: apiKey,
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      TOOL_ALLOW_CIDRS: "127.0.0.0/8",
    },
    stdio: ["ignore", "pipe", log],
    detached: true,
  });
  closeSync(log);
  const { pid, stdout } = child;
  if (pid === undefined || stdout === null) throw new Error("The service could not be started");
  const { gone } = belongsToUs(pid);
  child.once("exit", gone);
  return { child, stdout };
}

async function ended({ child }: ServiceProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

async function listeningUrl({ child, stdout }: ServiceProcess, logFile: string): Promise<string> {
  const failed = once(child, "exit").then(async ([code]) => {
    const said = (await readFile(logFile, "utf8")).trim().split("\n").at(-1);
    throw new Error(`The service ended with ${code} before it was ready: ${said}`);
  });
  const lines = createInterface({ input: stdout });
  const listening = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const url = /listens on (http\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  failed.catch(() => undefined); // its later end is no news
  return Promise.race([listening, failed]);
}
