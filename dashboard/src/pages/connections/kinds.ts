import type { BodyOf, RouteAt } from "../../../../contract/asking.ts";
import type { ConnectionKind } from "../../../../contract/connection-settings.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const TEXTS = { en, tr };

type New = BodyOf<RouteAt<"POST", "/api/v1/connections">>;
type Changes = BodyOf<RouteAt<"PATCH", "/api/v1/connections/:id">>;
type SettingName = keyof NonNullable<Changes["settings"]>;
type SecretName = keyof NonNullable<Changes["secrets"]>;

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

/** A new connection for the API, which checks what its kind has. Optional empty settings are left out. */
export function newOf(kind: ConnectionKind, fields: FormData): New {
  const [settings, secrets] = [settingsOf(kind, fields, true), secretsOf(kind, fields)];
  return { kind, name: String(fields.get("name")), settings, secrets } as New;
}

/** The changes for the API. Optional empty settings are removed; fixed ones are not sent again. */
export function changesOf(kind: ConnectionKind, fields: FormData): Changes {
  const [settings, secrets] = [settingsOf(kind, fields, false), secretsOf(kind, fields)];
  return { name: String(fields.get("name")), settings, secrets };
}

function settingsOf(kind: ConnectionKind, fields: FormData, isNew: boolean): Changes["settings"] {
  const given = FORMS[kind].settings.filter(({ fixed }) => isNew || fixed !== true);
  const read = given.map(({ name, kind: control, optional }) => {
    const text = String(fields.get(`settings.${name}`) ?? "").trim();
    if (control === "check") return [name, fields.has(`settings.${name}`)];
    if (optional === true && text === "") return [name, isNew ? undefined : null];
    return [name, control === "number" ? Number(text) : text];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** An empty secret is not changed. */
function secretsOf(kind: ConnectionKind, fields: FormData): Changes["secrets"] {
  const name = FORMS[kind].secret;
  const value = String(fields.get(`secrets.${name}`) ?? "");
  return value === "" ? {} : { [name]: value };
}
