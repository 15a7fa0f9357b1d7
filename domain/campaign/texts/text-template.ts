import type { JsonObject, JsonValue } from "../../shared/json.ts";
import { utf8Length } from "../../shared/utf8.ts";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

type Part = { readonly literal: string } | { readonly key: string };

/**
 * The rules by which texts were filled so far (docs/api.md §5); a campaign keeps the one that it was created
 * with. 1: the seed's filling. 2: the additional filling. 3: keys are the same however their letters are
 * composed, and a name of blanks is none.
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
  /** Its bytes (UTF-8) without any value. */
  readonly literalBytes: number;
  /** How often each spelling of a key occurs, by the folded key. */
  readonly spellings: ReadonlyMap<string, ReadonlyMap<string, number>>;
};

export function readTemplate(text: string, rule: PlaceholderRule = CURRENT_RULE): TextTemplate {
  const fold = foldOf(rule);
  const parts: Part[] = [];
  const spellings = new Map<string, Map<string, number>>();
  let literalBytes = 0;
  let read = 0;
  const addLiteral = (literal: string) => {
    if (literal === "") return;
    literalBytes += utf8Length(literal);
    parts.push({ literal });
  };
  for (const match of text.matchAll(PLACEHOLDER)) {
    addLiteral(text.slice(read, match.index));
    read = match.index + match[0].length;
    const key = (match[1] ?? "").trim();
    const counts = spellings.get(fold(key)) ?? new Map<string, number>();
    spellings.set(fold(key), counts.set(key, (counts.get(key) ?? 0) + 1));
    parts.push({ key });
  }
  addLiteral(text.slice(read));
  return { source: text, fold, parts, literalBytes, spellings };
}

/**
 * Length of the filled text in bytes; null when it exceeds the limit. The work is bounded by the values and
 * the limit, not by how often a placeholder occurs.
 */
export function filledBytes(template: TextTemplate, values: JsonObject, limit: number): number | null {
  let bytes = template.literalBytes;
  if (bytes > limit) return null;
  for (const { count, text } of fillings(template, [values])) {
    bytes += count * utf8Length(text);
    if (bytes > limit) return null;
  }
  return bytes;
}

/** One spelling of a key that has a value, and how often it occurs in the text. */
export type Filling = { readonly spelling: string; readonly count: number; readonly text: string };

/**
 * The placeholders that have a value. Of `sources` the first that has the key counts, whatever its case. The
 * work is bounded by the values.
 */
export function* fillings(
  { fold, spellings }: TextTemplate,
  sources: readonly JsonObject[],
): Generator<Filling, void> {
  if (spellings.size === 0) return;
  const done = new Set<ReadonlyMap<string, number>>();
  for (const values of sources) {
    for (const first of Object.keys(values)) {
      const counts = spellings.get(fold(first));
      if (counts === undefined || done.has(counts)) continue;
      done.add(counts);
      for (const [spelling, count] of counts) {
        yield {
          spelling,
          count,
          text: textOf(Object.hasOwn(values, spelling) ? values[spelling] : values[first]),
        };
      }
    }
  }
}

export type FilledText = {
  readonly text: string;
  /** Placeholders whose additional value would have exceeded the limit. */
  readonly leftOut: number;
};

/**
 * Fills the text in one pass: braces and `$` in a value are plain text, placeholders without a value are
 * removed. null: `values` alone exceed the limit. `additional` values fill keys that `values` lacks, as far
 * as they fit; nothing longer than the limit is ever built.
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
    const own = find(part.key);
    if (own !== null) return own.text;
    const more = firstOf(findMore, part.key);
    if (more === null) return "";
    if (more.bytes > room) {
      leftOut += 1;
      return "";
    }
    room -= more.bytes;
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

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
