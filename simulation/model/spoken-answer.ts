import { beginningOf } from "../../domain/shared/storable-text.ts";

/** The part of a tool's answer that can be spoken; null: the tool failed. Empty: nothing to say. */
export function spokenAnswer(content: string): string | null {
  const { status, body } = parted(content);
  if (status !== null && (status < 200 || status >= 400)) return null;
  if (/^\W*(error|fault|failed|refused|timed out|unknown|invalid|missing)\b/i.test(body)) return null;
  const parsed = parsedJson(body);
  if (parsed === undefined) return oneSentence(body);
  if (typeof parsed === "object" && parsed !== null && "error" in parsed) return null;
  return pairs("", parsed).slice(0, MOST_PAIRS).join(", ");
}

const MOST_PAIRS = 4;
const LONGEST_VALUE = 80;
const LONGEST_TEXT = 160;

/** `<status>\n<body>` of a request, or a body alone. */
function parted(content: string): { readonly status: number | null; readonly body: string } {
  const match = /^(\d{3})(?:\n|$)/.exec(content);
  if (match === null) return { status: null, body: content.trim() };
  return { status: Number(match[1]), body: content.slice(4).trim() };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Leaf values in order, each after its name; of a list only the first item. */
function pairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return pairs(name, value[0]);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => pairs(key, item));
  if (value === null || value === undefined || value === "") return [];
  return [`${spokenName(name)} ${beginningOf(String(value), LONGEST_VALUE)}`.trim()];
}

/** `estimatedArrival` and `estimated_arrival` are `estimated arrival`. */
export function spokenName(name: string): string {
  return name
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase();
}

function oneSentence(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return beginningOf(line, LONGEST_TEXT).replace(/[.!?\s]+$/, "");
}
