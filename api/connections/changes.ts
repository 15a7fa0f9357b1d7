import type { z } from "zod";
import type { ConnectionChanges } from "../../application/ports/configuration/connections.ts";
import type { ConnectionChangesBody, ConnectionRecord } from "../../contract/connection.ts";
import { type ConnectionKind, KINDS } from "../../contract/connection-settings.ts";
import { given } from "../answers.ts";
import { ApiError, validationError } from "../errors.ts";
import { problemDetails } from "../problem-details.ts";
import { plainUrl } from "./draft.ts";

/**
 * What a setting is. `identity`: with another value it is another connection, so it never changes. `address`:
 * it says where the secrets are sent, and how openly; whoever changes it gives the secrets again, because
 * nobody who may only change a connection may learn them. `other`: the same other side gets the same secrets.
 */
type SettingRole = "identity" | "address" | "other";

/** Each setting of each kind has its role; a new setting is asked for here by the compiler. */
export const SETTING_ROLES: {
  readonly [K in ConnectionKind]: Readonly<Record<keyof (typeof KINDS)[K]["settings"]["shape"], SettingRole>>;
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

/**
 * The changes of a PATCH, checked against the current connection; throws the refusal. Without secrets the
 * changes never have an address, so two at once cannot bring old secrets to a new one.
 */
export function changesOf(
  before: ConnectionRecord,
  { name, kind, settings, secrets }: ConnectionChangesBody,
): ConnectionChanges {
  if (before.default) throw immutable("The installation's own connection is changed in its environment");
  if (kind !== undefined && kind !== before.kind) throw immutable("A connection keeps its kind");
  const schemas = KINDS[before.kind];
  const wanted = settings && withPlainUrls(partOf(schemas.settings.partial(), "settings", settings));
  const newSecrets = secrets && partOf(schemas.secrets.partial(), "secrets", secrets);
  const hasSecrets = schemas.secrets.safeParse(newSecrets).success;
  const changed = wanted && changedSettings(before, wanted, hasSecrets);
  return given({ name, settings: changed, secrets: newSecrets });
}

/** What differs from the current settings. */
function changedSettings({ kind, settings }: ConnectionRecord, wanted: object, hasSecrets: boolean): object {
  const current = new Map<string, unknown>(Object.entries(settings));
  const roles = new Map<string, string>(Object.entries(SETTING_ROLES[kind]));
  const changed = Object.entries(wanted).filter(([name, value]) => value !== current.get(name));
  for (const [name] of changed) {
    const role = roles.get(name);
    if (role === "identity") throw immutable(`A connection keeps its ${name}: make another connection`);
    if (role === "address" && !hasSecrets) throw secretsNeeded(name);
  }
  return Object.fromEntries(changed);
}

function secretsNeeded(name: string): ApiError {
  const message = `Give the secrets again: with another ${name} they would be sent to another place`;
  return validationError("The request body", [{ path: ["secrets"], message }]);
}

function withPlainUrls(settings: object): object {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) =>
      URLS.has(name) && typeof value === "string" ? [name, plainUrl(value)] : [name, value],
    ),
  );
}
const URLS = new Set(["baseUrl", "url"]);

function partOf<Schema extends z.ZodType<object>>(schema: Schema, place: string, value: object): object {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw validationError("The request body", problemDetails(parsed.error.issues, [place]));
  return given(parsed.data);
}

export function immutable(message: string): ApiError {
  return new ApiError("CONNECTION_IMMUTABLE", message);
}
