import type { z } from "zod";
import type { ProblemDetail } from "../../application/outcome.ts";
import { problemDetails } from "../problem-details.ts";
import { changedNumbers } from "./changed-numbers.ts";
import { MAX_DEPTH, refusedValues } from "./refused-values.ts";
import { MOST_VALUES, scanJson } from "./scan-json.ts";

export type CheckedBody<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly kind: "invalid_json"; readonly message: string }
  | { readonly ok: false; readonly kind: "too_many_values" }
  | { readonly ok: false; readonly kind: "invalid"; readonly details: readonly ProblemDetail[] };

/**
 * Parses JSON bytes to the schema's value, or returns all problems at once. No bytes: no body. Runs in the
 * process or, for large bodies, in a worker.
 */
export function checkJson(bytes: Uint8Array, schema: z.ZodType): CheckedBody {
  if (bytes.byteLength === 0) return checkValue(undefined, schema);
  const scan = scanJson(bytes);
  if (scan.values > MOST_VALUES) return { ok: false, kind: "too_many_values" };
  const parsed = parseJson(bytes);
  if (!parsed.ok) return { ok: false, kind: "invalid_json", message: parsed.message };
  const refused = scan.suspicious || scan.depth > MAX_DEPTH ? refusedValues(parsed.value) : [];
  if (scan.depth > MAX_DEPTH) return { ok: false, kind: "invalid", details: refused };
  const changed = scan.oddNumbers ? changedNumbers(parsed.text) : [];
  return checkValue(parsed.value, schema, [...refused, ...changed]);
}

function checkValue(value: unknown, schema: z.ZodType, refused: readonly ProblemDetail[] = []): CheckedBody {
  const checked = schema.safeParse(value);
  if (checked.success && refused.length === 0) return { ok: true, value: checked.data };
  const details = checked.success ? [] : problemDetails(checked.error.issues);
  return { ok: false, kind: "invalid", details: [...refused, ...details].slice(0, 100) };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(
  bytes: Uint8Array,
):
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly message: string } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { ok: false, message: "The body is not UTF-8" };
  }
  try {
    return { ok: true, value: JSON.parse(text), text };
  } catch (error) {
    return { ok: false, message: `The body is not JSON: ${whereOf(error)}` };
  }
}

/** The parser's message without the excerpt of the body. */
function whereOf(error: unknown): string {
  const place =
    error instanceof Error ? /at position \d+( \(line \d+ column \d+\))?/.exec(error.message)?.[0] : null;
  return place === null || place === undefined
    ? "it ends too early or holds a wrong character"
    : `wrong ${place}`;
}
