import type { ConnectionKind } from "../../records/connection-kinds.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };

type SettingName =
  | "baseUrl"
  | "defaultModel"
  | "host"
  | "port"
  | "database"
  | "user"
  | "tls"
  | "accountSid"
  | "callsPerSecond"
  | "url"
  | "context"
  | "maxConcurrentCalls";
type SecretName = "apiKey" | "password" | "authToken";

/** A field of the settings, with the API's name. */
export type Setting = {
  readonly name: SettingName;
  readonly kind: "text" | "url" | "number" | "check";
  readonly initial?: string | number | boolean;
  readonly optional?: true;
  /** It identifies the other side, and never changes. */
  readonly fixed?: true;
};

export type Form = {
  readonly settings: readonly Setting[];
  readonly secret: SecretName;
  /** The setting with the address. */
  readonly where: SettingName;
};

/** The fields of each kind. */
export const FORMS: Readonly<Record<ConnectionKind, Form>> = {
  model: {
    settings: [
      { name: "baseUrl", kind: "url" },
      { name: "defaultModel", kind: "text" },
    ],
    secret: "apiKey",
    where: "baseUrl",
  },
  postgres: {
    settings: [
      { name: "host", kind: "text", fixed: true },
      { name: "port", kind: "number", initial: 5432 },
      { name: "database", kind: "text" },
      { name: "user", kind: "text" },
      { name: "tls", kind: "check", initial: true },
    ],
    secret: "password",
    where: "host",
  },
  twilio: {
    settings: [
      { name: "accountSid", kind: "text", fixed: true },
      { name: "callsPerSecond", kind: "number", initial: 1 },
      { name: "baseUrl", kind: "url", optional: true },
    ],
    secret: "authToken",
    where: "accountSid",
  },
  asterisk: {
    settings: [
      { name: "url", kind: "url", fixed: true },
      { name: "user", kind: "text" },
      { name: "context", kind: "text", initial: "ringfold-dial" },
      { name: "callsPerSecond", kind: "number", optional: true },
      { name: "maxConcurrentCalls", kind: "number", optional: true },
    ],
    secret: "password",
    where: "url",
  },
};

/**
 * The settings for the API. Optional empty fields are left out, or removed; fixed fields are not sent again.
 */
export function settingsOf(
  kind: ConnectionKind,
  fields: FormData,
  isNew: boolean,
): Readonly<Record<string, unknown>> {
  const given = FORMS[kind].settings.filter(({ fixed }) => isNew || fixed !== true);
  const read = given.map(({ name, kind: control, optional }) => {
    const text = String(fields.get(`settings.${name}`) ?? "").trim();
    if (control === "check") return [name, fields.has(`settings.${name}`)] as const;
    if (optional === true && text === "") return [name, isNew ? undefined : null] as const;
    return [name, control === "number" ? Number(text) : text] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** The secrets to be sent: an empty one is not changed. */
export function secretsOf(kind: ConnectionKind, fields: FormData): Readonly<Record<string, string>> {
  const name = FORMS[kind].secret;
  const value = String(fields.get(`secrets.${name}`) ?? "");
  return value === "" ? {} : { [name]: value };
}
