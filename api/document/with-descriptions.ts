import { fieldDescription, parameterDescription } from "./field-descriptions.ts";

type Json = Readonly<Record<string, unknown>>;

/** Adds a description to every field and parameter: that of its schema, else the one from the tables. */
export function withDescriptions<Document extends object>(document: Document): Document {
  const { components, paths, webhooks } = { components: {}, paths: {}, webhooks: {}, ...document };
  const { schemas } = { schemas: {}, ...components };
  return {
    ...document,
    paths: describedPaths(paths),
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks: describedPaths(webhooks) }),
    components: { ...components, schemas: mapped(schemas, (name, schema) => described(schema, name, [])) },
  };
}

function describedPaths(paths: object): Json {
  return mapped(paths, (_path, methods) =>
    mapped(methods, (_method, operation) => describedOperation(operation)),
  );
}

function describedOperation(operation: unknown): unknown {
  if (!isObject(operation)) return operation;
  const { operationId, parameters, requestBody, responses } = operation;
  const name = String(operationId);
  return {
    ...operation,
    ...(Array.isArray(parameters)
      ? { parameters: parameters.map((each) => describedParameter(each, name)) }
      : {}),
    ...(requestBody === undefined ? {} : { requestBody: described(requestBody, name, ["body"]) }),
    ...(responses === undefined ? {} : { responses: described(responses, name, []) }),
  };
}

function describedParameter(parameter: unknown, operation: string): unknown {
  if (!isObject(parameter)) return parameter;
  return { description: parameterDescription(operation, String(parameter["name"])), ...parameter };
}

/** Examples are the caller's data: their keys are not our fields. */
const NO_SCHEMAS = new Set(["example", "examples", "enum", "const", "default"]);

function described(value: unknown, owner: string, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => described(each, owner, path));
  if (!isObject(value)) return value;
  return mapped(value, (key, inner) => {
    if (NO_SCHEMAS.has(key)) return inner;
    if (key !== "properties") return described(inner, owner, path);
    return mapped(inner, (field, schema) => describedField(schema, owner, [...path, field]));
  });
}

function describedField(schema: unknown, owner: string, path: readonly string[]): unknown {
  const inner = described(schema, owner, path);
  const description = fieldDescription(owner, path);
  return isObject(inner) && description !== undefined ? { description, ...inner } : inner;
}

function mapped(value: unknown, change: (key: string, inner: unknown) => unknown): Json {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([key, inner]) => [key, change(key, inner)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
