import { isIP } from "node:net";
import { resolve } from "node:path";
import { z } from "zod";
import type { LogLevel } from "./logger.ts";

export type Role = "all" | "api" | "worker";

/** Everything the environment decides, checked and in the units of its name. */
export type Config = {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** null: the embedded PostgreSQL in dataDir. */
  readonly databaseUrl: string | null;
  /** null: the event log lives in PostgreSQL. */
  readonly eventStoreUrl: string | null;
  readonly eventStorePrefix: string;
  readonly role: Role;
  readonly bootstrapApiKey: string | null;
  readonly webhookAllowCidrs: readonly string[];
  /** Whose connections are not counted by address. */
  readonly trustedProxies: readonly string[];
  readonly plan: { readonly maxConcurrentCalls: number; readonly maxCallsPerSecond: number };
  readonly creditPricePerMinute: number;
  readonly initialCredits: number;
  /** perSecond 0: no rate limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  readonly logLevel: LogLevel;
  /** Where the outside finds this service; null: http://host:port as it listens. */
  readonly publicUrl: string | null;
  readonly secretsKey: string | null;
  readonly acceptRestored: string | null;
  readonly simulator: {
    /** null: inside this process. */
    readonly url: string | null;
    /** Both sides know it and every request carries it; null: the carrier is on loopback and wants none. */
    readonly token: string | null;
    readonly seed: number;
    /** Divides the simulator's own ring and talk times. */
    readonly speed: number;
    /** Length of a retry minute. */
    readonly minuteMillis: number;
    readonly port: number;
    readonly dataDir: string;
  };
  readonly crashAt: string | null;
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

const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number).pipe(z.number().min(min).max(max));
const decimal = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number")
    .transform(Number)
    .pipe(z.number().min(min).max(max));

function isUrlOf(protocols: readonly string[]): (text: string) => boolean {
  return (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function isCidr(text: string): boolean {
  const [address, bits, ...rest] = text.split("/");
  if (address === undefined || bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

const cidrs = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((cidr) => cidr.trim())
      .filter((cidr) => cidr !== ""),
  )
  .refine((ranges) => ranges.every(isCidr), "takes address ranges such as 127.0.0.0/8, separated by commas")
  .default([]);

const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: whole(0, 65_535).default(3000),
  DATA_DIR: z.string().default("./.data"),
  DATABASE_URL: z
    .string()
    .refine(isUrlOf(["postgres:", "postgresql:"]), "must be a postgres:// URL")
    .optional(),
  EVENTSTORE_URL: z
    .string()
    .refine(isUrlOf(["esdb:", "esdb+discover:"]), "must be an esdb:// or esdb+discover:// URL")
    .optional(),
  EVENTSTORE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{0,64}$/, "takes up to 64 letters, digits, '_', '.' and '-'")
    .default("ringfold-"),
  CARRIER: z.enum(["simulated"]).default("simulated"),
  ROLE: z.enum(["all", "api", "worker"]).default("all"),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, "takes 16 to 200 visible ASCII characters without spaces")
    .optional(),
  WEBHOOK_ALLOW_CIDRS: cidrs,
  TRUSTED_PROXIES: cidrs,
  PLAN_MAX_CONCURRENT_CALLS: whole(1, 100_000).default(10),
  PLAN_MAX_CALLS_PER_SECOND: decimal(0.001, 100_000).default(10),
  CREDIT_PRICE_PER_MINUTE: decimal(0, 1_000_000).default(1),
  INITIAL_CREDITS: decimal(0, 1_000_000_000).default(1000),
  RATE_LIMIT_PER_SECOND: whole(0, 1_000_000).default(1000),
  RATE_LIMIT_BURST: whole(0, 1_000_000).default(2000),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  PUBLIC_URL: z
    .string()
    .refine(isUrlOf(["http:", "https:"]), "must be an http:// or https:// URL")
    .optional(),
  SECRETS_KEY: z.string().optional(),
  ACCEPT_RESTORED: z.string().optional(),
  SIMULATOR_URL: z
    .string()
    .refine(isUrlOf(["http:", "https:"]), "must be an http:// URL")
    .optional(),
  SIMULATOR_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, "takes 16 to 200 visible ASCII characters without spaces")
    .optional(),
  SIMULATOR_SEED: whole(0, 4_294_967_295).default(1),
  SIMULATOR_SPEED: decimal(0.001, 1_000_000).default(1),
  SIMULATOR_MINUTE_MS: whole(1, 3_600_000).default(60_000),
  SIMULATOR_PORT: whole(0, 65_535).default(3900),
  SIMULATOR_DATA_DIR: z.string().default("./.data/carrier"),
  CRASH_AT: z
    .string()
    .regex(/^[A-Za-z0-9-]+(:\d+(:SIGSTOP)?)?$/, "takes <point>[:n[:SIGSTOP]]")
    .optional(),
});

type Environment = z.infer<typeof environment>;

/** Of the carrier as a program of its own: whoever reaches it could have people called, and read who was. Throws ConfigError. */
export function requireTokenBeyondLoopback({ host, simulator }: Config): void {
  if (simulator.token !== null || isLoopback(host)) return;
  throw new ConfigError([
    `SIMULATOR_TOKEN: required to listen on ${host}: beyond loopback every request must carry it (16 to 200 visible ASCII characters, the same for the service)`,
  ]);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Every mistake at once; values are not repeated, because some of them are secrets. An empty variable counts as not set. */
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

function contradictions(env: Environment): string[] {
  const lines: string[] = [];
  if (env.DATABASE_URL !== undefined && env.SECRETS_KEY === undefined) {
    lines.push(
      "SECRETS_KEY: required with DATABASE_URL (32 bytes in base64); only the embedded database makes one in DATA_DIR",
    );
  }
  if (env.RATE_LIMIT_PER_SECOND > 0 && env.RATE_LIMIT_BURST < 1)
    lines.push("RATE_LIMIT_BURST: must be at least 1 while RATE_LIMIT_PER_SECOND is set");
  if (env.ROLE !== "all" && env.DATABASE_URL === undefined)
    lines.push(`ROLE: ${env.ROLE} needs DATABASE_URL, because processes share one database`);
  if (env.ROLE !== "all" && env.SIMULATOR_URL === undefined)
    lines.push(`ROLE: ${env.ROLE} needs SIMULATOR_URL, because processes share one carrier`);
  return lines;
}

function configOf(env: Environment): Config {
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    eventStoreUrl: env.EVENTSTORE_URL ?? null,
    eventStorePrefix: env.EVENTSTORE_PREFIX,
    role: env.ROLE,
    bootstrapApiKey: env.BOOTSTRAP_API_KEY ?? null,
    webhookAllowCidrs: env.WEBHOOK_ALLOW_CIDRS,
    trustedProxies: env.TRUSTED_PROXIES,
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
    acceptRestored: env.ACCEPT_RESTORED ?? null,
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
  };
}
