import type { ProblemDetail } from "../application/outcome.ts";
import type { CallFilter } from "../application/ports/queries.ts";
import { outcomeName } from "../contract/outcome.ts";
import { validationError } from "./errors.ts";

const OUTCOME = "outcome.";
const MOST_OUTCOMES = 3;

/** The names of a filter as a query has them. */
export function namesIn({ outcome = [] }: Pick<CallFilter, "outcome">): readonly string[] {
  return outcome.map(({ name }) => `${OUTCOME}${name}`);
}

/**
 * `?outcome.confirmed=true&outcome.persons=2`. No name of this form is ignored: a list without its filter
 * would be a wrong answer.
 */
export function outcomeFilter(url: string): Pick<CallFilter, "outcome"> {
  // A name may be percent-encoded. Most queries have neither, and need not be parsed twice.
  if (!url.includes(OUTCOME) && !url.includes("%")) return {};
  const given = [...new URL(url, "http://service").searchParams].filter(([name]) => name.startsWith(OUTCOME));
  if (given.length === 0) return {};
  const problems = given.flatMap(([name], index): ProblemDetail[] => {
    const refused = (message: string) => [{ path: [name], message }];
    const parsed = outcomeName.safeParse(name.slice(OUTCOME.length));
    if (!parsed.success) return refused(`${OUTCOME} must be followed by the name of a field`);
    if (given.findIndex(([other]) => other === name) < index) return refused("Must be given once");
    return index < MOST_OUTCOMES ? [] : refused(`At most ${MOST_OUTCOMES} fields can be asked for`);
  });
  if (problems.length > 0) throw validationError("The query", problems);
  return { outcome: given.map(([name, value]) => ({ name: name.slice(OUTCOME.length), value })) };
}
