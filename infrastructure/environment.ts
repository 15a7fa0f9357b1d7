import { isIP } from "node:net";
import { z } from "zod";
import { CONNECTED_CARRIERS } from "../domain/call/carrier-identity.ts";

const whole = (min: number, max: number) => numberFrom(/^\d+$/, "a whole number", min, max);
const decimal = (min: number, max: number) => numberFrom(/^\d+(\.\d+)?$/, "a number", min, max);

/** One message for every mistake in a number, so that it always names the range. */
function numberFrom(form: RegExp, kind: string, min: number, max: number) {
  const fits = (text: string) => form.test(text) && Number(text) >= min && Number(text) <= max;
  return z.string().refine(fits, `takes ${kind} from ${min} to ${max}`).transform(Number);
}

const urlOf = (protocols: readonly string[], message: string) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), message)
    .optional();

const credential = () =>
  z.string().regex(/^[\x21-\x7e]{16,200}$/, "takes 16 to 200 visible ASCII characters without spaces");

const speechName = () => z.string().max(255, "takes at most 255 characters").optional();

const cidrs = () =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((cidr) => cidr.trim())
        .filter((cidr) => cidr !== ""),
    )
    .refine((ranges) => ranges.every(isCidr), "takes address ranges such as 127.0.0.0/8, separated by commas")
    .default([]);

