import type { ProblemDetail } from "../../application/outcome.ts";

/** Nested containers; the body itself is the first (docs/api.md §1). */
export const MAX_DEPTH = 20;
const MAX_PROBLEMS = 100;

type Path = readonly (string | number)[];

/**
 * Finds strings that no store keeps unchanged (`\u0000`, lone surrogates), numbers above 1.8e308, the name
 * `__proto__`, and too deep nesting, each with its path. Goes no deeper than the limit, so that hostile
 * nesting cannot exhaust the stack.
 */
export function refusedValues(value: unknown, path: Path = []): ProblemDetail[] {
  const problems: ProblemDetail[] = [];
  visit(value, path, problems);
  return problems;
}

function visit(value: unknown, path: Path, problems: ProblemDetail[]): void {
  if (problems.length >= MAX_PROBLEMS) return;
  if (typeof value === "string") {
    const problem = textProblem(value);
    if (problem !== null) problems.push({ path, message: problem });
    return;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    problems.push({ path, message: "Is too large a number" });
  }
  if (typeof value !== "object" || value === null) return;
  if (path.length >= MAX_DEPTH) {
    problems.push({ path, message: `Nested more than ${MAX_DEPTH} levels deep` });
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, [...path, index], problems);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const problem = nameProblem(name);
    if (problem !== null) problems.push({ path: [...path, name], message: problem });
    visit(item, [...path, name], problems);
  }
}

function nameProblem(name: string): string | null {
  return name === "__proto__" ? "The name __proto__ is not allowed" : textProblem(name);
}

/** Why a string cannot be stored; null: it can. */
export function textProblem(text: string): string | null {
  if (text.includes("\u0000")) return "Must not contain the character U+0000";
  if (!text.isWellFormed()) return "Must not contain half of a surrogate pair";
  return null;
}
