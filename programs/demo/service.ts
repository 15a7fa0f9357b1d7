import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { removed, temporaryFolder } from "../../infrastructure/own-processes.ts";
import { START_ARGUMENTS } from "../start-arguments.ts";
import { orStopped } from "../ways-out.ts";
import type { DemoCarrier } from "./arguments.ts";
import { type ChildProgram, ended, listeningUrl, startChild } from "./child-program.ts";
import { startFakeTwilioProgram } from "./fake-twilio-program.ts";

export type RunningService = {
  readonly url: string;
  readonly apiKey: string;
};

export type DemoService = {
  /**
   * Starts the service as a separate program and resolves when it listens. Rejects with its
   * output if it ends before.
   */
  readonly start: () => Promise<RunningService>;
  /**
   * SIGTERM, as an operator would stop it; the demo's data is deleted. Returns where its log was kept,
   * if that was asked for.
   */
  readonly stop: (log: "keep the log" | "remove all") => Promise<string | null>;
};

/** Speed of the demo's simulated world: docs/api.md §9 says what each setting does not affect. */
const SIMULATED_WORLD = { SIMULATOR_SPEED: "25", SIMULATOR_MINUTE_MS: "300", SIMULATOR_SEED: "7" };

/** Variables of the user's environment: their database, carrier and processes are not for the demo. */
const LEFT_OUT = Object.fromEntries(
  [
    "DATABASE_URL",
    "SIMULATOR_URL",
    "ROLE",
    "HOST",
    "PUBLIC_URL",
    "CRASH_AT",
    "LLM_BASE_URL",
    "CARRIER",
    "TWILIO_ACCOUNT_SID",
    "TWILIO_AUTH_TOKEN",
    "TWILIO_API_URL",
    "ASTERISK_URL",
    "ASTERISK_USER",
    "ASTERISK_PASSWORD",
  ].map((name) => [name, ""]),
);

/** The service of one demo, in a folder of this run, which is removed however the demo ends. */
export function demoService(stop: AbortSignal, carrier: DemoCarrier): DemoService {
  const folder = temporaryFolder("ringfold-demo-");
  const logFile = join(folder, "service.log");
  const programs: ChildProgram[] = [];
  return {
    start: async () => {
      const apiKey = randomBytes(24).toString("hex");
      const twilio = carrier === "twilio" ? await fakeTwilio(folder, stop) : null;
      if (twilio !== null) programs.push(twilio.program);
      const env = { ...serviceEnvironment(folder, apiKey), ...twilio?.serviceEnv };
      const service = startChild(START_ARGUMENTS, env, logFile);
      programs.push(service);
      return { url: await orStopped(stop, listeningUrl(service, logFile)), apiKey };
    },
    stop: async (log) => {
      for (const program of programs.toReversed()) await ended(program);
      const kept = log === "keep the log" && programs.length > 0 ? `${folder}.log` : null;
      if (kept !== null) await rename(logFile, kept);
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      removed(folder);
      return kept;
    },
  };
}

function fakeTwilio(folder: string, stop: AbortSignal) {
  const env = { ...process.env, ...LEFT_OUT, ...SIMULATED_WORLD };
  return orStopped(stop, startFakeTwilioProgram(join(folder, "twilio"), env));
}

function serviceEnvironment(folder: string, apiKey: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...LEFT_OUT,
    ...SIMULATED_WORLD,
    PORT: "0",
    DATA_DIR: folder,
    BOOTSTRAP_API_KEY: apiKey,
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    TOOL_ALLOW_CIDRS: "127.0.0.0/8",
  };
}
