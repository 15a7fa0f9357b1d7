import { z } from "zod";
import { buildServer } from "../../../api/server.ts";
import { throwingDeps } from "./inert-deps.ts";

export type Schema = { readonly $ref?: string; readonly [keyword: string]: unknown };
export type Operation = {
  readonly method: string;
  /** With `{name}` for its parameters. */
  readonly path: string;
  readonly operationId: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly scope: string | null;
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
    readonly schema: Schema;
    readonly required: boolean;
  }[];
  readonly bodyRequired: boolean;
  readonly body: Schema | null;
  readonly example: unknown;
  readonly bodyTypes: readonly string[];
  readonly idempotent: boolean;
  /** Schema by status; null for what is no JSON. */
  readonly answers: ReadonlyMap<number, Schema | null>;
  readonly answerDescriptions: readonly (string | undefined)[];
};

type RawDocument = {
  readonly openapi: string;
  readonly info: { readonly contact: { readonly name: string } };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: RawOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
type RawContent = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
type RawOperation = {
  readonly operationId: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security: readonly object[];
  readonly "x-scope"?: string;
  readonly parameters?: Operation["parameters"];
  readonly requestBody?: { readonly required?: boolean; readonly content: RawContent };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: RawContent }>
  >;
};

export type Document = {
  readonly raw: RawDocument;
  readonly operations: readonly Operation[];
  /** The schema with every $ref put in its place. */
  readonly inlined: (schema: Schema) => Schema;
};

/** The document as the service gives it out, in a form that tests walk over. */
export async function loadDocument(): Promise<Document> {
  const api = buildServer(throwingDeps(() => new Error("no work in this test")));
  const answer = await api.inject({ url: "/openapi.json" });
  await api.close();
  const raw: RawDocument = answer.json();
  const operations = Object.entries(raw.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
  );
  return { raw, operations, inlined: (schema) => inline(raw, schema) };
}

function operationOf(method: string, path: string, raw: RawOperation): Operation {
  const parameters = (raw.parameters ?? []).map((each) => ({ ...each, required: each.required ?? false }));
  return {
    method: method.toUpperCase(),
    path,
    operationId: raw.operationId,
    description: raw.description,
    tags: raw.tags ?? [],
    security: raw.security,
    scope: raw["x-scope"] ?? null,
    parameters,
    bodyRequired: raw.requestBody?.required ?? false,
    body: raw.requestBody?.content["application/json"]?.schema ?? null,
    example: raw.requestBody?.content["application/json"]?.example,
    bodyTypes: Object.keys(raw.requestBody?.content ?? {}),
    idempotent: parameters.some(({ name }) => name === "Idempotency-Key"),
    answers: new Map(
      Object.entries(raw.responses).map(([status, { content }]) => [
        Number(status),
        content?.["application/json"]?.schema ?? null,
      ]),
    ),
    answerDescriptions: Object.values(raw.responses).map(({ description }) => description),
  };
}

function inline(document: RawDocument, schema: Schema): Schema {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    const reference = z.object({ $ref: z.string() }).safeParse(value);
    if (!reference.success) return value;
    const name = reference.data.$ref.replace("#/components/schemas/", "");
    const target = document.components.schemas[name];
    if (target === undefined) throw new Error(`The document has no schema ${name}`);
    return target;
  });
  return JSON.parse(text);
}

/** Why a body does not match the schema; null: it does. */
export function mismatch(document: Document, schema: Schema, body: unknown): string | null {
  const checked = schemaOf(document, schema).safeParse(body);
  return checked.success ? null : z.prettifyError(checked.error);
}

const compiled = new Map<Schema, z.ZodType>();

function schemaOf(document: Document, schema: Schema): z.ZodType {
  const known = compiled.get(schema) ?? z.fromJSONSchema(document.inlined(schema));
  compiled.set(schema, known);
  return known;
}
