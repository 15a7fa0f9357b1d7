import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import type { ProblemDetail } from "../../application/outcome.ts";
import { problemDetails } from "../problem-details.ts";
import { changedNumbers } from "./changed-numbers.ts";
import type { CheckedBody } from "./check-json.ts";
import { MAX_DEPTH, refusedValues } from "./refused-values.ts";
import { MOST_VALUES, scanJson } from "./scan-json.ts";
import { type Spans, spansOfList } from "./split-list.ts";

/** A body with one list that may be long. */
export type LongList = {
  readonly name: string;
  readonly item: z.ZodType;
  /** Schema of the whole body with any list. */
  readonly rest: z.ZodType;
  readonly most: number;
};

const MOST_PROBLEMS = 100;

/**
 * As `checkJson`, but item by item: valid items are passed to `take` at once and not kept, so that a body of
 * 16 MiB is never completely in memory as values. The list in the result is empty; a refusal is valid
 * whatever was taken before. null: use `checkJson` for this body, which also says where JSON is malformed.
 */
export function checkList(
  bytes: Uint8Array,
  list: LongList,
  take: (item: unknown) => void,
): CheckedBody | null {
  const spans = isUtf8(bytes) ? spansOfList(bytes, list.name, list.most) : null;
  const { depth, suspicious, oddNumbers, values } = scanJson(bytes);
  if (spans === null || depth > MAX_DEPTH) return null;
  if (values > MOST_VALUES && largestPart(bytes, spans) > MOST_VALUES)
    return { ok: false, kind: "too_many_values" };
  const beside = withoutItems(bytes, spans);
  const body = parsed(beside);
  if (lengthOfList(body, list.name) !== spans.length / 2) return null;

  const rest = list.rest.safeParse(body);
  const details: ProblemDetail[] = suspicious ? refusedValues(body) : [];
  if (oddNumbers) details.push(...changedNumbers(beside));
  if (!rest.success) details.push(...problemDetails(rest.error.issues));
  for (let place = 0; place < spans.length / 2 && details.length < MOST_PROBLEMS; place += 1) {
    const text = textOf(bytes, spans, place);
    const item = parsed(text);
    if (item === undefined) return null;
    const path = [list.name, place];
    if (suspicious) details.push(...refusedValues(item, path));
    if (oddNumbers) details.push(...changedNumbers(text, path));
    const checked = list.item.safeParse(item);
    if (checked.success) take(checked.data);
    else details.push(...problemDetails(checked.error.issues, path));
  }
  if (!rest.success || details.length > 0) {
    return { ok: false, kind: "invalid", details: details.slice(0, MOST_PROBLEMS) };
  }
  return { ok: true, value: Object.assign({}, rest.data, { [list.name]: [] }) };
}

/** undefined: not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(bytes: Uint8Array, spans: Spans, place: number): string {
  return decoder.decode(bytes.subarray(spans[2 * place], spans[2 * place + 1]));
}

/** The number of values in the largest item, or beside the items. */
function largestPart(bytes: Uint8Array, spans: Spans): number {
  let largest = 0;
  let beside = scanJson(bytes).values;
  for (let place = 0; place < spans.length; place += 2) {
    const { values } = scanJson(bytes.subarray(spans[place], spans[place + 1]));
    largest = Math.max(largest, values);
    beside -= values;
  }
  return Math.max(largest, beside);
}

/** The body with a 0 for each item. */
function withoutItems(bytes: Uint8Array, spans: Spans): string {
  let text = "";
  let from = 0;
  for (let place = 0; place < spans.length; place += 2) {
    text += `${decoder.decode(bytes.subarray(from, spans[place]))}0`;
    from = spans[place + 1] ?? from;
  }
  return text + decoder.decode(bytes.subarray(from));
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function lengthOfList(body: unknown, name: string): number | null {
  if (typeof body !== "object" || body === null) return null;
  const list: unknown = Reflect.get(body, name);
  return Array.isArray(list) ? list.length : null;
}
