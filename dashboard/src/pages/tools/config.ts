import type { Tool, ToolType } from "./texts.ts";

/** An error that the form finds before the service is asked. */
export class BadField extends Error {
  readonly field: string;
  readonly kind: "bad.json" | "bad.line";
  readonly line: number;
  constructor(field: string, kind: BadField["kind"], line = 0) {
    super(kind);
    this.field = field;
    this.kind = kind;
    this.line = line;
  }
}

const text = (fields: FormData, name: string) => String(fields.get(name) ?? "");
const isGiven = ([, value]: readonly [string, unknown]) => value !== undefined && value !== "";

/** The config of a tool for the API. Throws BadField. */
export function configOf(type: ToolType, fields: FormData): Readonly<Record<string, unknown>> {
  const given = (entries: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(entries).filter(isGiven));
  if (type === "END_CALL") return {};
  if (type === "TRANSFER_CALL")
    return given({ to: text(fields, "config.to").trim(), message: text(fields, "config.message") });
  if (type === "DATABASE_QUERY")
    return given({
      connectionId: text(fields, "config.connectionId").trim(),
      query: text(fields, "config.query"),
      parameters: entriesOf(fields, "config.parameters"),
    });
  return given({
    url: text(fields, "config.url").trim(),
    method: text(fields, "config.method"),
    headers: entriesOf(fields, "config.headers"),
    query: entriesOf(fields, "config.query"),
    body: jsonOf(fields, "config.body"),
  });
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
export function jsonOf(fields: FormData, name: string): unknown {
  const given = text(fields, name);
  if (given.trim() === "") return undefined;
  try {
    return JSON.parse(given);
  } catch {
    throw new BadField(name, "bad.json");
  }
}

/** The reverse of `entriesOf`. */
export function linesOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${String(each)}`)
    .join("\n");
}

const SECRET = /\{\{\s*secrets\.([A-Z0-9_]{1,64})\s*\}\}/gi;

/** Secrets that the tool names and that do not exist. */
export function missingSecrets({ config }: Tool, there: ReadonlySet<string>): readonly string[] {
  const named = [...JSON.stringify(config["headers"] ?? {}).matchAll(SECRET)].map(([, name = ""]) => name);
  return [...new Set(named)].filter((name) => !there.has(name));
}
