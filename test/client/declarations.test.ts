import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { declarations } from "../../client/build.ts";
import { type Document, declarationsOf, type Schema } from "../../client/declarations.ts";
import { OPERATIONS } from "../../client/operations.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * What others may send, we take; what we answer, they know, with no field more or less. Only here the ids of
 * the domain, which have types of their own, are text.
 */
const AGREE = `import type { Client as Ours, Error, WebhookEvent } from "${ROOT}/client/api.ts";
import type { Client as Theirs, Error as TheirError, WebhookEvent as TheirEvent } from "./theirs.ts";

type Method = (...args: never) => Promise<{ readonly data: unknown }>;
type Answer<Each extends Method> = Awaited<ReturnType<Each>>["data"];
type Data<Each extends Method> = Answer<Each> extends { readonly data: infer Data } ? Data : Answer<Each>;
type Row<T> = T extends readonly (infer Each)[] ? Each : T;
type Fields<T> = T extends unknown ? keyof T : never;
/** What is any JSON object here may be told closer in the package. */
type Loose<T> = T extends (...args: never) => unknown
  ? T
  : T extends object
    ? string extends keyof T ? any : { [Key in keyof T]: Loose<T[Key]> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type Verdict<A, B> = A extends Method
  ? B extends Method
    ? [Parameters<B>, Loose<Answer<A>>] extends [Loose<Parameters<A>>, Answer<B>]
      ? Same<Fields<Row<Data<A>>>, Fields<Row<Data<B>>>> extends true
        ? "agrees"
        : "fields differ"
      : Parameters<B> extends Loose<Parameters<A>>
        ? "answers differ"
        : "arguments differ"
    : "is no method there"
  : "is no method here";

type Verdicts = {
  readonly [Group in keyof Theirs]: {
    readonly [Name in keyof Theirs[Group]]: Group extends keyof Ours
      ? Name extends keyof Ours[Group]
        ? Verdict<Ours[Group][Name], Theirs[Group][Name]>
        : "is missing here"
      : "is missing here";
  };
};
// "Exactly one of these fields" is a union here; the document, and so the package, has all of them, each optional.
type Looser = "createRehearsal";
type Wanted = {
  readonly [Group in keyof Theirs]: {
    readonly [Name in keyof Theirs[Group]]: Name extends Looser ? "arguments differ" : "agrees";
  };
};
declare const verdicts: Verdicts;
export const all: Wanted = verdicts;
export const events: Same<WebhookEvent["event"], TheirEvent["event"]> = true;
export const asEvent = (event: TheirEvent): WebhookEvent => event;
export const errors: Same<Error, TheirError> = true;
`;

it("of the package agree with the types of the table, for each operation", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ringfold-agree-"));
  try {
    const theirs = await declarations();
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(
      join(folder, "theirs.ts"),
      theirs.replace("./transport.ts", `${ROOT}/client/transport.ts`),
    );
    await writeFile(join(folder, "agree.ts"), AGREE);
    const typeRoots = [join(ROOT, "node_modules/@types")];
    // What zod calls optional may be undefined; what came as JSON is never.
    const compilerOptions = { typeRoots, exactOptionalPropertyTypes: false };
    const config = {
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions,
      include: [],
      files: ["agree.ts"],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]).catch(
      ({ stdout }: { readonly stdout: string }) => expect(stdout).toBe(""),
    );
    expect(theirs.match(/^ {4}readonly \w+: \(/gm)).toHaveLength(OPERATIONS.length);
  } finally {
    await removeFolder(folder);
  }
});

const printed = (schema: Schema, more: Partial<Document> = {}) =>
  declarationsOf({ paths: {}, ...more, components: { schemas: { Thing: schema } } }, []).replaceAll(
    /\s+/g,
    " ",
  );

it.each<[string, Schema, string]>([
  ["a text that may be null", { type: ["string", "null"] }, "type Thing = string | null;"],
  ["alternatives, each once", { anyOf: [{ type: "integer" }, { type: "number" }] }, "type Thing = number;"],
  ["named values", { enum: ["a", 1, true] }, 'type Thing = "a" | 1 | true;'],
  [
    "a list of alternatives",
    { type: "array", items: { enum: [1, 2] } },
    "type Thing = ReadonlyArray<1 | 2>;",
  ],
  ["any object", { type: "object", additionalProperties: {} }, "Thing = Readonly<Record<string, unknown>>;"],
  ["anything", {}, "type Thing = unknown;"],
  [
    "fields, whatever they are called and described as",
    {
      type: "object",
      required: ["a"],
      properties: { a: { $ref: "#/components/schemas/Other" }, "b-c": { const: "x", description: "A */ B" } },
    },
    'interface Thing { readonly a: Other; /** A *\\/ B */ readonly "b-c"?: "x"; }',
  ],
])("tell %s", (_what, schema, text) => {
  expect(printed(schema)).toContain(text);
});

it("know every webhook that the document describes", () => {
  const webhook = (schema: Schema) => ({
    post: { operationId: "on", responses: {}, requestBody: { content: { "application/json": { schema } } } },
  });
  const webhooks = {
    "call.ended": webhook({ $ref: "#/components/schemas/CallEnded" }),
    "campaign.paused": webhook({ $ref: "#/components/schemas/CampaignPaused" }),
  };
  expect(printed({}, { webhooks })).toContain("type WebhookEvent = CallEnded | CampaignPaused;");
});

it("are not made where the document lacks an operation, or has a kind of schema that is not known", () => {
  const [operation] = OPERATIONS;
  if (operation === undefined) throw new Error("there is no operation");
  expect(() => declarationsOf({ paths: {}, components: { schemas: {} } }, [operation])).toThrow(
    `The document has no operation ${operation.name}`,
  );
  expect(() => printed({ type: "tuple" })).toThrow("has the type tuple");
});
