import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { environment, type VariableName } from "../../infrastructure/environment.ts";
import { removed, temporaryFolder } from "../../infrastructure/own-processes.ts";
import { orStopped } from "../process-exit.ts";
import { START_ARGUMENTS } from "../start-arguments.ts";
import type { DemoCarrier } from "./arguments.ts";
import { type ChildProgram, ended, listeningUrl, startChild } from "./child-program.ts";
import { startFakeTwilioProgram } from "./fake-twilio-program.ts";

export type RunningService = {
  readonly url: string;
  readonly apiKey: string;
};

export type DemoService = {
  /** Begins the names of its streams in EventStoreDB; null: its events are in its own PostgreSQL. */
  readonly streams: string | null;
  /**
   * Starts the service as a separate program and resolves when it listens. Rejects with its
   * output if it ends before. `onStep` gets what the service does meanwhile.
   */
  readonly start: (onStep: (step: string) => void) => Promise<RunningService>;
  /**
   * SIGTERM, as an operator would stop it; the demo's data is deleted. Returns where its log was kept,
   * if that was asked for.
   */
  readonly stop: (log: "keep the log" | "remove all") => Promise<string | null>;
};

/** Speed of the demo's simulated world: docs/api.md §9 says what each setting does not affect. */
const SIMULATED_WORLD = { SIMULATOR_SPEED: "25", SIMULATOR_MINUTE_MS: "300", SIMULATOR_SEED: "7" };

/** Variables of the user's environment that a demo takes; their other ones are for their installation. */
const TAKEN: ReadonlySet<VariableName> = new Set(["LOG_LEVEL", "EVENTSTORE_URL"]);
const LEFT_OUT = Object.fromEntries(
  environment
    .keyof()
    .options.filter((name) => !TAKEN.has(name))
    .map((name) => [name, ""]),
);

/**
 * Begins the names of this run's streams in the user's EventStoreDB: no streams of an installation, and none
 * that one would take for its own.
 */
function ownPrefix(ofInstallation: string | undefined): string {
  const prefix = `${randomBytes(4).toString("hex")}-demo-`;
  return ofInstallation && prefix.startsWith(ofInstallation) ? ownPrefix(ofInstallation) : prefix;
}

/** The service of one demo, in a folder of this run, which is removed however the demo ends. */
export function demoService(stop: AbortSignal, carrier: DemoCarrier): DemoService {
  const folder = temporaryFolder("ringfold-demo-");
  const logFile = join(folder, "service.log");
  const programs: ChildProgram[] = [];
  const { EVENTSTORE_URL, EVENTSTORE_PREFIX } = process.env;
  const streams = EVENTSTORE_URL ? ownPrefix(EVENTSTORE_PREFIX) : null;
  return {
    streams,
    start: async (onStep) => {
      const apiKey = randomBytes(24).toString("hex");
      const twilio = carrier === "twilio" ? await fakeTwilio(folder, stop) : null;
      if (twilio !== null) programs.push(twilio.program);
      const env = { ...serviceEnvironment(folder, apiKey, streams), ...twilio?.serviceEnv };
      const service = startChild(START_ARGUMENTS, env, logFile);
      programs.push(service);
      const listening = orStopped(stop, listeningUrl(service, logFile));
      await tellSteps(logFile, listening, onStep);
      return { url: await listening, apiKey };
    },
    stop: async (wish) => {
      for (const program of programs.toReversed()) await ended(program);
      const kept = wish === "keep the log" && existsSync(logFile) ? `${folder}.log` : null;
      if (kept !== null) await rename(logFile, kept);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      removed(folder);
      return kept;
    },
  };
}

const LOOK_EVERY_MILLIS = 100;

/** Tells each step of the start that appears in the service's log, until it listens or fails. */
async function tellSteps(
  logFile: string,
  listening: Promise<string>,
  onStep: (step: string) => void,
): Promise<void> {
  let over = false;
  const ended = listening.then(
    () => (over = true),
    () => (over = true),
  );
  for (let told = 0; !over; ) {
    await Promise.race([ended, wait(LOOK_EVERY_MILLIS)]);
    const steps = stepsIn(await readFile(logFile, "utf8").catch(() => ""));
    for (const step of steps.slice(told)) onStep(step);
    told = steps.length;
  }
}

/** Complete lines that say `step`. */
function stepsIn(log: string): string[] {
  return [...log.matchAll(/^\{.*"step":"([^"]+)".*\}$/gm)].map(([, step = ""]) => step);
}

function fakeTwilio(folder: string, stop: AbortSignal) {
  const env = { ...process.env, ...LEFT_OUT, ...SIMULATED_WORLD };
  return orStopped(stop, startFakeTwilioProgram(join(folder, "twilio"), env));
}

function serviceEnvironment(folder: string, apiKey: string, streams: string | null): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...LEFT_OUT,
    ...SIMULATED_WORLD,
    PORT: "0",
    DATA_DIR: folder,
    EVENTSTORE_PREFIX: streams ?? "",
    BOOTSTRAP_API_KEY: apiKey,
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    TOOL_ALLOW_CIDRS: "127.0.0.0/8",
  };
}
