import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomConversation } from "./random-conversation.ts";

/**
 * The same five thousand each time. Others:
 * `CONVERSATION_SEED=$RANDOM CONVERSATION_RUNS=100000 npx vitest run random-conversations.test.ts`.
 */
const RUNS = Number(process.env["CONVERSATION_RUNS"] ?? 5_000);
const SEED = Number(process.env["CONVERSATION_SEED"] ?? 20_261_123);

describe("random conversations", () => {
  it(
    "keep every promise, whatever callee, model, tools, log and process do",
    { timeout: 60_000 + 200 * RUNS },
    () =>
      fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 - 1 }), async (seed) => {
          expect(await randomConversation(seed)).toEqual([]);
        }),
        { numRuns: RUNS, seed: SEED },
      ),
  );
});
