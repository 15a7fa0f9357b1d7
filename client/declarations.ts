import type { Operation } from "./transport.ts";

/** What of a JSON Schema becomes a type, or a comment on it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly format?: string;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export type DocumentedOperation = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    /** It stands for all names of the query that begin so. */
    readonly "x-prefix"?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** The parts of an OpenAPI document that the client's types are made from. */
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/**
 * The types of the client in words of their own: every named schema of the document, `WebhookEvent` for the
 * body of any webhook, and `Client` with a method for each of the operations. Takes the place of api.ts.
 * Throws when the document does not have one of them.
 */
export function declarationsOf(document: Document, operations: readonly Operation[]): string {
  const schemas = Object.entries(document.components.schemas);
  const webhooks = Object.values(document.webhooks ?? {}).flatMap(
    ({ post }) => jsonOf(post.requestBody) ?? [],
  );
  const documented = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const groups = Map.groupBy(operations, ({ group }) => group);
  const client = [...groups].map(([group, each]) => {
    const methods = each.map((operation) => methodOf(operation, found(documented, operation)));
    return `readonly ${group}: ${block(methods)};`;
  });
  return [
    'import type { HttpResponse, RequestParams } from "./transport.ts";',
    ...schemas.map(([name, schema]) => `${comment(schema)}export ${named(name, schema)}`),
    `export type WebhookEvent = ${union(webhooks.map(typeOf))};`,
    `/** One method for each operation of the API, under its tag. */\nexport interface Client ${block(client)}`,
    "",
  ].join("\n\n");
}

function found(documented: readonly DocumentedOperation[], { name }: Operation): DocumentedOperation {
  const operation = documented.find(({ operationId }) => operationId === name);
  if (operation === undefined) throw new Error(`The document has no operation ${name}`);
  return operation;
}

function named(name: string, schema: Schema): string {
  return hasFields(schema) ? `interface ${name} ${typeOf(schema)}` : `type ${name} = ${typeOf(schema)};`;
}

function methodOf(
  { name, path, takesBody, takesQuery, answers }: Operation,
  documented: DocumentedOperation,
): string {
  const { parameters = [], requestBody } = documented;
  const body =
    takesBody === "form" ? requestBody?.content["multipart/form-data"]?.schema : jsonOf(requestBody);
  const args = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, parameter]) => `${parameter}: string`),
    ...(body === undefined ? [] : [argument("body", body, requestBody?.required === true)]),
    ...(takesQuery ? [queryOf(parameters)] : []),
    "params?: RequestParams",
  ];
  const answer =
    answers === "stream" ? "ReadableStream<Uint8Array>" : union(successesOf(documented).map(typeOf));
  return `${comment(documented)}readonly ${name}: (${args.join(", ")}) => Promise<HttpResponse<${answer}>>;`;
}

const argument = (name: string, schema: Schema, isRequired: boolean): string =>
  `${name}${isRequired && !takesNull(schema) ? "" : "?"}: ${typeOf(schema)}`;

const takesNull = ({ anyOf = [] }: Schema): boolean => anyOf.some(({ type }) => type === "null");

function queryOf(parameters: NonNullable<DocumentedOperation["parameters"]>): string {
  const inQuery = parameters.filter((each) => each.in === "query");
  const prefixes = inQuery.flatMap(({ "x-prefix": prefix }) => prefix ?? []);
  const fields = inQuery.filter(({ "x-prefix": prefix }) => prefix === undefined);
  const properties = fields.map(({ name, schema, description = "" }) => [name, { ...schema, description }]);
  const required = fields.flatMap(({ name, required = false }) => (required ? [name] : []));
  const schema = { type: "object", properties: Object.fromEntries(properties), required };
  const named = prefixes.map((prefix) => ` & { readonly [Name in \`${prefix}\${string}\`]?: string }`);
  return `${argument("query", schema, required.length > 0)}${named.join("")}`;
}

const jsonOf = (holder: { readonly content?: Content } | undefined): Schema | undefined =>
  holder?.content?.["application/json"]?.schema;

function successesOf({ responses }: DocumentedOperation): Schema[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith("2") ? (jsonOf(response) ?? []) : [],
  );
}

/** Throws for a schema that is not one of the kinds that the document has. */
export function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf = anyOf } = schema;
  if ($ref !== undefined) return $ref.replace("#/components/schemas/", "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (oneOf !== undefined) return union(oneOf.map(typeOf));
  if (typeof type === "object") return union(type.map((each) => typeOf({ ...schema, type: each })));
  switch (type) {
    case "string":
      return schema.format === "binary" ? "File" : "string";
    case "integer":
      return "number";
    case "number":
    case "boolean":
    case "null":
      return type;
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
    case "object":
      return objectOf(schema);
    case undefined:
      return "unknown";
    default:
      throw new Error(`A schema of the document has the type ${type}`);
  }
}

const hasFields = ({ type, properties = {} }: Schema): boolean =>
  type === "object" && Object.keys(properties).length > 0;

function objectOf(schema: Schema): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!hasFields(schema)) {
    if (additionalProperties === false) return "Readonly<Record<string, never>>";
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Readonly<Record<string, ${values}>>`;
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${comment(field)}readonly ${key}${required.includes(name) ? "" : "?"}: ${typeOf(field)};`;
  });
  return block(fields);
}

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ") || "never";

const block = (lines: readonly string[]): string => `{\n${lines.join("\n").replaceAll(/^(?=.)/gm, "  ")}\n}`;

const comment = ({ description = "" }: { readonly description?: string }): string =>
  description === "" ? "" : `/** ${description.replaceAll("*/", "*\\/").replaceAll("\n\n", " ")} */\n`;
