import type { JsonObject, JsonValue } from "../../shared/json.ts";
import { utf8Length } from "../../shared/utf8.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** `{{key|fallback}}`: the first bar ends the key; `\|` and `\}` are a bar and a brace of the text. */
const WITH_FALLBACK = /\{\{((?:\\\||\\(?!\|)|[^{}|\\])*)(?:\|((?:\\[|}]|\\(?![|}])|[^{}\\])*))?\}\}/g;

/** `fallback` null: there is none. */
type Placeholder = { readonly key: string; readonly fallback: string | null };
type Part = { readonly literal: string } | Placeholder;

/**
 * The rules by which texts were filled so far (docs/api.md §5); a campaign keeps the one that it was created
 * with. 1: the seed's filling. 2: the additional filling. 3: keys are the same however their letters are
 * composed, a name of blanks is none, and a placeholder may have a fallback.
 */
export type PlaceholderRule = 1 | 2 | 3;
/** The rule of everything new. */
export const CURRENT_RULE = 3;

type Fold = (key: string) => string;

/** Keys with the same folded form are the same key. */
export function foldOf(rule: PlaceholderRule): Fold {
  return rule < 3 ? (key) => key.toLowerCase() : foldComposed;
}

/** ASCII is composed already; an import folds each key of each contact. */
function foldComposed(key: string): string {
  return isAscii(key) ? key.toLowerCase() : key.normalize("NFC").toLowerCase().normalize("NFC");
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/**
 * A parsed text with placeholders `{{ key }}`: inner spaces allowed, case folded without a
 * locale (docs/api.md §5).
 */
export type TextTemplate = {
  readonly source: string;
  readonly fold: Fold;
  readonly parts: readonly Part[];
  /** Its bytes (UTF-8) without any value, with every fallback. */
  readonly literalBytes: number;
  /** How often each spelling of a key occurs without a fallback, by the folded key. */
  readonly spellings: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The same of those with one. */
  readonly fallbacks: ReadonlyMap<string, ReadonlyMap<string, Fallbacks>>;
};

/** Of one spelling: how many there are, and the bytes of all of them. */
type Fallbacks = { readonly count: number; readonly bytes: number };

export function readTemplate(text: string, rule: PlaceholderRule = CURRENT_RULE): TextTemplate {
  const fold = foldOf(rule);
  const parts: Part[] = [];
  const spellings = new Map<string, Map<string, number>>();
  const fallbacks = new Map<string, Map<string, Fallbacks>>();
  let literalBytes = 0;
  let read = 0;
  const addLiteral = (literal: string) => {
    if (literal === "") return;
    literalBytes += utf8Length(literal);
    parts.push({ literal });
  };
  for (const match of text.matchAll(rule < 3 ? PLACEHOLDER : WITH_FALLBACK)) {
    addLiteral(text.slice(read, match.index));
    read = match.index + match[0].length;
    const placeholder = placeholderOf(rule, match[1] ?? "", match[2] ?? null);
    const { key, fallback } = placeholder;
    parts.push(placeholder);
    if (fallback === null) {
      const counts = spellings.get(fold(key)) ?? new Map<string, number>();
      spellings.set(fold(key), counts.set(key, (counts.get(key) ?? 0) + 1));
    } else {
      const bytes = utf8Length(fallback);
      literalBytes += bytes;
      const known = fallbacks.get(fold(key)) ?? new Map<string, Fallbacks>();
      const before = known.get(key) ?? { count: 0, bytes: 0 };
      fallbacks.set(fold(key), known.set(key, { count: before.count + 1, bytes: before.bytes + bytes }));
    }
  }
  addLiteral(text.slice(read));
  return { source: text, fold, parts, literalBytes, spellings, fallbacks };
}

function placeholderOf(rule: PlaceholderRule, key: string, fallback: string | null): Placeholder {
  if (rule < 3) return { key: key.trim(), fallback };
  return {
    key: key.replaceAll("\\|", "|").trim(),
    fallback: fallback?.replace(/\\([|}])/g, "$1") ?? null,
  };
}

/**
 * Length of the filled text in bytes; null when it exceeds the limit. The work is bounded by the values and
 * the limit, not by how often a placeholder occurs.
 */
