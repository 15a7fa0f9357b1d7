import { expect, it } from "vitest";
import { withOverrides } from "../../../application/call/pinning/speakers.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { ASSISTANT, OWNER, sharedStores } from "../engine-world.ts";

async function overridden(overrides: JsonObject) {
  const version = await sharedStores().directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (version === null) throw new Error("no assistant");
  const own = { model: "own", temperature: 1, voice: "own", language: "own", greetingMessage: "Own" };
  const { model, temperature, voice, language, greetingMessage } = withOverrides(
    { ...version, ...own },
    overrides,
  );
  return { model, temperature, voice, language, greetingMessage };
}

it.each<JsonObject>([
  { model: "squad", temperature: 0.1, voice: "squad", language: "tr", greetingMessage: "Hi" },
  { model: null, temperature: null, voice: null, language: null, greetingMessage: "" },
])("a squad's settings come before the assistant's own: %j", async (settings) => {
  expect(await overridden(settings)).toEqual(settings);
});

it.each<JsonObject>([
  {},
  { model: 1, temperature: "hot", voice: false, language: [], greetingMessage: null },
])("what is of no use changes nothing: %j", async (settings) => {
  const own = { model: "own", temperature: 1, voice: "own", language: "own", greetingMessage: "Own" };
  expect(await overridden(settings)).toEqual(own);
});
