import type { ProblemDetail } from "../../application/outcome.ts";

/** JSON of the caller that comes back and is said as it was given. */
const KEPT_AS_GIVEN = new Set(["metadata", "customData"]);
const MAX_PROBLEMS = 100;
/**
 * What a number has whose text is not that of its value: 16 figures, an exponent, a last zero
 * behind the point, the sign of nothing, or a millionth and less. Most bodies have none, and are
 * not read a second time.
 */
const MAY_CHANGE = /\d[\d.]{15}|\d[eE]|\.\d*0(?!\d)|-0(?![.\d])|0\.00000/;
type Path = readonly (string | number)[];

/** In place of a number whose text is not that of its value: what was written. */
type Changed = WeakMap<object, string>;

/**
 * Numbers in metadata and customData that would not keep their digits (`17841400000000001`, `12.50`), each
 * with its path: a lead or a price that comes back changed, or is said so, is worse than a refusal. `text` is
 * JSON that is nested no deeper than allowed.
 */
export function changedNumbers(text: string, path: Path = []): ProblemDetail[] {
  if (!MAY_CHANGE.test(text)) return [];
  const problems: ProblemDetail[] = [];
  const changed: Changed = new WeakMap();
  visit(JSON.parse(text, marking(changed)), path, false, { changed, problems });
  return problems;
}

function marking(changed: Changed) {
  return (_name: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const written = context?.source;
    // One that is too large is refused by itself.
    if (typeof value !== "number" || !Number.isFinite(value)) return value;
    if (written === undefined || written === String(value)) return value;
    const place = {};
    changed.set(place, written);
    return place;
  };
}

type Findings = { readonly changed: Changed; readonly problems: ProblemDetail[] };

function visit(value: unknown, path: Path, isKept: boolean, findings: Findings): void {
  const { changed, problems } = findings;
  if (typeof value !== "object" || value === null || problems.length >= MAX_PROBLEMS) return;
  const written = changed.get(value);
  if (written !== undefined) {
    const message = `Would not keep its digits as a number: send it as text, "${written.slice(0, 40)}"`;
    if (isKept) problems.push({ path, message });
    return;
  }
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, item] of entries)
    visit(item, [...path, name], isKept || KEPT_AS_GIVEN.has(String(name)), findings);
}