function isCidr(text: string): boolean {
  const [address, bits, ...rest] = text.split("/");
  if (address === undefined || bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Every variable: range, default and, as its description, the text of --help and docs/configuration.md. */
export const environment = z.object({
  HOST: z.string().default("127.0.0.1").describe("address that it listens on; 0.0.0.0: every one"),
  PORT: whole(0, 65_535).default(3000).describe("TCP port that it listens on; 0: a free one"),
  PUBLIC_URL: urlOf(["http:", "https:"], "must be an http:// or https:// URL").describe(
    "where others find it (addresses of recordings); unset: http://HOST:PORT",
  ),
  DATA_DIR: z
    .string()
    .default("./.data")
    .describe("folder of the embedded database, the secrets key and the simulated carrier's journal"),
  DATABASE_URL: urlOf(["postgres:", "postgresql:"], "must be a postgres:// URL").describe(
    "a PostgreSQL (17 or 18) of your own in place of the embedded one; needs SECRETS_KEY",
  ),
  EVENTSTORE_URL: urlOf(["esdb:", "esdb+discover:"], "must be an esdb:// or esdb+discover:// URL").describe(
    "esdb://…: the log lives in EventStoreDB (23.10 or 24.10) in place of PostgreSQL",
  ),
  EVENTSTORE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{0,64}$/, "takes up to 64 letters, digits, '_', '.' and '-'")
    .default("ringfold-")
    .describe("begins the names of this installation's streams in EventStoreDB"),
  SECRETS_KEY: z
    .string()
    .optional()
    .describe("32 bytes in base64 that encrypt secrets at rest; unset: made in DATA_DIR"),
  BOOTSTRAP_API_KEY: credential()
    .optional()
    .describe("the first API key, used only while there is none: 16 to 200 visible ASCII characters"),
  ROLE: z
    .enum(["all", "api", "worker"])
    .default("all")
    .describe("all, or one of api and worker, which share a DATABASE_URL and a SIMULATOR_URL"),
  PLAN_MAX_CONCURRENT_CALLS: whole(1, 100_000)
    .default(10)
    .describe("calls at once of every owner whose plan no operator set; a change holds from the next start"),
  PLAN_MAX_CALLS_PER_SECOND: decimal(0.001, 100_000)
    .default(10)
    .describe(
      "new calls a second of every owner whose plan no operator set; a change holds from the next start",
    ),
  CREDIT_PRICE_PER_MINUTE: decimal(0, 1_000_000)
    .default(1)
    .describe("credits for a minute of an answered call, billed by started second"),
  INITIAL_CREDITS: decimal(0, 1_000_000_000).default(1000).describe("credits of a new owner"),
  RATE_LIMIT_PER_SECOND: whole(0, 1_000_000)
    .default(1000)
    .describe("requests a second of one API key; 0: no limit"),
  RATE_LIMIT_BURST: whole(0, 1_000_000).default(2000).describe("requests of one API key in one moment"),
  WEBHOOK_ALLOW_CIDRS: cidrs().describe(
    "private address ranges that webhooks may go to, also by http, for development: 127.0.0.0/8",
  ),
  TOOL_ALLOW_CIDRS: cidrs().describe(
    "private address ranges that tools may reach, requests also by http: 10.1.0.0/16; for every owner",
  ),
  CONNECTION_ALLOW_CIDRS: cidrs().describe(
    "private address ranges that owners' connections may lead to, also without TLS: 10.0.0.0/8",
  ),
  MAX_CONVERSATIONS: whole(1, 1_000_000)
    .optional()
    .describe(
      "conversations that this process holds at once; unset: 500 in text, or 50 of sound; calls beyond what all processes together hold wait",
    ),
  LLM_BASE_URL: urlOf(["http:", "https:"], "must be an http:// or https:// URL").describe(
    "an OpenAI-compatible server (…/v1) that assistants speak with, also in your own network; unset: the scripted model",
  ),
  LLM_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, "takes visible ASCII characters without spaces")
    .optional()
    .describe("the key of LLM_BASE_URL; unset: it wants none"),
  LLM_MODEL: z
    .string()
    .max(255, "takes at most 255 characters")
    .optional()
    .describe("the model of assistants that name none; required with LLM_BASE_URL"),
  SPEECH_BASE_URL: urlOf(["http:", "https:"], "must be an http:// or https:// URL").describe(
    "an OpenAI-compatible server (…/v1) that speaks and listens on audio lines, also in your own network; unset: espeak-ng speaks where it is installed, and only digits are heard",
  ),
  SPEECH_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, "takes visible ASCII characters without spaces")
    .optional()
    .describe("the key of SPEECH_BASE_URL; unset: it wants none"),
  SPEECH_TTS_MODEL: speechName().describe(
    "the model of SPEECH_BASE_URL that speaks; unset: espeak-ng does, where it is installed",
  ),
  SPEECH_STT_MODEL: speechName().describe(
    "the model of SPEECH_BASE_URL that writes down what is said; unset: only digits are heard",
  ),
  SPEECH_VOICE: speechName().describe(
    "the voice of assistants that name none; unset: alloy, or espeak-ng's own for the language",
  ),
  TRUSTED_PROXIES: cidrs().describe(
    "address ranges of proxies before it (10.0.0.0/8); every other address but loopback opens at most 512 connections; X-Forwarded-For is believed of them alone, and only to count failed sign-ins",
  ),
  DASHBOARD: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "off: no pages and no sessions of browsers, API keys alone; a ROLE of worker has none in any case",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe(
      "fatal, error, warn, info, debug, trace or silent; the log goes to stderr: on a terminal one readable line for each event, elsewhere JSON lines",
    ),
  ACCEPT_RESTORED: z
    .string()
    .optional()
    .describe("the value that a start on restored data names (docs/operation.md)"),
  CARRIER: z
    .enum(["simulated", ...CONNECTED_CARRIERS])
    .default("simulated")
    .describe(
      "what numbers without a connection call through: simulated (dials nobody), twilio or asterisk; those two without their variables: every number needs a connection, which one warning says at the start",
    ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "takes AC and 32 hexadecimal digits")
    .optional()
    .describe("the installation's own Twilio account; needs TWILIO_AUTH_TOKEN and PUBLIC_URL"),
  TWILIO_AUTH_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, "takes visible ASCII characters without spaces")
    .optional()
    .describe("its token"),
  TWILIO_API_URL: urlOf(["http:", "https:"], "must be an http:// or https:// URL").describe(
    "a stand-in for Twilio that every REST request goes to (npm run carrier); unset: Twilio",
  ),
  TWILIO_CALLS_PER_SECOND: decimal(0.001, 1000).default(1).describe("dials a second that the account takes"),
  ASTERISK_URL: urlOf(["http:", "https:"], "must be an http:// or https:// URL").describe(
    "HTTP server of the installation's own Asterisk (http://host:8088); needs ASTERISK_USER and ASTERISK_PASSWORD",
  ),
  ASTERISK_USER: z.string().max(255, "takes at most 255 characters").optional().describe("its ARI user"),
  ASTERISK_PASSWORD: z
    .string()
    .max(1000, "takes at most 1000 characters")
    .optional()
    .describe("the password of that user"),
  ASTERISK_CONTEXT: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,79}$/, "takes 1 to 79 letters, digits, '_' and '-'")
    .default("ringfold-dial")
    .describe("dialplan context that its calls are dialled in"),
  SIMULATOR_URL: urlOf(["http:", "https:"], "must be an http:// URL").describe(
    "address of a simulated carrier that is a program of its own (npm run carrier)",
  ),
  SIMULATOR_TOKEN: credential()
    .optional()
    .describe(
      "what service and npm run carrier both know: 16 to 200 visible ASCII characters; required where the carrier's HOST is not loopback",
    ),
  SIMULATOR_SEED: whole(0, 4_294_967_295).default(1).describe("draws the outcomes of the simulated calls"),
  SIMULATOR_SPEED: decimal(0.001, 1_000_000)
    .default(1)
    .describe("divides the simulator's own ring and talk times; 1: real time"),
  SIMULATOR_MINUTE_MS: whole(1, 3_600_000)
    .default(60_000)
    .describe("milliseconds that a minute of retryIntervalMins and retryPlan takes, for demos and drills"),
  SIMULATOR_PORT: whole(0, 65_535).default(3900).describe("TCP port of npm run carrier; 0: a free one"),
  SIMULATOR_DATA_DIR: z.string().default("./.data/carrier").describe("folder of npm run carrier's journal"),
  ERASURES_FILE: z
    .string()
    .optional()
    .describe(
      "list of erased calls and deleted campaigns, to be backed up apart from the database; unset: erasures.jsonl in DATA_DIR",
    ),
  RECORDINGS_DIR: z
    .string()
    .optional()
    .describe(
      "folder of recordings, sealed; several processes need one that they share; unset: recordings in DATA_DIR",
    ),
  RETENTION_DAY_MS: whole(1, 86_400_000)
    .default(86_400_000)
    .describe("milliseconds that a day of an account's retention takes, for drills"),
  CRASH_AT: z
    .string()
    .regex(/^[A-Za-z.]+(:\d+(:SIGSTOP)?)?$/, "takes <point>[:n[:SIGSTOP]]")
    .optional()
    .describe("ends the process at a named point; for npm run drill"),
});

export type Environment = z.infer<typeof environment>;
export type VariableName = keyof Environment;

export type Variable = {
  readonly name: VariableName;
  /** As it would be written; null: unset. */
  readonly default: string | null;
  readonly meaning: string;
};

/** The variables in --help and docs/configuration.md; default: all that an operator may set. */
export function documentedVariables(
  names: readonly VariableName[] = operatorsVariables(),
): readonly Variable[] {
  return names.map((name) => {
    const preset = String(environment.shape[name].safeParse(undefined).data ?? "");
    return {
      name,
      default: preset === "" ? null : preset,
      meaning: environment.shape[name].description ?? "",
    };
  });
}

function operatorsVariables(): VariableName[] {
  return environment.keyof().options.filter((name) => name !== "CRASH_AT");
}