export function filledBytes(template: TextTemplate, values: JsonObject, limit: number): number | null {
  let bytes = template.literalBytes;
  for (const { count, text, replaced } of fillings(template, [values]))
    bytes += count * utf8Length(text) - (replaced ?? 0);
  return bytes > limit ? null : bytes;
}

/** One spelling of a key that has a value, and how often it occurs in the text. */
export type Filling = {
  readonly spelling: string;
  readonly count: number;
  readonly text: string;
  /** Bytes of the fallbacks in whose place the text stands; null: they have none. */
  readonly replaced: number | null;
};

/**
 * The placeholders that have a value. Of `sources` the first that has the key counts, whatever its case. The
 * work is bounded by the values.
 */
export function fillings(
  { fold, spellings, fallbacks }: TextTemplate,
  sources: readonly JsonObject[],
): readonly Filling[] {
  if (spellings.size + fallbacks.size === 0) return [];
  const found: Filling[] = [];
  const done = new Set<string>();
  for (const values of sources) {
    for (const first of Object.keys(values)) {
      const folded = fold(first);
      const filled = spellings.get(folded);
      const replacing = fallbacks.get(folded);
      if ((filled === undefined && replacing === undefined) || done.has(folded)) continue;
      done.add(folded);
      for (const [spelling, count] of filled ?? [])
        found.push({ spelling, count, text: textFor(values, spelling, first), replaced: null });
      for (const [spelling, { count, bytes }] of replacing ?? []) {
        const text = textFor(values, spelling, first);
        if (!isBlank(text)) found.push({ spelling, count, text, replaced: bytes });
      }
    }
  }
  return found;
}

/** The spelling's own value, else that of the first key which is the same. */
function textFor(values: JsonObject, spelling: string, first: string): string {
  return textOf(Object.hasOwn(values, spelling) ? values[spelling] : values[first]);
}

export type FilledText = {
  readonly text: string;
  /** Placeholders whose additional value would have exceeded the limit. */
  readonly leftOut: number;
};

/**
 * Fills the text in one pass: braces and `$` in a value are plain text, placeholders without a value are
 * removed, or their fallback stands there (also for a value of blanks). null: `values` alone exceed the
 * limit. `additional` values fill keys that `values` lacks, as far as they fit; nothing longer than the
 * limit is ever built.
 */
export function fillTemplate(
  template: TextTemplate,
  values: JsonObject,
  additional: readonly JsonObject[],
  limit: number,
): FilledText | null {
  const bytes = filledBytes(template, values, limit);
  if (bytes === null) return null;
  const find = createLookup(values, template.fold);
  const findMore = additional.map((more) => createLookup(more, template.fold));
  let room = limit - bytes;
  let leftOut = 0;
  const filled = template.parts.map((part) => {
    if ("literal" in part) return part.literal;
    const { key, fallback } = part;
    const own = find(key);
    if (own !== null) return fallback !== null && isBlank(own.text) ? fallback : own.text;
    const more = firstOf(findMore, key);
    if (more === null || (fallback !== null && isBlank(more.text))) return fallback ?? "";
    const needed = more.bytes - (fallback === null ? 0 : utf8Length(fallback));
    if (needed > room) {
      leftOut += 1;
      return fallback ?? "";
    }
    room -= needed;
    return more.text;
  });
  return { text: filled.join(""), leftOut };
}

type Found = { readonly text: string; readonly bytes: number };
/** null: there is no such key. */
type Lookup = (key: string) => Found | null;

/** Of keys that differ only in case the exact one wins, else the first. Each value is measured once. */
function createLookup(values: JsonObject, fold: Fold): Lookup {
  const known = new Map<string, Found | null>();
  let firstSpelling: ReadonlyMap<string, string> | null = null;
  const keyFor = (key: string): string | undefined => {
    if (Object.hasOwn(values, key)) return key;
    firstSpelling ??= new Map(
      Object.keys(values)
        .toReversed()
        .map((each) => [fold(each), each]),
    );
    return firstSpelling.get(fold(key));
  };
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const own = keyFor(key);
    const text = own === undefined ? null : textOf(values[own]);
    const found = text === null ? null : { text, bytes: utf8Length(text) };
    known.set(key, found);
    return found;
  };
}

function firstOf(lookups: readonly Lookup[], key: string): Found | null {
  for (const lookup of lookups) {
    const found = lookup(key);
    if (found !== null) return found;
  }
  return null;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
