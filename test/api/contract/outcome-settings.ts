import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const DRAFT = { name: "Ada", greetingMessage: "Hi", systemPrompt: "Be kind" };
const CONFIRMED = { name: "confirmed", type: "boolean", description: "Whether the appointment is kept" };
const MOOD = { name: "mood", type: "enum", description: "How they sounded", values: ["glad", "angry"] };
const WHOLE = {
  summary: true,
  fields: [CONFIRMED, MOOD, { name: "newTime", type: "datetime", description: "When they want to come" }],
  success: { field: "mood", in: ["glad"] },
};

type Fields = Readonly<Record<string, unknown>>;
const field = (changes: Fields) => ({ fields: [{ ...CONFIRMED, ...changes }] });
const mood = (changes: Fields) => ({ fields: [{ ...MOOD, ...changes }] });
const success = (given: unknown) => ({
  fields: [CONFIRMED, MOOD, { ...CONFIRMED, name: "n", type: "number" }],
  success: given,
});
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...CONFIRMED, name: `f${index}` }));
/** With 20 enums whose values alone are more than 16 KiB. */
const TOO_LARGE = many(20).map((each) => ({
  ...each,
  type: "enum",
  values: Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(60, "x")),
}));

/** What each refusal says, and where: after ["outcome"]. */
const REFUSED: readonly (readonly [
  what: string,
  outcome: unknown,
  ...places: (readonly (string | number)[])[],
])[] = [
  ["a text", "yes", []],
  ["neither fields nor a summary", { fields: [] }, ["fields"]],
  ["the same said aloud", { summary: false, fields: [], success: null }, ["fields"]],
  ["no list of fields", { summary: true }, ["fields"]],
  ["21 fields", { fields: many(21) }, ["fields"]],
  ["more than 16 KiB", { fields: TOO_LARGE }, []],
  ["a member that there is not", { ...WHOLE, model: "x" }, ["model"]],
  ["a summary that is no boolean", { ...WHOLE, summary: "yes" }, ["summary"]],
  ["no name", field({ name: "" }), ["fields", 0, "name"]],
  ["a name with a capital", field({ name: "Confirmed" }), ["fields", 0, "name"]],
  ["a name with a space", field({ name: "a b" }), ["fields", 0, "name"]],
  ["a name of 41 letters", field({ name: "a".repeat(41) }), ["fields", 0, "name"]],
  ["a name that objects have", field({ name: "constructor" }), ["fields", 0, "name"]],
  ["another name that objects have", field({ name: "hasOwnProperty" }), ["fields", 0, "name"]],
  ["__proto__", field({ name: "__proto__" }), ["fields", 0, "name"]],
  ["a name twice", { fields: [CONFIRMED, MOOD, CONFIRMED] }, ["fields", 2, "name"]],
  ["a type that there is not", field({ type: "text" }), ["fields", 0, "type"]],
  ["no description", field({ description: "" }), ["fields", 0, "description"]],
  ["a description of 501 bytes", field({ description: "ş".repeat(251) }), ["fields", 0, "description"]],
  ["a member of a field that there is not", field({ required: true }), ["fields", 0, "required"]],
  ["values of a boolean", field({ values: ["yes", "no"] }), ["fields", 0, "values"]],
  ["an enum without values", field({ type: "enum" }), ["fields", 0, "values"]],
  ["an enum of one value", mood({ values: ["glad"] }), ["fields", 0, "values"]],
  ["an enum of 21 values", mood({ values: many(21).map(({ name }) => name) }), ["fields", 0, "values"]],
  ["an enum's value twice", mood({ values: ["glad", "glad"] }), ["fields", 0, "values"]],
  ["an empty value", mood({ values: ["glad", ""] }), ["fields", 0, "values", 1]],
  ["a value of 61 bytes", mood({ values: ["glad", "ş".repeat(31)] }), ["fields", 0, "values", 1]],
  ["null for values", field({ values: null }), ["fields", 0, "values"]],
  ["success of an unknown field", success({ field: "other", in: [true] }), ["success", "field"]],
  ["success of a number", success({ field: "n", in: [true] }), ["success", "field"]],
  ["success of nothing", success({ field: "confirmed", in: [] }), ["success", "in"]],
  ["success of no boolean", success({ field: "confirmed", in: ["true"] }), ["success", "in", 0]],
  ["success of no value", success({ field: "mood", in: ["glad", "sad"] }), ["success", "in", 1]],
  ["success of a boolean for an enum", success({ field: "mood", in: [true] }), ["success", "in", 0]],
  ["a success twice", success({ field: "mood", in: ["glad", "glad"] }), ["success", "in", 1]],
  ["a success of a number's value", success({ field: "mood", in: [1] }), ["success", "in", 0]],
  [
    "two things at once",
    {
      fields: [
        { ...CONFIRMED, name: "A" },
        { ...MOOD, values: [] },
      ],
    },
    ["fields", 0, "name"],
    ["fields", 1, "values"],
  ],
];

