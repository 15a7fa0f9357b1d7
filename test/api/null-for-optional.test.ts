import { beforeAll, expect, it } from "vitest";
import { type Document, loadDocument } from "./support/document.ts";

type Json = Readonly<Record<string, unknown>>;

let document: Document;
beforeAll(async () => {
  document = await loadDocument();
});

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** Every alternative of a schema, references resolved. */
function alternatives(schema: unknown): readonly Json[] {
  if (!isObject(schema)) return [];
  const name = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined;
  if (name !== undefined) return alternatives(document.raw.components.schemas[name]);
  const all = schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"];
  return Array.isArray(all) ? all.flatMap(alternatives) : [schema];
}

function takesNull(schema: unknown): boolean {
  return alternatives(schema).some(({ type }) => [type].flat().includes("null"));
}

/** Fields of an object and of what is in it, each with its place and whether it may be left out. */
function* fields(
  schema: unknown,
  place = "",
  depth = 0,
): Generator<readonly [string, string, unknown, boolean]> {
  if (depth > 6) return;
  for (const each of alternatives(schema)) {
    if (each["items"] !== undefined) yield* fields(each["items"], `${place}[]`, depth + 1);
    const required = Array.isArray(each["required"]) ? each["required"] : [];
    for (const [name, inner] of Object.entries(isObject(each["properties"]) ? each["properties"] : {})) {
      yield [`${place}.${name}`, name, inner, !required.includes(name)];
      yield* fields(inner, `${place}.${name}`, depth + 1);
    }
  }
}

/** What has the name of a null in an answer and is something else. */
const ANOTHER = new Set([
  // The record of a campaign has a zone; that of its contacts may have none.
  "post /api/v1/campaigns .timezone",
  "patch /api/v1/campaigns/{id} .timezone",
  // The name of a campaign; that of its contacts may be missing.
  "patch /api/v1/campaigns/{id} .name",
  // Overrides that are left out are not shown.
  "post /api/v1/squads .overrideSettings.greetingMessage",
  "post /api/v1/squads .members[].overrideSettings.greetingMessage",
  // A handoff has a description, a squad may have none.
  "patch /api/v1/squads/{id}/handoffs .description",
  // Of a tool's trial and of its connection, not of the tool.
  "post /api/v1/tools .description",
  "post /api/v1/tools .config.body",
  "post /api/v1/tools .config.connectionId",
  "post /api/v1/tools .config.message",
  // Of Twilio always a number; of an Asterisk null, which is taken there.
  "post /api/v1/connections .settings.callsPerSecond",
  // One number is needed where no list is given.
  "post /api/v1/suppressions .phoneNumber",
  // Asked for it is a choice; in the answer it is the text.
  "post /api/v1/assistants/{id}/outcome/test .outcome.summary",
  // An expectation says one thing; what a run came to may be nothing.
  ...["cases[].expect[]", "expect[]"].flatMap((place) =>
    ["outcome", "success", "endReason"].map((name) => `post /api/v1/rehearsals .${place}.${name}`),
  ),
  // That of an erased rehearsal is not known any more.
  "post /api/v1/rehearsals .passAt",
  // A plan has a limit of calls.
  "post /api/v1/users .plan.maxConcurrentCalls",
]);

it("null stands for left out wherever an answer shows it", () => {
  const wrong: string[] = [];
  let looked = 0;
  const paths = Object.entries(document.raw.paths);
  for (const { method: verb, path, body } of document.operations) {
    const method = verb.toLowerCase();
    if (body === null || !path.startsWith("/api/")) continue;
    const base = path.replace(/\/\{\w+\}$/, "");
    const shown = new Set<string>();
    for (const [other, operations] of paths) {
      if (other !== path && other !== base && !other.startsWith(`${base}/`)) continue;
      for (const operation of [operations["get"], other === path ? operations[method] : undefined])
        for (const status of ["200", "201"]) {
          const schema = operation?.responses?.[status]?.content?.["application/json"]?.schema;
          for (const [, name, inner] of fields(schema)) if (takesNull(inner)) shown.add(name);
        }
    }
    for (const [place, name, inner, isOptional] of fields(body)) {
      if (!isOptional || !shown.has(name)) continue;
      looked += 1;
      const field = `${method} ${path} ${place}`;
      if (!takesNull(inner) && !ANOTHER.has(field)) wrong.push(field);
    }
  }
  expect(wrong).toEqual([]);
  expect(looked).toBeGreaterThan(50);
});
