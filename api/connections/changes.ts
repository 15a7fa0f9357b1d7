import type { z } from "zod";
import type {
  ConnectionChanges,
  ConnectionRecord,
} from "../../application/ports/configuration/connections.ts";
import { given } from "../answers.ts";
import { ApiError, validationError } from "../errors.ts";
import { problemDetails } from "../problem-details.ts";
import { plainUrl } from "./draft.ts";
import { FIXED_SETTINGS, KINDS } from "./kinds.ts";
import type { changeConnectionBody } from "./schemas.ts";

/** The changes of a PATCH, checked against the current connection; throws the refusal. */
export function changesOf(
  before: ConnectionRecord,
  { name, kind, settings, secrets }: z.output<typeof changeConnectionBody>,
): ConnectionChanges {
  if (before.default) throw immutable("The installation's own connection is changed in its environment");
  if (kind !== undefined && kind !== before.kind) throw immutable("A connection keeps its kind");
  const schemas = KINDS[before.kind];
  const changes = {
    settings: settings && withPlainUrls(partOf(schemas.settings.partial(), "settings", settings)),
    secrets: secrets && partOf(schemas.secrets.partial(), "secrets", secrets),
  };
  for (const field of FIXED_SETTINGS[before.kind]) checkFixed(before, changes.settings ?? {}, field);
  return given({ name, ...changes });
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

function checkFixed({ settings }: ConnectionRecord, changed: object, field: string): void {
  const [before, after] = [settings, changed].map((all) => new Map(Object.entries(all)).get(field));
  if (after !== undefined && after !== before)
    throw immutable(`A connection keeps its ${field}: make another connection`);
}

export function immutable(message: string): ApiError {
  return new ApiError("CONNECTION_IMMUTABLE", message);
}
