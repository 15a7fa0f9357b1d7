/** A query with `:name` replaced by `$1`, `$2`, …; `names` in that order, each once. */
export type BoundQuery =
  | { readonly ok: true; readonly text: string; readonly names: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Beginnings of quoted parts. */
const OPENING = /[eE]?'|"|\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;

/** Quoted parts, skipped as a whole. */
const QUOTED = [
  /** Escape strings have backslash escapes. */
  /[eE]'(?:[^'\\]|''|\\[\s\S])*'/y,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /(\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$)[\s\S]*?\1/y,
];

/** Other parts that are skipped as a whole. */
const PLAIN = [
  /--[^\n\r]*/y,
  /::/y,
  /:=/y,
  /** A word includes its digits and dollars, so that `a$b$` does not begin a string. */
  /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y,
  /[0-9][A-Za-z0-9_.]*/y,
];
const PARAMETER = /:([A-Za-z_][A-Za-z0-9_]*)/y;
const NUMBERED = /\$[0-9]/y;

/**
 * Finds `:name` outside of strings, quoted names, dollar quotes and comments, and numbers each name. A
 * cast `::` is not a name.
 */
export function bindNamed(sql: string): BoundQuery {
  const numbers = new Map<string, number>();
  let text = "";
  let at = 0;
  while (at < sql.length) {
    const piece = pieceAt(sql, at);
    if (piece === null) return { ok: false, reason: "a string, a quoted name or a comment does not end" };
    const name = matchAt(PARAMETER, sql, at)?.[1];
    if (piece.length > 0) text += piece;
    else if (name !== undefined) text += `$${numberOf(numbers, name)}`;
    else if (matchAt(NUMBERED, sql, at) !== null) return { ok: false, reason: "use :name in place of $1" };
    else text += sql[at];
    at += piece.length > 0 ? piece.length : name === undefined ? 1 : name.length + 1;
  }
  return { ok: true, text, names: [...numbers.keys()] };
}

/** The whole string, comment or word that begins here; empty: none does. null: it does not end. */
function pieceAt(sql: string, at: number): string | null {
  if (sql.startsWith("/*", at)) return commentAt(sql, at);
  const opens = matchAt(OPENING, sql, at) !== null;
  for (const form of opens ? QUOTED : PLAIN) {
    const found = matchAt(form, sql, at)?.[0];
    if (found !== undefined) return found;
  }
  if (opens) return null;
  return "";
}

/** Comments of this kind can be nested. */
function commentAt(sql: string, start: number): string | null {
  let depth = 0;
  for (let at = start; at < sql.length; at += 1) {
    const pair = sql.slice(at, at + 2);
    if (pair === "/*") depth += 1;
    else if (pair === "*/") depth -= 1;
    else continue;
    at += 1;
    if (depth === 0) return sql.slice(start, at + 1);
  }
  return null;
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const number = numbers.get(name) ?? numbers.size + 1;
  numbers.set(name, number);
  return number;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
