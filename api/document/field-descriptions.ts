import { ANYWHERE } from "./fields/anywhere.ts";
import type { FieldTable } from "./fields/field-table.ts";
import { PARAMETERS } from "./fields/parameters.ts";
import { SERVICE_FIELDS } from "./fields/service-fields.ts";

const TABLES: readonly FieldTable[] = SERVICE_FIELDS;

/** By `<component>.<field>`. */
const OF_SCHEMAS: ReadonlyMap<string, string> = new Map(
  TABLES.flatMap(({ of, fields }) =>
    of.flatMap((owner) =>
      Object.entries(fields).map(([field, text]): [string, string] => [`${owner}.${field}`, text]),
    ),
  ),
);

/**
 * `owner`: a component or an operation; `path`: names of fields, the outermost first. undefined:
 * there is no description.
 */
export function fieldDescription(owner: string, path: readonly string[]): string | undefined {
  return OF_SCHEMAS.get(`${owner}.${path.join(".")}`) ?? ANYWHERE[path.at(-1) ?? ""];
}

export function parameterDescription(operation: string, name: string): string | undefined {
  return PARAMETERS[`${operation}.${name}`] ?? PARAMETERS[name];
}

/** The fields in the tables, for a test that none of them is stale. */
export const DESCRIBED_FIELDS: readonly string[] = [...OF_SCHEMAS.keys()];
