import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const LAYERS = [
  "domain",
  "contract",
  "application",
  "infrastructure",
  "simulation",
  "composition",
  "api",
  "projections",
];

/** Lines of the longest function that is no exception. It may only become less. */
const LONGEST = 60;

/** Longer ones, each with its lines, which may only become less. */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  /** Wires the parts of one process in the order in which they need each other. */
  "application/engine.ts createEngine": 91,
  /** Likewise those of one connection, each in a line or two. */
  "infrastructure/carriers/asterisk/open-asterisk.ts openAsterisk": 69,
  /**
   * One case for each input of a conversation, nothing nested: in two functions nobody would find a
   * case sooner.
   */
  "domain/conversation/step.ts take": 65,
  /** The methods of one port, a statement each, which share nothing but the table. */
  "infrastructure/postgres/phone-rows.ts phoneRows": 69,
  /** One request to Twilio each. */
  "infrastructure/carriers/twilio/twilio-api.ts openTwilioApi": 68,
  /**
   * The far side that stands in for Twilio in tests and in the demo: what it keeps is what its
   * requests read.
   */
  "simulation/twilio/fake-account.ts openFakeAccount": 78,
};

type LongFunction = { readonly name: string; readonly lines: number };

/** All functions of a source text with their lines, each named by what declares it. */
function functionsIn(file: string, text: string): LongFunction[] {
  const found: LongFunction[] = [];
  const linesOf = (start: number, end: number) => text.slice(start, end).split("\n").length;
  const visit = (node: unknown, declaredAs: string): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, declaredAs);
    else if (isNode(node)) {
      const name = nameOf(node) ?? declaredAs;
      if (FUNCTIONS.has(node.type))
        found.push({ name: `${file} ${name}`, lines: linesOf(node.start, node.end) });
      for (const part of Object.values(node)) visit(part, name);
    }
  };
  const { program, errors } = parseSync(file, text);
  expect(errors).toEqual([]);
  visit(program, "?");
  return found;
}

type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number };

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nameOf(node: object): string | null {
  const declared = "id" in node ? node.id : "key" in node ? node.key : null;
  if (typeof declared !== "object" || declared === null || !("name" in declared)) return null;
  return typeof declared.name === "string" ? declared.name : null;
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

/** Worlds of the simulation that runs whole processes: one closure holds what is one world. */
const WORLDS = /^simulation\/(campaigns|drills|memory)\//;

const judged = LAYERS.flatMap(filesOf).filter((file) => !WORLDS.test(file));
const functions = judged.flatMap((file) => functionsIn(file, readFileSync(join(ROOT, file), "utf8")));

it("no file is longer than 400 lines", () => {
  const files = [...LAYERS, "programs"].flatMap((folder) => filesOf(folder));
  expect(files.length).toBeGreaterThan(1_000);
  const linesOf = (file: string) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1;
  expect(files.filter((file) => linesOf(file) > 400)).toEqual([]);
});

describe("functions", () => {
  it("are found: this test looked at what it speaks of, and sees a long one", () => {
    expect(functions.length).toBeGreaterThan(5_000);
    expect(functionsIn("some.ts", `const long = () => {${"\n".repeat(99)}};`)).toEqual([
      { name: "some.ts long", lines: 100 },
    ]);
  });

  it("are not longer than the longest that is left, but for the exceptions, which do not grow", () => {
    const tooLong = functions.filter(({ name, lines }) => lines > (EXCEPTIONS[name] ?? LONGEST));
    expect(tooLong).toEqual([]);
  });

  it("say their number as it is: who shortens the longest one or an exception says the new number here", () => {
    const others = functions.filter(({ name }) => !(name in EXCEPTIONS));
    expect(Math.max(...others.map(({ lines }) => lines))).toBe(LONGEST);
    for (const [exception, lines] of Object.entries(EXCEPTIONS))
      expect(
        Math.max(...functions.filter(({ name }) => name === exception).map((found) => found.lines)),
      ).toBe(lines);
  });
});
