import { argumentsOf } from "../contract/route.ts";
import type { Document, DocumentedOperation, Schema } from "./declarations.ts";
import type { Operation } from "./transport.ts";

/** The modules of the Python client that say what the API is: texts by file name. */
export type PythonModules = { readonly "types.py": string; readonly "operations.py": string };

/**
 * Prints the Python client's types (a TypedDict for each object of the document) and its operations (a
 * method for each, in a class for its tag). Throws where the document lacks an operation, or two would have
 * one name.
 */
export function pythonModulesOf(document: Document, operations: readonly Operation[]): PythonModules {
  const types = typePrinter();
  for (const [name, schema] of Object.entries(document.components.schemas)) types.name(name, schema);
  const webhooks = Object.values(document.webhooks ?? {}).flatMap(
    ({ post }) => jsonOf(post.requestBody) ?? [],
  );
  types.name("WebhookEvent", { description: "The body of any webhook", oneOf: webhooks });
  const print = operationPrinter(document, types);
  const groups = [...Map.groupBy(operations, ({ group }) => group)].map(([group, each]) => ({
    attribute: snake(group),
    name: `${group.charAt(0).toUpperCase()}${group.slice(1)}`,
    methods: each.map(print),
  }));
  for (const { attribute, methods } of groups)
    if (new Set(methods.map(({ name }) => name)).size < methods.length)
      throw new Error(`Two operations of ${attribute} have the same name in Python`);
  const operationsText = [
    `${GENERATED}
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from . import types
from .files import FileAnswer
from .pages import Rows
from .requests import Group, Sender, filled
`,
    ...groups.map(({ name, methods }) => `class ${name}(Group):${methods.map(({ text }) => text).join("")}`),
    `class Operations:
    """A group of methods for each tag of the API."""

    def __init__(self, sender: Sender) -> None:
${groups.map(({ attribute, name }) => `        self.${attribute} = ${name}(sender)\n`).join("")}`,
  ];
  return { "types.py": types.text(), "operations.py": operationsText.join("\n\n") };
}

const GENERATED = '"""Printed by client/python-modules.ts from the table of routes: not to be edited."""';

type Types = {
  /** Gives a schema a name of the module. */
  readonly name: (name: string, schema: Schema) => void;
  /** The expression of a schema; objects in it are named after `path`. `prefix` stands before names. */
  readonly of: (schema: Schema, path: string, prefix?: string) => string;
  readonly text: () => string;
};

function typePrinter(): Types {
  const dicts = new Map<string, string>();
  const aliases = new Map<string, Schema>();
  const of = (schema: Schema, path: string, prefix = ""): string => {
    const { $ref, type, anyOf, oneOf = anyOf } = schema;
    if ($ref !== undefined) return `${prefix}${$ref.replace("#/components/schemas/", "")}`;
    const values = schema.const !== undefined ? [schema.const] : schema.enum;
    if (values !== undefined) return `Literal[${values.map(literal).join(", ")}]`;
    if (oneOf !== undefined)
      return union(oneOf.map((each, index) => of(each, placed(path, each, index, oneOf), prefix)));
    if (typeof type === "object")
      return union(type.map((each) => of({ ...schema, type: each }, path, prefix)));
    if (type === "array") return `Sequence[${of(schema.items ?? {}, `${path}Item`, prefix)}]`;
    if (type === "object") {
      if (hasFields(schema)) return dict(path, schema, prefix);
      const values = schema.additionalProperties;
      return `Mapping[str, ${typeof values === "object" ? of(values, `${path}Value`, prefix) : "Any"}]`;
    }
    const known = type === undefined ? "Any" : SIMPLE[schema.format === "binary" ? "binary" : type];
    if (known === undefined) throw new Error(`A schema of the document has the type ${type}`);
    return known;
  };
  const dict = (name: string, schema: Schema, prefix: string): string => {
    dicts.set(name, "");
    dicts.set(name, dictOf(name, schema, of));
    return `${prefix}${name}`;
  };
  return {
    of,
    name: (name, schema) => void (hasFields(schema) ? dict(name, schema, "") : aliases.set(name, schema)),
    text: () => {
      const texts = [...inOrder(aliases)].map(([name, schema]) => {
        const { description, ...rest } = schema;
        return `${comment(description, "")}${name} = ${atRuntime(of(rest, name))}\n`;
      });
      const imports =
        "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, TypedDict, Union\n";
      return [`${GENERATED}\n${imports}`, ...dicts.values(), ...texts].join("\n");
    },
  };
}

