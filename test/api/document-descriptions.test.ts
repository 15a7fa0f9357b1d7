import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Document, loadDocument } from "./support/document.ts";

let document: Document;
let fields: readonly Field[];
beforeAll(async () => {
  document = await loadDocument();
  fields = fieldsIn(document.raw, []);
});

/** A property of a schema, and where it stands: `components/schemas/Call/properties/cost`. */
type Field = { readonly place: string; readonly schema: Record<string, unknown> };

const record = z.record(z.string(), z.unknown());

function fieldsIn(value: unknown, path: readonly string[]): Field[] {
  if (typeof value !== "object" || value === null) return [];
  const here =
    path.at(-1) === "properties"
      ? Object.entries(value).map(([name, schema]) => ({
          place: [...path, name].join("/"),
          schema: record.parse(schema),
        }))
      : [];
  const below = Object.entries(value).filter(([key]) => key !== "example" && key !== "examples");
  return [...here, ...below.flatMap(([key, inner]) => fieldsIn(inner, [...path, key]))];
}

/** Whether a value may be a number, also in one of several forms. */
function isNumeric({ type, anyOf }: Record<string, unknown>): boolean {
  const types = Array.isArray(type) ? type : [type];
  const forms = Array.isArray(anyOf) ? anyOf : [];
  const numeric = types.includes("number") || types.includes("integer");
  return numeric || forms.some((form) => isNumeric(record.parse(form)));
}

/** Words that tell in what a number is counted. */
const UNITS =
  /seconds|minutes|hours?\b|days|credits|number of|calls a second|requests a second|counted from|bytes|place in|HTTP status|from 0 /i;

describe("the OpenAPI document", () => {
  it("describes every field, in words of its own", () => {
    expect(fields.length).toBeGreaterThan(800);
    const silent = fields.filter(({ schema }) => !isText(schema["description"]));
    expect(silent.map(({ place }) => place)).toEqual([]);
  });

  it("names the unit of every number", () => {
    const numbers = fields.filter(({ schema }) => isNumeric(schema));
    expect(numbers.length).toBeGreaterThan(100);
    const unclear = numbers.filter(({ schema }) => !UNITS.test(String(schema["description"])));
    expect(unclear.map(({ place, schema }) => `${place}: ${schema["description"]}`)).toEqual([]);
  });

  it("describes every parameter, operation, answer and tag", () => {
    const silent = document.operations.flatMap((operation) => {
      const { operationId, description, parameters, answerDescriptions } = operation;
      return [
        ...(isText(description) ? [] : [operationId]),
        ...parameters.filter((each) => !isText(each.description)).map(({ name }) => `${operationId} ${name}`),
        ...answerDescriptions.filter((each) => !isText(each)).map(() => `${operationId} answer`),
      ];
    });
    expect(silent).toEqual([]);
    expect(document.raw.tags.length).toBeGreaterThan(10);
    expect(document.raw.tags.filter(({ description }) => !isText(description))).toEqual([]);
    const used = new Set(document.operations.flatMap(({ tags }) => tags));
    expect(document.raw.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  });

  it("needs a key everywhere but on the open routes, which say so", () => {
    const open = document.operations.filter(({ security }) => security.length === 0);
    const paths = [...new Set(open.map(({ path }) => path))];
    expect(paths.toSorted()).toEqual(["/api/v1/session", "/health/live", "/health/ready", "/metrics"]);
  });

  it("says of every route how a request may be refused", () => {
    const never = document.operations.filter(
      ({ answers }) => ![...answers.keys()].some((status) => status >= 400 && status < 500),
    );
    expect(never.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("names itself, its release, its licence and whom to ask", () => {
    const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
    const { info } = document.raw;
    expect(info).toMatchObject({ title: "Ringfold", version, license: { identifier: "MIT" } });
    expect(info.contact.name).not.toBe("");
  });
});

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
