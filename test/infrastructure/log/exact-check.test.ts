import { readdirSync, readFileSync } from "node:fs";
import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { exactCheck } from "../../../infrastructure/log/stored/exact-check.ts";
import { storedTypes } from "../../../infrastructure/log/stored/stored-types.ts";

const golden = new URL("../../golden/", import.meta.url);
const goldenForm = z.object({ type: z.string(), schemaVersion: z.int(), data: z.custom<JsonObject>() });
const types = new Map(Object.entries(storedTypes));
const events = readdirSync(golden)
  .filter((name) => name.endsWith(".json"))
  .map((name) => goldenForm.parse(JSON.parse(readFileSync(new URL(name, golden), "utf8"))))
  .filter(({ type, schemaVersion }) => types.get(type)?.older.length === schemaVersion - 1)
  // What is sealed is opened before it is checked.
  .filter(({ data }) => !("sealed" in data));

function schemaOf(type: string): z.ZodType {
  const stored = types.get(type);
  if (stored === undefined) throw new Error(`${type} is no stored type`);
  return stored.schema;
}

/**
 * The one promise, about what can stand in the log: what passes is accepted by the schema,
 * and answered as it is.
 */
function expectPromise(schema: z.ZodType, written: unknown): void {
  const value: unknown = JSON.parse(JSON.stringify(written) ?? "null");
  if (exactCheck(schema)(value)) expect(schema.safeParse(value)).toEqual({ success: true, data: value });
}

type Path = readonly string[];

function pathsIn(value: unknown, above: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [above];
  return [
    above,
    ...Object.entries(value).flatMap(([key, member]: [string, unknown]) => pathsIn(member, [...above, key])),
  ];
}

/** A copy with something else at `path`; undefined: nothing there. */
function replaced(value: unknown, path: Path, other: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return other;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  const member = replaced(copy[key], rest, other);
  if (member === undefined) delete copy[key];
  else copy[key] = member;
  return copy;
}

const other = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, "", "Z", "+", "call_", 1.5, -1, 2 ** 53, null, [], {}, "customer_ended"),
);

describe("the check without the schema", () => {
  it.each(events)("knows a $type as it is written, so that the schema is not asked", ({ type, data }) => {
    expect(exactCheck(schemaOf(type))(data)).toBe(true);
  });

  test.prop([fc.constantFrom(...events), fc.nat(), other], { numRuns: 3_000 })(
    "lets nothing through that the schema refuses or changes, whatever stands anywhere in an event",
    ({ type, data }, place, value) => {
      const paths = pathsIn(data);
      const path = paths[place % paths.length] ?? [];
      expectPromise(schemaOf(type), replaced(data, path, value));
      expectPromise(schemaOf(type), replaced(data, [...path, "added"], value));
    },
  );

  it.each([
    ["a refinement", z.string().min(1), "a"],
    ["a format", z.email(), "a@example.org"],
    ["a transformation", z.string().transform(Number), "1"],
    ["coercion", z.coerce.number(), 1],
    ["a default", z.object({ n: z.number().default(1) }), {}],
    ["an object that keeps what it does not know", z.looseObject({}), {}],
    ["a union of objects", z.union([z.object({}), z.object({ a: z.string() })]), { a: "" }],
    ["a template of three parts", z.templateLiteral(["a", z.string(), "b"]), "aab"],
    ["other whole numbers", z.int32(), 1],
    ["what a refinement of an object decides", z.object({}).refine(() => true), {}],
  ])("leaves %s to the schema", (_, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
    expect(exactCheck(schema)(value)).toBe(false);
  });

  it.each([
    ["an unknown member", z.object({ a: z.string() }), { a: "", b: 1 }],
    ["a missing member", z.object({ a: z.string() }), {}],
    ["a list for an object", z.object({ a: z.string().exactOptional() }), []],
    [
      "undefined for a member that may be missing",
      z.object({ a: z.string().exactOptional() }),
      { a: undefined },
    ],
    ["one wrong item of a list", z.array(z.string()), ["a", 1]],
    ["a whole number that is none", z.int(), 1.5],
    ["a number beyond what is exact", z.int(), 2 ** 53],
    ["what is no number", z.number(), Number.NaN],
    ["a word of no list", z.enum(["a"]), "b"],
    ["another beginning", z.templateLiteral(["call_", z.string()]), "cmp_1"],
    ["another end", z.templateLiteral([z.string(), "Z"]), "2026"],
    ["null", z.string(), null],
  ])("does not know %s", (_, schema, value) => {
    expect(exactCheck(schema)(value)).toBe(false);
  });
});
