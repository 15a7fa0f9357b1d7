import type { JsonObject } from "../../domain/shared/json.ts";
import type { StoredType } from "./stored/stored-type.ts";

export type Upcasted =
  | { readonly ok: true; readonly data: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Converts data of an older stored version step by step to the current one. It was checked against the
 * schema of its own version.
 */
export function upcast(type: StoredType<unknown>, data: JsonObject, version: number): Upcasted {
  const written = type.older[version - 1];
  if (written === undefined) return { ok: true, data };
  const checked = written.schema.safeParse(data);
  if (!checked.success) return { ok: false, problem: `version ${version}: ${checked.error.message}` };
  const steps = type.older.slice(version - 1);
  return { ok: true, data: steps.reduce((older, step) => step.upcast(older), checked.data) };
}
