import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import pg from "pg";
import { belongsToUs, removed, temporaryFolder } from "../infrastructure/own-processes.ts";
import { findRunningEmbeddedPostgres } from "../infrastructure/postgres/embedded/embedded-postgres.ts";
import { START_ARGUMENTS } from "../programs/start-arguments.ts";
import { type Api, apiOf } from "./bench-api.ts";

/** The service as `npm start` runs it, in its own process, with its embedded database. */
export type BenchService = {
  readonly url: string;
  readonly apiKey: string;
  readonly api: Api;
  readonly dataDir: string;
  readonly pid: number;
  /** From the start of the process to its first 200 of /health/ready. */
  readonly readyMs: number;
  /** Of its database, for peers. */
  readonly connection: pg.ClientConfig;
  /** Another client of the same database, for counting. */
  readonly pool: pg.Pool;
  /** Resident memory of the service's process (without its database), now and at its highest, in MB. */
  memory(): { readonly now: number; readonly highest: number };
  /** SIGTERM; the data is kept. */
  stop(): Promise<void>;
  /** SIGTERM; the data is deleted. */
  remove(): Promise<void>;
};

export type ServiceOptions = {
  readonly dataDir?: string;
  readonly apiKey?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Never reached; printed with every table to which they matter. */
export const HIGH_LIMITS: Readonly<Record<string, string>> = {
  PLAN_MAX_CONCURRENT_CALLS: "100000",
  MAX_CONVERSATIONS: "100000",
  PLAN_MAX_CALLS_PER_SECOND: "100000",
  INITIAL_CREDITS: "1000000",
  RATE_LIMIT_PER_SECOND: "0",
};

export const LIMITS_SHOWN = {
  plan: "100,000 calls at once, 100,000 a second",
  "rate limit": "off",
  credits: "1,000,000",
};

export async function startBenchService(options: ServiceOptions = {}): Promise<BenchService> {
  const dataDir = options.dataDir ?? temporaryFolder("ringfold-bench-service-");
  const apiKey = options.apiKey ?? randomBytes(24).toString("hex");
  const started = performance.now();
  const child = spawn(process.execPath, [...profiling(), ...START_ARGUMENTS], {
    env: {
      PATH: process.env["PATH"] ?? "",
      ...HIGH_LIMITS,
      PORT: "0",
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: apiKey,
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      LOG_LEVEL: "warn",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // a benchmark that throws leaves no service running
  if (child.pid !== undefined) child.once("exit", belongsToUs(child.pid).ended);
  child.stderr.pipe(createWriteStream(join(tmpdir(), "ringfold-bench.log")));
  const url = await listeningUrl(child);
  await untilReady(url);
  const readyMs = performance.now() - started;
  const connection = { ...findRunningEmbeddedPostgres(dataDir) };
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on("error", () => undefined); // stopping the server cuts idle connections
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    await pool.end();
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  };
  return {
    url,
    apiKey,
    api: apiOf(url, apiKey),
    dataDir,
    pid,
    readyMs,
    connection,
    pool,
    memory: () => memoryOf(pid),
    stop,
    async remove() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
      removed(dataDir);
    },
  };
}

/** Settings that affect the figures, read from the running database. */
export async function settingsOf({ pool }: Pick<BenchService, "pool">): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'server_version') order by name",
  );
  return {
    ...Object.fromEntries(rows.map(({ name, setting }) => [name, setting])),
    "pools of the service": "20, and 7 of the log",
  };
}

/** p99 of the delay of its event loop in milliseconds, since the last reading. */
export async function loopDelayMs({ url }: Pick<BenchService, "url">): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1_000;
}

/** BENCH_PROFILE=<folder>: the service writes a CPU profile there when it stops. */
function profiling(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function listeningUrl(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream },
): Promise<string> {
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(
      `The service ended with ${code} before it listened; its log is ${join(tmpdir(), "ringfold-bench.log")}`,
    );
  });
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /listens on (http\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  return Promise.race([listening, failed]);
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`);
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** NaN where the system has no /proc. */
function memoryOf(pid: number): { readonly now: number; readonly highest: number } {
  const status = readStatus(pid);
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: megabytes("VmRSS"), highest: megabytes("VmHWM") };
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
