import { z } from "zod";
import { type DeepReadonly, KIB, label, longText, text, wholeNumber } from "./fields.ts";

function isPlainUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash } = new URL(value);
  return ["http:", "https:"].includes(protocol) && search === "" && hash === "";
}

const CALLS_PER_SECOND = "Number of dials per second that go through it at the most";

/** What a setting is, in a request and in a record. Those below it stand in several kinds. */
const TOLD = {
  defaultModel: "The model of assistants that name none",
  host: "Name or address of the server",
  port: "Number of its TCP port",
  database: "Name of the database",
  tls: "true: with TLS and a certificate that is verified; false: only in ranges that the operator opened",
  accountSid: "The account; another one is another connection",
  url: "Where its HTTP server answers; another one is another connection",
  user: "The ARI user",
  context: "Context of the dialplan that its calls are dialled in (`ringfold-dial` where it is left out)",
  maxConcurrentCalls: "Number of calls at once that go through it at the most; null: as many as come",
};
const ANY_BASE_URL = "Where the model's server answers, with its version; of twilio a stand-in, or null";
const ANY_CALLS_PER_SECOND = `${CALLS_PER_SECOND}; null: as many as come (asterisk)`;

const baseUrl = longText(2 * KIB)
  .refine(isPlainUrl, {
    message: "Must be an http or https URL without query, for example https://api.example.com/v1",
  })
  .meta({ examples: ["https://api.example.com/v1"] });

const host = text(1, 253).refine((value) => /^[A-Za-z0-9._:-]+$/.test(value), {
  message: "Must be the name or the address of a host, without a port",
});

/** It is sent as a header. */
const key = longText(4 * KIB).refine((value) => /^[\x21-\x7e]+$/.test(value), {
  message: "Must be visible ASCII characters without spaces",
});

const callsPerSecond = z.number().min(0.001).max(1_000);

const model = {
  settings: z.strictObject({
    baseUrl: baseUrl.describe("Where an OpenAI-compatible server answers, with its version"),
    defaultModel: label.describe(TOLD.defaultModel),
  }),
  secrets: z.strictObject({ apiKey: key.describe("The server's key; any text where it wants none") }),
};

const password = text(1, 1_000).describe("The user's password");

const postgres = {
  settings: z.strictObject({
    host: host.describe(TOLD.host),
    port: wholeNumber(1, 65_535).describe(TOLD.port),
    database: label.describe(TOLD.database),
    user: label.describe("Name of the user that queries run as"),
    tls: z.boolean().describe(TOLD.tls),
  }),
  secrets: z.strictObject({ password }),
};

const twilio = {
  settings: z.strictObject({
    accountSid: z
      .string()
      .regex(/^AC[0-9a-fA-F]{32}$/, "Must be AC and 32 hexadecimal digits")
      .meta({ examples: ["AC00000000000000000000000000000000"] })
      .describe(TOLD.accountSid),
    callsPerSecond: callsPerSecond.optional().describe(`${CALLS_PER_SECOND} (1 where it is left out)`),
    baseUrl: baseUrl
      .nullable()
      .optional()
      .describe("A stand-in that every REST request goes to; null: Twilio itself"),
  }),
  secrets: z.strictObject({ authToken: key.describe("The account's token") }),
};

const asterisk = {
  settings: z.strictObject({
    url: longText(2 * KIB)
      .refine(isPlainUrl, {
        message: "Must be an http or https URL without query, for example https://pbx.example.com:8089",
      })
      .meta({ examples: ["https://pbx.example.com:8089"] })
      .describe(TOLD.url),
    user: label.describe(TOLD.user),
    context: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,79}$/, "Must be 1 to 79 letters, digits, '_' and '-'")
      .optional()
      .describe(TOLD.context),
    callsPerSecond: callsPerSecond
      .nullable()
      .optional()
      .describe(`${CALLS_PER_SECOND}; null: as many as come`),
    maxConcurrentCalls: wholeNumber(1, 100_000).nullable().optional().describe(TOLD.maxConcurrentCalls),
  }),
  secrets: z.strictObject({ password }),
};

/** What a request gives of each kind. */
export const KINDS = { model, postgres, twilio, asterisk } as const;
export type ConnectionKind = keyof typeof KINDS;

/** The secrets of each kind. */
export type GivenSecrets = {
  readonly [Kind in ConnectionKind]: DeepReadonly<z.output<(typeof KINDS)[Kind]["secrets"]>>;
};

/** Settings of any kind; which of them a connection has is checked against it. */
export const anySettings = z
  .strictObject({
    ...model.settings.shape,
    ...postgres.settings.shape,
    ...twilio.settings.shape,
    ...asterisk.settings.shape,
    baseUrl: twilio.settings.shape.baseUrl.describe(ANY_BASE_URL),
    callsPerSecond: asterisk.settings.shape.callsPerSecond.describe(ANY_CALLS_PER_SECOND),
  })
  .partial();
export const anySecrets = z
  .strictObject({ ...model.secrets.shape, ...postgres.secrets.shape, ...twilio.secrets.shape })
  .partial();
export type AnySettings = DeepReadonly<z.output<typeof anySettings>>;
export type AnySecrets = DeepReadonly<z.output<typeof anySecrets>>;

const keptUser = z.string().describe(TOLD.user);

const keptOfModel = z.object({
  baseUrl: z.string().describe(ANY_BASE_URL),
  defaultModel: z.string().describe(TOLD.defaultModel),
});

const keptOfPostgres = z.object({
  host: z.string().describe(TOLD.host),
  port: z.number().describe(TOLD.port),
  database: z.string().describe(TOLD.database),
  user: keptUser,
  tls: z.boolean().describe(TOLD.tls),
});
export type PostgresSettings = DeepReadonly<z.infer<typeof keptOfPostgres>>;

const keptOfTwilio = z.object({
  accountSid: z.string().describe(TOLD.accountSid),
  callsPerSecond: z.number().describe(ANY_CALLS_PER_SECOND),
  baseUrl: z.string().nullable().describe(ANY_BASE_URL),
});
export type TwilioSettings = DeepReadonly<z.infer<typeof keptOfTwilio>>;

const keptOfAsterisk = z.object({
  url: z.string().describe(TOLD.url),
  user: keptUser,
  context: z.string().describe(TOLD.context),
  callsPerSecond: z.number().nullable().describe(ANY_CALLS_PER_SECOND),
  maxConcurrentCalls: z.number().nullable().describe(TOLD.maxConcurrentCalls),
});
export type AsteriskSettings = DeepReadonly<z.infer<typeof keptOfAsterisk>>;

/** What a record has of each kind: everything but the secrets. */
const KEPT = {
  model: keptOfModel,
  postgres: keptOfPostgres,
  twilio: keptOfTwilio,
  asterisk: keptOfAsterisk,
} as const satisfies Record<ConnectionKind, z.ZodType>;
export const keptSettings = z.union(Object.values(KEPT));
export type KeptSettings = {
  readonly [Kind in ConnectionKind]: DeepReadonly<z.infer<(typeof KEPT)[Kind]>>;
};
