import { z } from "zod";
import type { ConnectionDetails } from "../../application/ports/configuration/connections.ts";
import { KIB, label, longText, text, wholeNumber } from "../schema.ts";

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

/** Settings that identify the other side: with another value it is another connection. */
export const FIXED_SETTINGS: Readonly<Record<Kind, readonly string[]>> = {
  model: [],
  postgres: ["host"],
  twilio: ["accountSid"],
  asterisk: ["url"],
};

export const UNKNOWN_KIND = "Must be model, postgres, twilio or asterisk";
