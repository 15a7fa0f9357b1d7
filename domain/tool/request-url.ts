import { type Fill, filled } from "./placeholders.ts";

export type ExpandedUrl =
  | { readonly ok: true; readonly url: URL }
  /** `name`: the argument or variable with the problem; null: the whole address. */
  | { readonly ok: false; readonly name: string | null; readonly reason: string };

/**
 * The template with each value percent-encoded. Refused: an empty value, `.` or `..`, and whatever would lead
 * to another origin or another number of path segments than the template has.
 */
export function expandUrl(template: string, fill: Fill): ExpandedUrl {
  let wrong: string | null = null;
  const text = filled(template, (name, kind) => {
    const value = fill(name, kind) ?? "";
    if (!isPathValue(value)) wrong ??= name;
    return encoded(value);
  });
  if (wrong !== null) return { ok: false, name: wrong, reason: "must not be empty, `.` or `..`" };
  const plain = asUrl(filled(template, () => "x"));
  const url = asUrl(text);
  if (plain === null || url === null) return { ok: false, name: null, reason: "is no address" };
  const isElsewhere = url.origin !== plain.origin || depthOf(url) !== depthOf(plain);
  return isElsewhere ? { ok: false, name: null, reason: "would lead elsewhere" } : { ok: true, url };
}

/** Whether a value may stand in an address. */
export function isPathValue(value: string): boolean {
  return value !== "" && value !== "." && value !== ".." && value.isWellFormed();
}

/** Whether scheme, host and port do not depend on what is filled in. */
export function hasFixedOrigin(template: string): boolean {
  const [first, second] = ["x", "9"].map((value) => asUrl(filled(template, () => value)));
  return first?.origin !== undefined && first.origin === second?.origin && first.username === "";
}

function encoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : "";
}

function depthOf({ pathname }: URL): number {
  return pathname.split("/").length;
}

function asUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