/** Where a member of a union stands: by its kind, or by its place, where it is not the only object. */
function placed(path: string, schema: Schema, index: number, members: readonly Schema[]): string {
  if (members.filter(hasFields).length < 2) return path;
  const { type, kind = type } = schema.properties ?? {};
  const named = kind?.const ?? (kind?.enum?.length === 1 ? kind.enum[0] : undefined);
  return `${path}${typeof named === "string" ? pascal(named) : index + 1}`;
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: "str",
  binary: "bytes",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const hasFields = ({ type, properties = {} }: Schema): boolean =>
  type === "object" && Object.keys(properties).length > 0;

/** A TypedDict; one with optional fields is made of two, because Python 3.10 has no NotRequired. */
function dictOf(
  name: string,
  { description, properties = {}, required = [] }: Schema,
  of: Types["of"],
): string {
  const fields = Object.entries(properties).map(([key, field]) => {
    const type = of(field, `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`);
    const text = `${comment(field.description, "    ")}    ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`;
    return { isRequired: required.includes(key), text };
  });
  const [needed, optional] = [true, false].map((kind) =>
    fields.filter(({ isRequired }) => isRequired === kind).map(({ text }) => text),
  );
  const made = (called: string, texts: readonly string[] = [], total = "") =>
    `${called} = TypedDict("${called}", {\n${texts.join("")}}${total})\n`;
  const about = comment(description, "");
  if (optional?.length === 0) return `${about}${made(name, needed)}`;
  if (needed?.length === 0) return `${about}${made(name, optional, ", total=False")}`;
  return [
    made(`_${name}Needed`, needed),
    made(`_${name}Optional`, optional, ", total=False"),
    `${about}class ${name}(_${name}Needed, _${name}Optional):\n    pass\n`,
  ].join("\n");
}

/** Aliases behind those that they name. */
function* inOrder(aliases: ReadonlyMap<string, Schema>): Generator<readonly [string, Schema]> {
  const done = new Set<string>();
  const visit = function* (name: string, schema: Schema): Generator<readonly [string, Schema]> {
    if (done.has(name)) return;
    done.add(name);
    for (const [, other = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const target = aliases.get(other);
      if (target !== undefined) yield* visit(other, target);
    }
    yield [name, schema];
  };
  for (const [name, schema] of aliases) yield* visit(name, schema);
}

/** `A | B` of names is no expression of Python 3.10 where one of them is a special form. */
function atRuntime(type: string): string {
  const parts = type.split(" | ");
  return parts.length === 1 ? type : `Union[${parts.join(", ")}]`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ") || "Any";

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
}

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? "" : `${indent}# ${text.replaceAll(/\s*\n\s*/g, " ")}\n`;

const jsonOf = (holder: DocumentedOperation["requestBody"]): Schema | undefined =>
  holder?.content["application/json"]?.schema;

type Method = { readonly name: string; readonly text: string };

function operationPrinter(document: Document, types: Types): (operation: Operation) => Method {
  const documented = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const resolved = (schema: Schema): Schema => {
    const name = schema.$ref?.replace("#/components/schemas/", "");
    return name === undefined ? schema : (document.components.schemas[name] ?? {});
  };
  return (operation) => {
    const found = documented.find(({ operationId }) => operationId === operation.name);
    if (found === undefined) throw new Error(`The document has no operation ${operation.name}`);
    const body = bodyOf(operation, found);
    const queries = operation.takesQuery
      ? (found.parameters ?? []).filter((each) => each.in === "query")
      : [];
    const isPaged = queries.some(({ name }) => name === "cursor");
    const answer = answerOf(operation, found, resolved);
    const named = queries
      .filter(({ name }) => !isPaged || (name !== "cursor" && name !== "limit"))
      .map(({ name, required = false, schema, "x-prefix": prefix }) => {
        if (prefix !== undefined) return prefixed(prefix);
        const type = types.of(schema, `${pascal(operation.name)}${pascal(name)}`, "types.");
        const text = `${pythonName(name)}: ${type}${required ? "" : " | None = None"}`;
        return { sent: `"${name}": ${pythonName(name)}`, text };
      });
    const bodyType =
      body === undefined ? "" : types.of(body.schema, `${pascal(operation.name)}Body`, "types.");
    const params = [
      "self",
      ...pathNames(operation.path).map((name) => `${name}: str`),
      ...(body === undefined ? [] : [`body: ${bodyType}${body.isRequired ? "" : " | None = None"}`]),
      "*",
      ...named.map(({ text }) => text),
      ...(isPaged ? ["limit: int = 200"] : []),
      ...(operation.takesIdempotencyKey ? ["idempotency_key: str | None = None"] : []),
      "timeout: float | None = None",
    ];
    const type = types.of(answer.schema, `${pascal(operation.name)}Answer`, "types.");
    const returned = isPaged ? `Rows[${type}]` : operation.answers === "stream" ? "FileAnswer" : type;
    const sent = [
      `"${operation.method}"`,
      `filled("${operation.path}"${pathNames(operation.path)
        .map((name) => `, ${name}`)
        .join("")})`,
      ...(named.length === 0 ? [] : [`query={${named.map(({ sent }) => sent).join(", ")}}`]),
      ...(body === undefined ? [] : [operation.takesBody === "form" ? "form=body" : "body=body"]),
      ...(operation.takesIdempotencyKey ? ["takes_key=True", "idempotency_key=idempotency_key"] : []),
      ...(operation.needsApiKey ? [] : ["authorized=False"]),
      "timeout=timeout",
    ].join(", ");
    const call = isPaged
      ? `Rows(self._sender, ${sent.replace(/^"GET", /, "")}, limit=limit)`
      : operation.answers === "stream"
        ? `self._sender.open(${sent})`
        : `self._sender.ask(${sent})${answer.isWrapped ? '["data"]' : ""}`;
    const name = methodName(operation);
    const about = (found.summary ?? operation.name).replaceAll('"""', "'''");
    const text = `
    def ${name}(
        ${params.join(",\n        ")},
    ) -> ${returned}:
        """${about}."""
        return ${call}
`;
    return { name, text };
  };
}

/** All names of a query that begin with `prefix`, in one argument: `outcome={"confirmed": True}`. */
function prefixed(prefix: string) {
  const name = prefix.replace(/\W+$/, "");
  return {
    sent: `**{f"${prefix}{name}": value for name, value in (${name} or {}).items()}`,
    text: `${name}: Mapping[str, str | int | float | bool] | None = None`,
  };
}

type Body = { readonly schema: Schema; readonly isRequired: boolean };

/** undefined: nothing can be said in it. */
function bodyOf({ takesBody }: Operation, { requestBody }: DocumentedOperation): Body | undefined {
  if (takesBody === "form") {
    const schema = requestBody?.content["multipart/form-data"]?.schema;
    return schema === undefined ? undefined : { schema, isRequired: true };
  }
  const schema = jsonOf(requestBody);
  if (schema === undefined) return undefined;
  const { anyOf = [] } = schema;
  const [whole, ...others] = anyOf.filter(({ type }) => type !== "null");
  if (whole === undefined || others.length > 0 || anyOf.length === 1)
    return { schema, isRequired: requestBody?.required === true };
  if (whole.$ref === undefined && !hasFields(whole)) return undefined;
  return { schema: whole, isRequired: false };
}

/** What a method gives: `data`, where the answer is made around it; of a list, a row. */
function answerOf(
  { answers, takesQuery }: Operation,
  { responses, parameters = [] }: DocumentedOperation,
  resolved: (schema: Schema) => Schema,
): { readonly schema: Schema; readonly isWrapped: boolean } {
  if (answers === "stream") return { schema: {}, isWrapped: false };
  const successes = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") ? (content?.["application/json"]?.schema ?? []) : [],
  );
  const data = successes.map((each) => resolved(each).properties?.["data"]);
  const all = data.flatMap((each) => each ?? []);
  if (all.length < successes.length || all.length === 0)
    return { schema: { anyOf: successes }, isWrapped: false };
  const isPaged = takesQuery && parameters.some(({ name }) => name === "cursor");
  const schemas = isPaged ? all.map(({ items = {} }) => items) : all;
  return { schema: { anyOf: schemas }, isWrapped: true };
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const KEYWORDS = new Set(["from", "import"]);
const pythonName = (name: string): string => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));

const pathNames = (path: string): string[] => argumentsOf(path).map(snake);

/** The operation without what its group says already: `listCalls` of calls is `list`. */
function methodName({ group, name }: Operation): string {
  const noun = pascal(group).replace(/s$/, "");
  const rest = name.replace(new RegExp(`${noun}s?(?![a-z])`), "");
  return pythonName(rest);
}
