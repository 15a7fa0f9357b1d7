import type { RehearsalBody } from "../../contract/rehearsal.ts";
import type { Expectation } from "../../domain/rehearsal/rehearsal.ts";
import type { ProblemDetail } from "../outcome.ts";
import type { FrozenLine } from "../ports/rehearsal-run.ts";
import type { RehearsalWords } from "../ports/rehearsals.ts";

type Path = readonly (string | number)[];

/** Tools, fields and members that the cases name and that no lane has, each at its path in the body. */
export function unknownNames(
  { cases, expect }: Pick<RehearsalBody, "cases" | "expect">,
  { candidate, baseline }: RehearsalWords["lines"],
): readonly ProblemDetail[] {
  const lines = baseline === null ? [candidate] : [candidate, baseline];
  const unknown = (all: readonly Expectation[] | null | undefined, path: Path) =>
    (all ?? []).flatMap((each, index) => {
      const problem = unknownIn(each, lines);
      return problem === null ? [] : [{ path: [...path, index, ...problem.path], message: problem.message }];
    });
  return [
    ...unknown(expect, ["expect"]),
    ...cases.flatMap((each, index) => [
      ...Object.keys(each.tools ?? {}).flatMap((name) => {
        const message = unanswerable(name, lines);
        return message === null ? [] : [{ path: ["cases", index, "tools", name], message }];
      }),
      ...unknown(each.expect, ["cases", index, "expect"]),
    ]),
  ];
}

const speakersOf = (lines: readonly FrozenLine[]) =>
  lines.flatMap(({ conversation }) => conversation.speakers);
const toolsOf = (lines: readonly FrozenLine[]) => speakersOf(lines).flatMap(({ tools }) => tools);

/** Replies are given by the tool's own name. */
function unanswerable(name: string, lines: readonly FrozenLine[]): string | null {
  const tools = toolsOf(lines).filter((tool) => tool.name === name);
  if (tools.length === 0) return "No such tool";
  return tools.some(({ type }) => type === "API_REQUEST" || type === "DATABASE_QUERY")
    ? null
    : "Is carried out, not answered";
}

function unknownIn(expect: Expectation, lines: readonly FrozenLine[]): ProblemDetail | null {
  if ("outcome" in expect) {
    const fields = new Set(lines.flatMap(({ outcome }) => outcome?.fields ?? []).map(({ name }) => name));
    const name = Object.keys(expect.outcome).find((each) => !fields.has(each));
    return name === undefined ? null : { path: ["outcome", name], message: "No such field of the outcome" };
  }
  if ("success" in expect && lines.every(({ outcome }) => (outcome?.success ?? null) === null))
    return { path: ["success"], message: "The assistant does not say when a call succeeds" };
  if ("tool" in expect && !isTool(expect.tool, lines)) return { path: ["tool"], message: "No such tool" };
  if ("noTool" in expect && !isTool(expect.noTool, lines))
    return { path: ["noTool"], message: "No such tool" };
  if ("handsOffTo" in expect && !isMember(expect.handsOffTo, lines))
    return { path: ["handsOffTo"], message: "No such member of the squad" };
  return null;
}

/** By its own name, or the one that the model calls it by. */
function isTool(name: string, lines: readonly FrozenLine[]): boolean {
  return toolsOf(lines).some((tool) => tool.name === name || tool.functionName === name);
}

function isMember(name: string, lines: readonly FrozenLine[]): boolean {
  return speakersOf(lines).some(
    (speaker) => speaker.memberId !== null && (speaker.memberId === name || speaker.name === name),
  );
}
