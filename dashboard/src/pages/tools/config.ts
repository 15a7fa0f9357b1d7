import type { ToolRecord } from "../../../../contract/tool.ts";
import { METHODS, type ToolType } from "./texts.ts";

type JsonObject = ToolRecord["config"];
type Json = JsonObject[string];

/** An error that the form finds before the service is asked. */
export class BadField extends Error {
  readonly field: string;
  readonly kind: "bad.json" | "bad.object" | "bad.line";
  readonly line: number;
  constructor(field: string, kind: BadField["kind"], line = 0) {
    super(kind);
    this.field = field;
    this.kind = kind;
    this.line = line;
  }
}

const text = (fields: FormData, name: string) => String(fields.get(name) ?? "");
/** undefined: nothing was filled in. */
const given = (fields: FormData, name: string) => text(fields, name).trim() || undefined;

/** The type and config of a tool for the API. Throws BadField. */
export function configOf(type: ToolType, fields: FormData) {
  switch (type) {
    case "END_CALL":
      return { type, config: {} };
    case "TRANSFER_CALL": {
      const message = text(fields, "config.message") || undefined;
      return { type, config: { to: text(fields, "config.to").trim(), message } };
    }
    case "DATABASE_QUERY":
      return { type, config: queryConfig(fields) };
    case "API_REQUEST":
      return { type, config: requestConfig(fields) };
  }
}

function queryConfig(fields: FormData) {
  return {
    connectionId: given(fields, "config.connectionId"),
    query: text(fields, "config.query"),
    parameters: entriesOf(fields, "config.parameters"),
  };
}

function requestConfig(fields: FormData) {
  return {
    url: text(fields, "config.url").trim(),
    method: METHODS.find((method) => method === fields.get("config.method")) ?? "GET",
    headers: entriesOf(fields, "config.headers"),
    query: entriesOf(fields, "config.query"),
    body: jsonOf(fields, "config.body"),
  };
}

/** One name and value a line. undefined: nothing was filled in. */
export function entriesOf(fields: FormData, name: string): Readonly<Record<string, string>> | undefined {
  const lines = text(fields, name).split("\n");
  const entries = lines.flatMap((line, index): (readonly [string, string])[] => {
    if (line.trim() === "") return [];
    const colon = line.indexOf(":");
    if (colon < 1) throw new BadField(name, "bad.line", index + 1);
    return [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** undefined: nothing was filled in. */
function jsonOf(fields: FormData, name: string): Json | undefined {
  const written = text(fields, name);
  if (written.trim() === "") return undefined;
  try {
    return JSON.parse(written);
  } catch {
    throw new BadField(name, "bad.json");
  }
}

/** An empty one: nothing was filled in. Throws BadField. */
export function objectOf(fields: FormData, name: string): JsonObject {
  const value = jsonOf(fields, name) ?? {};
  if (!isObject(value)) throw new BadField(name, "bad.object");
  return value;
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The reverse of `entriesOf`. */
export function linesOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${String(each)}`)
    .join("\n");
}

const SECRET = /\{\{\s*secrets\.([A-Z0-9_]{1,64})\s*\}\}/gi;

/** Secrets that the tool names and that do not exist. */
export function missingSecrets(
  { config }: Pick<ToolRecord, "config">,
  there: ReadonlySet<string>,
): readonly string[] {
  const named = [...JSON.stringify(config["headers"] ?? {}).matchAll(SECRET)].map(([, name = ""]) => name);
  return [...new Set(named)].filter((name) => !there.has(name));
}
