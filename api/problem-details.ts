import type { z } from "zod";
import type { ProblemDetail } from "../application/outcome.ts";

type Issue = z.core.$ZodIssue;

/**
 * zod's issues as details of the contract: paths as arrays of names and indexes, one detail
 * for each unknown field.
 */
export function problemDetails(
  issues: readonly Issue[],
  prefix: readonly (string | number)[] = [],
): ProblemDetail[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path.map(step)];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: [...path, key], message: "Unknown field" }));
    }
    return [{ path, message: messageOf(issue) }];
  });
}

function step(part: PropertyKey): string | number {
  return typeof part === "symbol" ? String(part) : part;
}

function messageOf(issue: Issue): string {
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  if (issue.code === "too_small" && issue.message.startsWith("Too small"))
    return beyond(issue.origin, `at least ${issue.minimum}`, Number(issue.minimum));
  if (issue.code === "too_big" && issue.message.startsWith("Too big"))
    return beyond(issue.origin, `at most ${issue.maximum}`, Number(issue.maximum));
  if (issue.code !== "invalid_type") return issue.message;
  if (issue.input === undefined && issue.message.endsWith("received undefined")) return "Required";
  return issue.message.replace(
    /^Invalid input: expected (.+?)(, received .+)?$/,
    (_all, wanted: string) => `Must be ${article(wanted)}`,
  );
}

/** For a bound of which the contract says nothing itself. */
function beyond(origin: string, bound: string, count: number): string {
  const unit = { array: "value", string: "character" }[origin];
  return unit === undefined ? `Must be ${bound}` : `Must have ${bound} ${unit}${count === 1 ? "" : "s"}`;
}

function article(type: string): string {
  const names: Readonly<Record<string, string>> = {
    string: "text",
    record: "an object",
    object: "an object",
    array: "an array",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    null: "null",
  };
  return names[type] ?? type;
}
