import type { Schema } from "./document.ts";
import type { Random } from "./random.ts";

/** Strings that other services have stumbled over. */
const HOSTILE_TEXT = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "😀".repeat(300),
  "'; drop table calls; --",
  "{{secrets.KEY}}",
  "../../etc/passwd",
  "%00",
  "%2e%2e%2f",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "-0",
  "1e400",
  "9".repeat(40),
  "x".repeat(5_000),
  "ı̇İß",
  "‮gnp.exe",
  "+905321112233",
  "2026-02-30T25:61:00Z",
  "2026-09-01T10:00:00+99:99",
  "call_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "cmp_0000000000000000000000000\n",
];
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -1e-320,
  2 ** 53,
  9e15,
  [],
  {},
  [[[[[[]]]]]],
  { length: 3 },
  { $ref: "#" },
  { toJSON: 1 },
];

export function hostileText(random: Random): string {
  return random.pick(HOSTILE_TEXT);
}

export function hostileValue(random: Random): unknown {
  return random.chance(0.5) ? hostileText(random) : random.pick(HOSTILE_VALUES);
}

/** A value of an inlined schema; `known`: ids of things that are there. */
export function sampleOf(random: Random, schema: Schema, known: readonly string[], depth = 0): unknown {
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return sampleOf(random, random.pick(choices), known, depth);
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return random.pick(schema["enum"]);
  // What has no type takes any value.
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"] ?? "string"];
  switch (random.pick(types)) {
    case "object":
      return objectOf(random, schema, known, depth);
    case "array":
      return Array.from({ length: random.int(3) + Number(schema["minItems"] ?? 0) }, () =>
        sampleOf(random, asSchema(schema["items"]), known, depth + 1),
      );
    case "integer":
      return Math.round(numberOf(random, schema));
    case "number":
      return numberOf(random, schema);
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    default:
      return textOf(random, schema, known);
  }
}

function objectOf(random: Random, schema: Schema, known: readonly string[], depth: number): object {
  const properties = Object.entries(asSchema(schema["properties"]));
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const chosen = properties.filter(([name]) => required.includes(name) || random.chance(0.4));
  const entries = chosen.map(([name, inner]) => [name, sampleOf(random, asSchema(inner), known, depth + 1)]);
  const free = properties.length === 0 && depth < 5 && random.chance(0.5);
  return Object.fromEntries(free ? [[random.pick(["a", "ş", "b.c"]), hostileValue(random)]] : entries);
}

function numberOf(random: Random, { minimum, maximum }: Schema): number {
  const low = Number(minimum ?? 0);
  const high = Math.min(Number(maximum ?? 100), low + 1_000);
  return random.chance(0.3) ? random.pick([low, high]) : low + random.next() * (high - low);
}

function textOf(random: Random, schema: Schema, known: readonly string[]): string {
  const pattern = String(schema["pattern"] ?? "");
  if (pattern.startsWith("^\\+[1-9]")) return random.pick(["+15005550002", "+15005550006", "+905321112233"]);
  if (schema["format"] === "date-time")
    return random.pick(["2026-09-01T10:00:00.000Z", "2100-01-01T00:00:00Z"]);
  if (pattern.includes("handoff_to_")) return "handoff_to_sales";
  if (pattern.startsWith("^[A-Za-z_]")) return "order_id";
  if (Array.isArray(schema["examples"]) && random.chance(0.7)) return String(random.pick(schema["examples"]));
  if (random.chance(0.6)) return random.pick(known);
  return random.pick(["a", "Ayşe", "Europe/Istanbul", "https://example.invalid/x", "select 1"]);
}

/** One thing about a body is made wrong, or nothing. */
export function mutated(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.3)) return [...value, hostileValue(random)];
    const index = random.int(value.length);
    return value.map((item, place) => (place === index ? mutated(random, item) : item));
  }
  if (typeof value !== "object" || value === null) return hostileValue(random);
  const entries = Object.entries(value);
  const choice = random.int(4);
  if (choice === 0 || entries.length === 0) {
    return { ...value, [hostileText(random)]: hostileValue(random) };
  }
  const [name, inner] = random.pick(entries);
  if (choice === 1) return Object.fromEntries(entries.filter(([other]) => other !== name));
  return { ...value, [name]: choice === 2 ? hostileValue(random) : mutated(random, inner) };
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
