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

/** It goes out as a header. */
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

type Kind = ConnectionDetails["kind"];

/**
 * What each kind takes. A kind stands here when it has an adapter, because what cannot be checked is not offered: a carrier of an owner's own
 * comes with the adapter of that carrier.
 */
export const KINDS = {
  model: { settings: modelSettings, secrets: modelSecrets },
  postgres: { settings: postgresSettings, secrets: postgresSecrets },
} as const satisfies Readonly<Record<Kind, object>>;

/** Settings that say which other side it is: another one is another connection. */
export const FIXED_SETTINGS: Readonly<Record<Kind, readonly string[]>> = { model: [], postgres: ["host"] };

export const UNKNOWN_KIND =
  "Must be model or postgres; connections to carriers (twilio, asterisk) are not part of this release";
