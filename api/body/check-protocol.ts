import type { CheckedBody } from "./check-json.ts";
import type { CheckTask } from "./check-task.ts";

/**
 * Between the main thread and a worker, one task at a time. A checked body comes back in slices, each asked for, so that the main thread never
 * takes much at once: first the body with an empty list, then the list. Slices are JSON text: parsed, it makes far smaller objects than a
 * structured clone.
 */
export type ToWorker =
  | { readonly kind: "check"; readonly task: CheckTask; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "next" };

export type FromWorker =
  | { readonly kind: "refused"; readonly checked: CheckedBody }
  | { readonly kind: "checked"; readonly value: unknown; readonly more: boolean }
  | { readonly kind: "slice"; readonly json: string; readonly more: boolean }
  | { readonly kind: "failed"; readonly message: string };

/** The one list that may be long. */
export const SLICED_LIST = "contacts";

/** Splits the long list off a checked value; null: it has none. */
export function sliceable(
  value: unknown,
): { readonly rest: Record<string, unknown>; readonly items: unknown[] } | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const rest: Record<string, unknown> = { ...value };
  const items = rest[SLICED_LIST];
  if (!Array.isArray(items)) return null;
  return { rest: { ...rest, [SLICED_LIST]: [] }, items };
}
