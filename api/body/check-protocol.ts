import type { CheckedBody } from "./check-json.ts";
import type { ReadingOptions } from "./reading-options.ts";

/** A task for a worker: everything in it can be copied between threads. */
export type CheckTask = { readonly kind: "json"; readonly schema: string } | CsvTask;
/** A file of contacts, and how to read it. */
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
 * From a worker, which has one task at a time. The long lists of a checked body come first, each in
 * slices of JSON: they are parsed again when needed, and take far less memory than their values,
 * none of it in V8's heap.
 */
export type FromWorker =
  | { readonly kind: "slice"; readonly list: string; readonly json: Uint8Array<ArrayBuffer> }
  | { readonly kind: "checked"; readonly checked: CheckedBody }
  | { readonly kind: "failed"; readonly message: string };

export type ToWorker = { readonly task: CheckTask; readonly bytes: Uint8Array<ArrayBuffer> };

/** Separates a long list from a checked value; null: it has no list with that name. */
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
