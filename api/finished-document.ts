/** Where a reference waits that has something beside it. */
export const HIDDEN_REF = "x-ref";

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Corrects the generators' result: a schema that is only used for requests, or only for answers, is
 * registered for both, with `Input` behind its name; and an optional body is marked as required.
 */
export function finishedDocument<Document extends object>(document: Document): Document {
  const { components, paths, webhooks, ...rest } = {
    components: {},
    paths: {},
    webhooks: {},
    ...withRefs(document),
  };
  const { schemas, ...others } = { schemas: {}, ...components };
  const used = usedSchemas({ paths, webhooks, others }, schemas);
  const renamed = namesWithoutInput(used);
  const whole = {
    ...rest,
    paths: withNamedQueries(withBodies(paths)),
    webhooks,
    components: { ...others, schemas: Object.fromEntries(used) },
  };
  return { ...document, ...withNames(whole, renamed) };
}

function withRefs<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !(HIDDEN_REF in value)) return value;
    const { [HIDDEN_REF]: $ref, ...beside } = value;
    return { ...beside, $ref };
  });
}

type Schemas = readonly (readonly [name: string, schema: unknown])[];

function usedSchemas(roots: unknown, schemas: JsonRecord): Schemas {
  const used = new Set<string>();
  const waiting = [...namesIn(roots)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    waiting.push(...namesIn(schemas[name]));
  }
  return Object.entries(schemas).filter(([name]) => used.has(name));
}

function namesIn(value: unknown): string[] {
  const text = JSON.stringify(value) ?? "";
  return [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].flatMap(([, name]) => name ?? []);
}

function namesWithoutInput(schemas: Schemas): ReadonlyMap<string, string> {
  const names = new Set(schemas.map(([name]) => name));
  const inputs = [...names].filter((name) => name.endsWith("Input") && !names.has(name.slice(0, -5)));
  return new Map(inputs.map((name) => [name, name.slice(0, -5)]));
}

function withNames(document: JsonRecord, names: ReadonlyMap<string, string>): JsonRecord {
  const renamed: JsonRecord = JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (typeof value !== "string" || !value.startsWith("#/components/schemas/")) return value;
    const name = value.slice("#/components/schemas/".length);
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
  const { components } = { components: {}, ...renamed };
  const { schemas } = { schemas: {}, ...components };
  const entries = Object.entries(schemas).map(([name, schema]) => [names.get(name) ?? name, schema]);
  return { ...renamed, components: { ...components, schemas: Object.fromEntries(entries) } };
}

/** Where an operation carries the example of its body. */
export const BODY_EXAMPLE = "x-body-example";

/** Moves examples to their place, and marks a body whose schema allows null as optional. */
function withBodies(paths: object): unknown {
  return JSON.parse(JSON.stringify(paths), (_key, value: unknown) =>
    isOperation(value) ? withBody(value) : value,
  );
}

/** Where an operation says how the further names of its query begin. */
export const NAMED_QUERY = "x-named-query";

/** One parameter for all of them, an object whose properties are names of the query. */
function withNamedQueries(paths: unknown): unknown {
  return JSON.parse(JSON.stringify(paths), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !(NAMED_QUERY in value)) return value;
    const { [NAMED_QUERY]: prefix, ...operation } = { parameters: [], ...value };
    const parameter = {
      in: "query",
      name: `${prefix}<name>`,
      description: `A value by the name that follows \`${prefix}\``,
      required: false,
      style: "form",
      explode: true,
      "x-prefix": prefix,
      schema: { type: "object", additionalProperties: { type: "string" }, maxProperties: 3 },
    };
    return { ...operation, parameters: [...operation.parameters, parameter] };
  });
}

type OperationWithBody = {
  readonly requestBody: { readonly content: Readonly<Record<string, object>> };
  readonly [BODY_EXAMPLE]?: unknown;
};

function isOperation(value: unknown): value is OperationWithBody {
  return typeof value === "object" && value !== null && "requestBody" in value;
}

function withBody({ requestBody, [BODY_EXAMPLE]: example, ...operation }: OperationWithBody): object {
  const json = requestBody.content["application/json"];
  if (json === undefined) return { ...operation, requestBody };
  const required = !JSON.stringify(json).endsWith('{"type":"null"}]}}');
  const content = {
    ...requestBody.content,
    "application/json": { ...json, ...(example === undefined ? {} : { example }) },
  };
  return { ...operation, requestBody: { ...requestBody, content, required } };
}
