import { z } from "zod";
import type { ConnectionDetails } from "../../application/ports/configuration/connections.ts";
import { KIB, label, longText, text, wholeNumber } from "../../contract/fields.ts";

function isPlainUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash } = new URL(value);
  return ["http:", "https:"].includes(protocol) && search === "" && hash === "";
}

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

const modelSettings = z.strictObject({ baseUrl, defaultModel: label });
const modelSecrets = z.strictObject({ apiKey: key });
const postgresSettings = z.strictObject({
  host,
  port: wholeNumber(1, 65_535),
  database: label,
  user: label,
  tls: z.boolean(),
});
const postgresSecrets = z.strictObject({ password: text(1, 1_000) });

const callsPerSecond = z.number().min(0.001).max(1_000);

const twilioSettings = z.strictObject({
  accountSid: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, "Must be AC and 32 hexadecimal digits")
    .meta({ examples: ["AC00000000000000000000000000000000"] }),
  callsPerSecond: callsPerSecond.optional(),
  baseUrl: baseUrl.nullable().optional(),
});
const twilioSecrets = z.strictObject({ authToken: key });

const asteriskSettings = z.strictObject({
  url: longText(2 * KIB)
    .refine(isPlainUrl, {
      message: "Must be an http or https URL without query, for example https://pbx.example.com:8089",
    })
    .meta({ examples: ["https://pbx.example.com:8089"] }),
  user: label,
  context: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,79}$/, "Must be 1 to 79 letters, digits, '_' and '-'")
    .optional(),
  callsPerSecond: callsPerSecond.nullable().optional(),
  maxConcurrentCalls: wholeNumber(1, 100_000).nullable().optional(),
});
const asteriskSecrets = z.strictObject({ password: text(1, 1_000) });

type Kind = ConnectionDetails["kind"];

/** The settings and secrets of each kind. */
export const KINDS = {
  model: { settings: modelSettings, secrets: modelSecrets },
  postgres: { settings: postgresSettings, secrets: postgresSecrets },
  twilio: { settings: twilioSettings, secrets: twilioSecrets },
  asterisk: { settings: asteriskSettings, secrets: asteriskSecrets },
} as const satisfies Readonly<Record<Kind, object>>;

/**
 * What a setting is. `identity`: with another value it is another connection, so it never changes. `address`:
 * it says where the secrets are sent, and how openly; whoever changes it gives the secrets again, because
 * nobody who may only change a connection may learn them. `other`: the same other side gets the same secrets.
 */
type SettingRole = "identity" | "address" | "other";

/** Each setting of each kind has its role; a new setting is asked for here by the compiler. */
export const SETTING_ROLES: {
  readonly [K in Kind]: Readonly<Record<keyof (typeof KINDS)[K]["settings"]["shape"], SettingRole>>;
} = {
  model: { baseUrl: "address", defaultModel: "other" },
  postgres: { host: "identity", port: "address", tls: "address", database: "other", user: "other" },
  twilio: { accountSid: "identity", baseUrl: "address", callsPerSecond: "other" },
  asterisk: {
    url: "identity",
    user: "other",
    context: "other",
    callsPerSecond: "other",
    maxConcurrentCalls: "other",
  },
};

export const UNKNOWN_KIND = "Must be model, postgres, twilio or asterisk";
