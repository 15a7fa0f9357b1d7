import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

// What the service answers has the type that the contract says (decision 101). A page that says one of its
// own still compiles after a field was renamed.

const ROOM = resolve(import.meta.dirname, "../../dashboard/src");

/** Sends each request, and gives each answer its type. */
const DOOR = "api/request.ts";
const ASKING = new Set(["ask", "askBytes", "get", "pageOf", "patch", "post", "put", "remove", "useList"]);
/** What else a browser can ask with. */
const SENDING = new Set(["fetch", "XMLHttpRequest", "EventSource", "sendBeacon"]);

type Casts = { readonly times: number; readonly of: string };
/**
 * Casts that are left, each of something that is no answer but for the door's. They may only become
 * fewer.
 */
const CASTS: Readonly<Record<string, Casts>> = {
  [DOOR]: { times: 1, of: "each answer, to what the contract says" },
  "live/feed-worker.ts": { times: 1, of: "an event of the stream, whose lines the contract says as bytes" },
  "pages/campaign-new/rejected-rows.tsx": { times: 1, of: "a reason whose text was just found" },
  "pages/campaign-new/text-preview.tsx": { times: 1, of: "a value that was text for a moment" },
  "pages/connections/kinds.ts": { times: 1, of: "a form, whose fields are those of its kind" },
  "phone/phone-state.ts": { times: 3, of: "a frame of the phone's socket, after a look at its type" },
  "phone/voice.ts": { times: 2, of: "the browser's recognition of speech, which TypeScript does not know" },
  "records/use-search.ts": { times: 1, of: "a search of whatever page, which the router knows by page" },
  "ui/error-text.tsx": { times: 1, of: "a code whose text was just found" },
};

type Found = { readonly file: string; readonly what: "sends" | "types" | "casts" | "reads" };

type SyntaxNode = Readonly<Record<string, unknown>> & { readonly type: string };
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const nameOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === "MemberExpression") return nameOf(node["property"]);
  return typeof node["name"] === "string" ? node["name"] : null;
};

/** `as const` says no type. */
const isConst = ({ typeAnnotation }: SyntaxNode): boolean =>
  isNode(typeAnnotation) && nameOf(typeAnnotation["typeName"]) === "const";

/** What this node does with an answer, if anything. */
function whatIs(node: SyntaxNode): Found["what"] | null {
  if (["TSAsExpression", "TSTypeAssertion", "TSNonNullExpression"].includes(node.type))
    return isConst(node) ? null : "casts";
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return null;
  const called = nameOf(node["callee"]) ?? "";
  if (SENDING.has(called)) return "sends";
  if (called === "json") return "reads";
  return ASKING.has(called) && isNode(node["typeArguments"]) ? "types" : null;
}

function foundIn(file: string, text: string): Found[] {
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    else if (isNode(node)) {
      const what = whatIs(node);
      if (what !== null) found.push({ file, what });
      for (const part of Object.values(node)) visit(part);
    }
  };
  const { program, errors } = parseSync(file, text);
  expect(errors).toEqual([]);
  visit(program);
  return found;
}

const files = readdirSync(ROOM, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const found = files.flatMap((file) => foundIn(file, readFileSync(join(ROOM, file), "utf8")));
const filesThat = (wanted: Found["what"]): readonly string[] => [
  ...new Set(found.flatMap(({ file, what }) => (what === wanted ? [file] : []))),
];

describe("what the service answers, in the dashboard", () => {
  it("is looked for everywhere, and seen: in an example each is found", () => {
    expect(files.length).toBeGreaterThan(200);
    const example = `
      const answer = await fetch("/api/v1/calls");
      const rows = (await answer.json()) as readonly Row[];
      const one = await get<Row>("/api/v1/calls/1");
      const two = { status: "completed" } as const;`;
    expect(foundIn("some.ts", example).map(({ what }) => what)).toEqual(["sends", "casts", "reads", "types"]);
  });

  it("is asked for and read in one file only", () => {
    expect(filesThat("sends")).toEqual([DOOR]);
    expect(filesThat("reads")).toEqual([DOOR]);
  });

  it("is given no type by who asks", () => {
    expect(filesThat("types")).toEqual([]);
  });

  it("is cast nowhere: each cast that is left is of something else", () => {
    const casts = found.filter(({ what }) => what === "casts");
    const times = Object.entries(Object.groupBy(casts, ({ file }) => file)).map(
      ([file, all = []]) => [file, all.length] as const,
    );
    expect(Object.fromEntries(times)).toEqual(
      Object.fromEntries(Object.entries(CASTS).map(([file, left]) => [file, left.times])),
    );
  });
});
