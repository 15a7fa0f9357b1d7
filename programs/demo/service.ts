import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { START_ARGUMENTS } from "../start-arguments.ts";

export type RunningService = {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
  /** SIGTERM, as an operator would stop it; the data of the demo goes with it. */
  stop(): Promise<void>;
};

/** How fast the simulated world of the demo is: see interface.md §9 on what each of them does not touch. */
const SIMULATED_WORLD = { SIMULATOR_SPEED: "25", SIMULATOR_MINUTE_MS: "300", SIMULATOR_SEED: "7" };

/** Starts the service as a program of its own, in a data directory of its own, and waits until it says where it listens. */
export async function startService(): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), "ringfold-demo-"));
  const apiKey = randomBytes(24).toString("hex");
  const child = spawn(process.execPath, START_ARGUMENTS, {
    env: {
      ...process.env,
      ...SIMULATED_WORLD,
      PORT: "0",
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: apiKey,
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(createWriteStream(join(tmpdir(), "ringfold-demo.log")));
  const url = await listeningUrl(child);
  return { url, apiKey, dataDir, stop: () => stopService(child, dataDir) };
}

/** The demo ends its service, whichever way it ends itself. */
async function stopService(child: ChildProcess, dataDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  await rm(dataDir, { recursive: true, force: true });
}

async function listeningUrl(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream },
): Promise<string> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(
      `The service ended with ${code} before it was ready; its log is ${join(tmpdir(), "ringfold-demo.log")}`,
    );
  });
  const lines = createInterface({ input: child.stdout });
  const listening = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const url = /listens on (http\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  return Promise.race([listening, failed]);
}
