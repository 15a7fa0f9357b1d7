import type { z } from "zod";

/**
 * A check of a JSON value. true: the schema accepts it unchanged, so it need not be asked. false: ask the
 * schema, which says what is wrong, or accepts it and returns something else (it drops unknown fields).
 */
export type ExactCheck = (value: unknown) => boolean;

/**
 * The schema's rules without its copies: an object for each field and one for its issues take longer than
 * the rules themselves. Everything that is not handled here for certain (refinements, defaults, unions of
 * objects, …) is left to the schema.
 */
export function exactCheck(schema: z.core.$ZodType): ExactCheck {
  const { def } = known(schema)._zod;
  if (def.checks !== undefined && def.checks.length > 0) return askSchema;
  switch (def.type) {
    case "string":
      return "format" in def || isCoerced(def) ? askSchema : isString;
    case "number":
      return isCoerced(def) ? askSchema : numberCheck(def);
    case "boolean":
      return isCoerced(def) ? askSchema : isBoolean;
    case "enum":
      return enumCheck(Object.values(def.entries));
    case "literal":
      return enumCheck(def.values);
    case "template_literal":
      return templateCheck(def);
    case "nullable":
      return nullOr(exactCheck(def.innerType));
    case "array":
      return arrayCheck(exactCheck(def.element));
    case "tuple":
      return def.rest === null ? tupleCheck(def.items.map(exactCheck)) : askSchema;
    case "object":
      return def.catchall === undefined ? objectCheck(def.shape) : askSchema;
    case "null":
      return isNull;
    case "union":
      return unionCheck(def.options);
    case "record":
      return exactCheck(def.keyType) === isString ? recordCheck(exactCheck(def.valueType)) : askSchema;
    case "custom":
      return (value) => def.fn(value) === true;
    default:
      return askSchema;
  }
}

/** Every schema is one of these (zod's documentation for library authors). */
function known(schema: z.core.$ZodType): z.core.$ZodTypes {
  return schema as z.core.$ZodTypes;
}

function isCoerced(def: { readonly coerce?: boolean }): boolean {
  return def.coerce === true;
}

/** Assigned, it is no field. */
const PROTO = "__proto__";
const askSchema: ExactCheck = () => false;
const isString: ExactCheck = (value) => typeof value === "string";
const isNull: ExactCheck = (value) => value === null;
const isBoolean: ExactCheck = (value) => typeof value === "boolean";

function numberCheck(def: z.core.$ZodNumberDef): ExactCheck {
  if (!("format" in def)) return Number.isFinite;
  return def.format === "safeint" ? Number.isSafeInteger : askSchema;
}

function enumCheck(entries: readonly unknown[]): ExactCheck {
  const words = new Set(entries);
  return (value) => words.has(value);
}

/** `call_…` or `…Z`: any text after a prefix, or before a suffix. */
function templateCheck({ parts }: z.core.$ZodTemplateLiteralDef): ExactCheck {
  const [first, second] = parts;
  if (parts.length !== 2) return askSchema;
  if (typeof first === "string" && isAnyText(second))
    return (value) => typeof value === "string" && value.startsWith(first);
  if (isAnyText(first) && typeof second === "string")
    return (value) => typeof value === "string" && value.endsWith(second);
  return askSchema;
}

function isAnyText(part: z.core.$ZodTemplateLiteralPart | undefined): boolean {
  return typeof part === "object" && part !== null && exactCheck(part) === isString;
}

function nullOr(check: ExactCheck): ExactCheck {
  return (value) => value === null || check(value);
}

/** Of scalars only: an object that an earlier member takes may lose fields by it. */
function unionCheck(members: readonly z.core.$ZodType[]): ExactCheck {
  const scalars = new Set(["string", "number", "boolean", "null"]);
  if (!members.every((member) => scalars.has(known(member)._zod.def.type))) return askSchema;
  const checks = members.map(exactCheck);
  return checks.includes(askSchema) ? askSchema : (value) => checks.some((check) => check(value));
}

function recordCheck(check: ExactCheck): ExactCheck {
  return (value) => isObject(value) && Object.keys(value).every((key) => key !== PROTO && check(value[key]));
}

function arrayCheck(check: ExactCheck): ExactCheck {
  return (value) => Array.isArray(value) && value.every(check);
}

function tupleCheck(checks: readonly ExactCheck[]): ExactCheck {
  return (value) =>
    Array.isArray(value) &&
    value.length === checks.length &&
    checks.every((check, place) => check(value[place]));
}

/** Checks the keys that are present: a message has a third of its possible keys. */
function objectCheck(shape: z.core.$ZodShape): ExactCheck {
  const fields = new Map(Object.entries(shape).map(([key, schema]) => [key, fieldOf(key, schema)]));
  const needed = [...fields.values()].filter(({ optional }) => !optional).length;
  /** The fields of the last object, in its order: the next one usually has the same. */
  const last: Field[] = [];
  return (value) => {
    if (!isObject(value)) return false;
    let found = 0;
    let place = 0;
    for (const key in value) {
      const expected = last[place];
      const field = expected?.key === key ? expected : fields.get(key);
      if (field?.check(value[key]) !== true) return false;
      last[place] = field;
      if (!field.optional) found += 1;
      place += 1;
    }
    return found === needed;
  };
}

type Field = { readonly key: string; readonly check: ExactCheck; readonly optional: boolean };

function fieldOf(key: string, schema: z.core.$ZodType): Field {
  const { def } = known(schema)._zod;
  if (def.type !== "optional") return { key, check: exactCheck(schema), optional: false };
  return { key, check: exactCheck(def.innerType), optional: true };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
