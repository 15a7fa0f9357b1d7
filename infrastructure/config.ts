import { isIP } from "node:net";
import { join, resolve } from "node:path";
import type { CarrierDetails } from "../application/ports/configuration/connections.ts";
import type { ConnectedCarrier } from "../domain/call/carrier-identity.ts";
import { contradictions } from "./config-contradictions.ts";
import { type Environment, environment } from "./environment.ts";
import type { LogLevel } from "./logger.ts";

export type Role = "all" | "api" | "worker";

/** Speech engines for audio lines. A model is never given without `server`. */
export type SpeechConfig = {
  readonly server: {
    /** Without a trailing slash. */
    readonly baseUrl: string;
    readonly apiKey: string | null;
  } | null;
  readonly voiceModel: string | null;
  readonly earModel: string | null;
  /** For assistants that name none. */
  readonly voice: string | null;
};

/** All settings from the environment, checked, in the units of their names. */
export type Config = {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** null: the embedded PostgreSQL in dataDir. */
  readonly databaseUrl: string | null;
  /** null: the event log is in PostgreSQL. */
  readonly eventStoreUrl: string | null;
  readonly eventStorePrefix: string;
  readonly role: Role;
  /** Whether browsers may sign in at this process. */
  readonly dashboard: boolean;
  readonly bootstrapApiKey: string | null;
  readonly webhookAllowCidrs: readonly string[];
  readonly toolAllowCidrs: readonly string[];
  readonly connectionAllowCidrs: readonly string[];
  /** The installation's default model; null: the scripted one. */
  readonly llm: {
    /** Without a trailing slash. */
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly model: string;
  } | null;
  /** Conversations that this process holds at once. */
  readonly maxConversations: { readonly text: number; readonly audio: number };
  readonly speech: SpeechConfig;
  /** Proxies whose connections are not counted by address. */
  readonly trustedProxies: readonly string[];
  readonly plan: { readonly maxConcurrentCalls: number; readonly maxCallsPerSecond: number };
  readonly creditPricePerMinute: number;
  readonly initialCredits: number;
  /** perSecond 0: no rate limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly logLevel: LogLevel;
  /** Public address of this service; null: http://host:port where it listens. */
  readonly publicUrl: string | null;
  readonly secretsKey: string | null;
  readonly erasuresFile: string;
  readonly recordingsDir: string;
  /** Length of a day of retention. */
  readonly retentionDayMillis: number;
  readonly acceptRestored: string | null;
  /** Carrier of numbers without a connection. */
  readonly carrier: "simulated" | ConnectedCarrier;
  /** The installation's default connections to carriers. */
  readonly carriers: readonly CarrierDetails[];
  readonly simulator: {
    /** null: inside this process. */
    readonly url: string | null;
    /** Both sides know it and every request has it; null: the carrier is on loopback and needs none. */
    readonly token: string | null;
    readonly seed: number;
    /** Divides the simulator's ring and talk times. */
    readonly speed: number;
    /** Length of a retry minute. */
    readonly minuteMillis: number;
    readonly port: number;
    readonly dataDir: string;
  };
  readonly crashAt: string | null;
  /** Folders in which programs are looked for (`PATH`). */
  readonly searchPath: string | undefined;
};

/** One clear line for each mistake in the environment. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/**
 * The separate carrier program: anybody who reaches it could have people called, and read who
 * was. Throws ConfigError.
 */
export function requireTokenBeyondLoopback({ host, simulator }: Config): void {
  if (simulator.token !== null || isLoopback(host)) return;
  throw new ConfigError([
    `SIMULATOR_TOKEN: required to listen on ${host}: beyond loopback every request must carry it (16 to 200 visible ASCII characters, the same for the service)`,
  ]);
}

const DAY_MILLIS = 86_400_000;

