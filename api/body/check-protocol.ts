import type { CheckedBody } from "./check-json.ts";
import type { ReadingOptions } from "./reading-options.ts";

/** What can be handed to a worker: everything in it can be copied between threads. */
export type CheckTask = { readonly kind: "json"; readonly schema: string } | CsvTask;
/** A file of contacts, and how it is to be read. */
export type CsvTask = { readonly kind: "csv" } & ReadingOptions;

export type BodyChecks = {
  check(
    task: CheckTask,
    bytes: Uint8Array<ArrayBuffer>,
    signal: AbortSignal,
    owner: string,
  ): Promise<CheckedBody>;
  close(): Promise<void>;
};

/**
 * From a worker, which has one task at a time. The long list of a checked body comes before it, in slices of JSON: read again when they are
 * needed, they take far less memory than the values that they stand for, and none of V8's heap.
 */
export type FromWorker =
  | { readonly kind: "slice"; readonly json: Uint8Array<ArrayBuffer> }
  | { readonly kind: "checked"; readonly checked: CheckedBody }
  | { readonly kind: "failed"; readonly message: string };

export type ToWorker = { readonly task: CheckTask; readonly bytes: Uint8Array<ArrayBuffer> };

/** Splits the long list off a checked value; null: it has none of that name. */
export function sliceable(
  value: unknown,
  list: string,
): { readonly rest: Record<string, unknown>; readonly items: unknown[] } | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const rest: Record<string, unknown> = { ...value };
  const items = rest[list];
  if (!Array.isArray(items)) return null;
  return { rest: { ...rest, [list]: [] }, items };
}