/** docs/outcomes.md, "What is asked for". */
export function outcomeSettings(service: () => TestService): void {
  let user: ApiUser;
  let path: string;
  beforeAll(async () => {
    user = await service().newOwner();
    path = `/api/v1/assistants/${(await made(user, "/api/v1/assistants", { ...DRAFT, outcome: WHOLE })).id}`;
  });
  const get = async (place: string): Promise<Wire> => (await user.send("GET", place)).body.data;

  describe("what an assistant's calls are asked for", () => {
    it.each(REFUSED.map(([what, outcome, ...places]) => ({ what, outcome, places })))(
      "is refused where it is wrong: $what",
      async ({ outcome, places }) => {
        const wanted = places.map((place) => ["outcome", ...place]);
        for (const [method, to, body] of [
          ["POST", "/api/v1/assistants", { ...DRAFT, outcome }],
          ["PATCH", path, { outcome }],
        ] as const) {
          const answer = await user.send(method, to, { body });
          const found = answer.body.error.details.map((each: Wire) => each.path);
          expect([method, answer.status, answer.body.error.code, found]).toEqual([
            method,
            400,
            "VALIDATION_ERROR",
            wanted,
          ]);
        }
        expect((await get(path)).outcome).toEqual(WHOLE);
      },
    );

    it("is taken at its bounds", async () => {
      const values = many(20).map(({ name }) => name.padEnd(60, "x"));
      const outcome = {
        fields: [
          { ...CONFIRMED, name: `a${"Z9_".repeat(13)}`, description: "ş".repeat(250) },
          { ...MOOD, values },
          ...many(18),
        ],
        success: { field: "mood", in: values },
      };
      const assistant = await made(user, "/api/v1/assistants", { ...DRAFT, outcome });
      expect(assistant.outcome).toEqual({ summary: false, ...outcome });
      const onlySummary = await made(user, "/api/v1/assistants", {
        ...DRAFT,
        outcome: { summary: true, fields: [] },
      });
      expect(onlySummary.outcome).toEqual({ summary: true, fields: [], success: null });
    });

    it("is nothing unless it is said, and null takes it back", async () => {
      const assistant = await made(user, "/api/v1/assistants", DRAFT);
      expect(assistant.outcome).toBeNull();
      const place = `/api/v1/assistants/${assistant.id}`;
      const changed = await user.send("PATCH", place, { body: { outcome: { fields: [CONFIRMED] } } });
      expect(changed.body.data.outcome).toEqual({ summary: false, fields: [CONFIRMED], success: null });
      expect((await user.send("PATCH", place, { body: { name: "Eda" } })).body.data.outcome).toEqual(
        changed.body.data.outcome,
      );
      expect((await user.send("PATCH", place, { body: { outcome: null } })).body.data.outcome).toBeNull();
    });

    it("is frozen by publishing, so that a change of the draft is another version's", async () => {
      const assistant = await made(user, "/api/v1/assistants", { ...DRAFT, outcome: WHOLE });
      const place = `/api/v1/assistants/${assistant.id}`;
      await user.send("POST", `${place}/publish`);
      await user.send("PATCH", place, { body: { outcome: { summary: true, fields: [] } } });
      const outcomes = async () => (await get(`${place}/versions`)).map((each: Wire) => each.outcome);
      expect(await outcomes()).toEqual([WHOLE]);
      await user.send("POST", `${place}/publish`);
      expect(await outcomes()).toEqual([{ summary: true, fields: [], success: null }, WHOLE]);
      const listed = (await get("/api/v1/assistants")).find((each: Wire) => each.id === assistant.id);
      expect(listed.outcome).toEqual({ summary: true, fields: [], success: null });
    });
  });
}