/** What an operator should hear of at the start: a line each. The service starts all the same. */
export function warningsOf({ carrier, carriers, retentionDayMillis }: Config): readonly string[] {
  const lines: string[] = [];
  if (retentionDayMillis < DAY_MILLIS)
    lines.push(
      "RETENTION_DAY_MS is shorter than a day: words of calls are erased sooner than accounts say; for drills only",
    );
  if (carrier !== "simulated" && !carriers.some(({ kind }) => kind === carrier)) {
    const missing = carrier === "twilio" ? "TWILIO_ACCOUNT_SID" : "ASTERISK_URL";
    lines.push(
      `CARRIER=${carrier} without ${missing}: every number needs a connectionId; calls from one that has none are refused (CONNECTION_REQUIRED)`,
    );
  }
  return lines;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/**
 * Reports every mistake at once, without values, because some of them are secrets. An empty
 * variable counts as not set.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  const mistakes = contradictions(parsed.data);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return configOf(parsed.data);
}

function carriersOf(env: Environment): readonly CarrierDetails[] {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = env;
  const { ASTERISK_URL: url, ASTERISK_USER: user, ASTERISK_PASSWORD: password } = env;
  const carriers: CarrierDetails[] = [];
  if (accountSid !== undefined && authToken !== undefined) {
    const baseUrl = env.TWILIO_API_URL?.replace(/\/+$/, "") ?? null;
    const settings = { accountSid, callsPerSecond: env.TWILIO_CALLS_PER_SECOND, baseUrl };
    carriers.push({ kind: "twilio", settings, secrets: { authToken } });
  }
  if (url !== undefined && user !== undefined && password !== undefined) {
    const limits = { callsPerSecond: null, maxConcurrentCalls: null };
    const settings = { url: url.replace(/\/+$/, ""), user, context: env.ASTERISK_CONTEXT, ...limits };
    carriers.push({ kind: "asterisk", settings, secrets: { password } });
  }
  return carriers;
}

function speechOf(env: Environment): SpeechConfig {
  const { SPEECH_BASE_URL: url, SPEECH_API_KEY, SPEECH_TTS_MODEL, SPEECH_STT_MODEL, SPEECH_VOICE } = env;
  return {
    server: url === undefined ? null : { baseUrl: url.replace(/\/+$/, ""), apiKey: SPEECH_API_KEY ?? null },
    voiceModel: SPEECH_TTS_MODEL ?? null,
    earModel: SPEECH_STT_MODEL ?? null,
    voice: SPEECH_VOICE ?? null,
  };
}

function llmOf({ LLM_BASE_URL, LLM_API_KEY, LLM_MODEL }: Environment): Config["llm"] {
  if (LLM_BASE_URL === undefined || LLM_MODEL === undefined) return null;
  return { baseUrl: LLM_BASE_URL.replace(/\/+$/, ""), apiKey: LLM_API_KEY ?? null, model: LLM_MODEL };
}

const TEXT_CONVERSATIONS = 500;
const AUDIO_CONVERSATIONS = 50;

function configOf(env: Environment): Config {
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    eventStoreUrl: env.EVENTSTORE_URL ?? null,
    eventStorePrefix: env.EVENTSTORE_PREFIX,
    role: env.ROLE,
    dashboard: env.DASHBOARD === "on" && env.ROLE !== "worker",
    bootstrapApiKey: env.BOOTSTRAP_API_KEY ?? null,
    webhookAllowCidrs: env.WEBHOOK_ALLOW_CIDRS,
    toolAllowCidrs: env.TOOL_ALLOW_CIDRS,
    connectionAllowCidrs: env.CONNECTION_ALLOW_CIDRS,
    llm: llmOf(env),
    speech: speechOf(env),
    trustedProxies: env.TRUSTED_PROXIES,
    maxConversations: {
      text: env.MAX_CONVERSATIONS ?? TEXT_CONVERSATIONS,
      audio: env.MAX_CONVERSATIONS ?? AUDIO_CONVERSATIONS,
    },
    plan: {
      maxConcurrentCalls: env.PLAN_MAX_CONCURRENT_CALLS,
      maxCallsPerSecond: env.PLAN_MAX_CALLS_PER_SECOND,
    },
    creditPricePerMinute: env.CREDIT_PRICE_PER_MINUTE,
    initialCredits: env.INITIAL_CREDITS,
    rateLimit: { perSecond: env.RATE_LIMIT_PER_SECOND, burst: env.RATE_LIMIT_BURST },
    logLevel: env.LOG_LEVEL,
    publicUrl: env.PUBLIC_URL ?? null,
    secretsKey: env.SECRETS_KEY ?? null,
    erasuresFile: resolve(env.ERASURES_FILE ?? join(env.DATA_DIR, "erasures.jsonl")),
    recordingsDir: resolve(env.RECORDINGS_DIR ?? join(env.DATA_DIR, "recordings")),
    retentionDayMillis: env.RETENTION_DAY_MS,
    acceptRestored: env.ACCEPT_RESTORED ?? null,
    carrier: env.CARRIER,
    carriers: carriersOf(env),
    simulator: {
      url: env.SIMULATOR_URL ?? null,
      token: env.SIMULATOR_TOKEN ?? null,
      seed: env.SIMULATOR_SEED,
      speed: env.SIMULATOR_SPEED,
      minuteMillis: env.SIMULATOR_MINUTE_MS,
      port: env.SIMULATOR_PORT,
      dataDir: resolve(env.SIMULATOR_DATA_DIR),
    },
    crashAt: env.CRASH_AT ?? null,
    searchPath: process.env["PATH"],
  };
}
