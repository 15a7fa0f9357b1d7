import { expect, it } from "vitest";
import { BUDGET_MILLIS, FIRST_SEED } from "../../support/seeds.ts";
import { randomConversation } from "./random-conversation.ts";

/**
 * So many in place of a budget of seconds: to repeat one, and for mutation tests, which want the same
 * each time.
 */
const RUNS = Number(process.env["CONVERSATION_RUNS"] ?? Number.POSITIVE_INFINITY);

it(`keep every promise, whatever callee, model, tools, log and process do, from seed ${FIRST_SEED} on`, {
  timeout: 600_000 + 10 * BUDGET_MILLIS,
}, async () => {
  const began = performance.now();
  const enough = () =>
    RUNS < Number.POSITIVE_INFINITY ? done >= RUNS : performance.now() - began >= BUDGET_MILLIS;
  let done = 0;
  do {
    const seed = FIRST_SEED + done;
    const again = `SIMULATION_SEED=${seed} CONVERSATION_RUNS=1 npx vitest run random-conversations.test.ts`;
    expect(await randomConversation(seed), again).toEqual([]);
    done += 1;
  } while (!enough());
  console.log(`${done} random conversations from seed ${FIRST_SEED}`);
});
