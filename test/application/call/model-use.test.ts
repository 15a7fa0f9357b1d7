import { expect, it } from "vitest";
import { createAssistantHealth } from "../../../application/call/health/assistant-health.ts";
import { assistantIsUnavailable, modelUse } from "../../../application/call/health/model-use.ts";
import type { AssistantVersion } from "../../../application/ports/directory.ts";
import { OWNER, sharedStores } from "../engine-world.ts";

const SPEAKER = { assistantId: "ast_1", assistantVersion: 1 } as const;

/** A directory whose only assistant uses this model. */
async function using(changes: Partial<AssistantVersion>) {
  const { directory } = sharedStores();
  const version = await directory.assistantVersion(OWNER, "ast_1", 1);
  if (version === null) throw new Error("no assistant");
  directory.publish(OWNER, { ...version, ...changes });
  return directory;
}

it("the model of a call is that of the version that speaks in it, of the default connection unless it has one", async () => {
  const own = await using({ modelConnectionId: "conn_1", model: "small" });
  expect(await modelUse({ directory: own }, OWNER, SPEAKER)).toEqual({
    owner: OWNER,
    connectionId: "conn_1",
    model: "small",
  });
  const none = { owner: OWNER, connectionId: null, model: null };
  expect(await modelUse({ directory: await using({}) }, OWNER, SPEAKER)).toEqual(none);
  expect(await modelUse({ directory: own }, OWNER, { ...SPEAKER, assistantVersion: 2 })).toEqual(none);
});

it("whose calls all went well has available assistants, without a look at their versions", async () => {
  const assistantHealth = createAssistantHealth();
  let looks = 0;
  const directory = {
    assistantVersion: async () => {
      looks += 1;
      return null;
    },
  };
  assistantHealth.assumeUnavailable({ owner: "usr_2", connectionId: null, model: null });
  expect(await assistantIsUnavailable({ directory, assistantHealth }, OWNER, SPEAKER)).toBe(false);
  expect(looks).toBe(0);
  expect(await assistantIsUnavailable({ directory, assistantHealth }, "usr_2", SPEAKER)).toBe(true);
  expect(looks).toBe(1);
});
