import { describe, expect, it } from "vitest";
import {
  answerFromThere,
  answerWaiting,
  type ExecuteHere,
} from "../../../../application/campaign/runner/answered-commands.ts";
import {
  type QueuedCommand,
  writeAnswer,
  writeCommand,
} from "../../../../application/campaign/runner/queued-command.ts";
import { DomainError } from "../../../../domain/shared/errors.ts";
import type { JsonObject } from "../../../../domain/shared/json.ts";
import { CALLER, OWNER, until } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";

const ORIGIN = { ...CALLER, causationId: null };
const DONE = { ok: true, value: null, position: "7" } as const;
const PAUSE = writeCommand({ type: "PauseCampaign" }, ORIGIN);

/** Commands that wait, one after another, and what is answered to them by whoever holds their campaign. */
async function queueOf(...payloads: readonly JsonObject[]) {
  const parts = runnerParts();
  const { commandQueue } = parts.stores;
  for (const [index, payload] of payloads.entries())
    await commandQueue.enqueue({ id: `cmd_${index}`, campaignId: "cmp_1", owner: OWNER, payload });
  const executed: [campaignId: string, command: QueuedCommand, origin: unknown][] = [];
  return {
    ...parts,
    executed,
    answers: (answer: ExecuteHere) =>
      answerWaiting(parts.deps, ["cmp_1"], async (...asked) => {
        executed.push(asked);
        return answer(...asked);
      }),

    answered: (index: number) => until(parts.stores, commandQueue.awaitAnswer(`cmd_${index}`, 1)),
  };
}

describe("a command that waits for the process that holds its campaign", () => {
  it("is carried out as its user gave it, and answered", async () => {
    const { answers, executed, answered } = await queueOf(PAUSE);
    await answers(async () => DONE);
    expect(executed).toEqual([["cmp_1", { type: "PauseCampaign" }, ORIGIN]]);
    expect(await answered(0)).toEqual(writeAnswer(DONE));
  });

  it("goes on waiting when the campaign is not held here after all", async () => {
    const { answers, answered } = await queueOf(PAUSE);
    await answers(async () => null);
    expect(await answered(0)).toBeNull();
  });

  it("goes on waiting when a newer release has to read it, and holds no other up", async () => {
    const { answers, executed, answered } = await queueOf({ intent: { kind: "tomorrow" } }, PAUSE);
    await answers(async () => DONE);
    expect([await answered(0), executed.length]).toEqual([null, 1]);
  });

  it("that is refused for good is answered without an outcome, and holds no other up", async () => {
    const { answers, said, answered } = await queueOf(PAUSE, PAUSE);
    const forbidden = new DomainError("call.over", "no");
    let first = true;
    await answers(async () => {
      if (!first) return DONE;
      first = false;
      throw forbidden;
    });
    expect([await answered(0), await answered(1)]).toEqual([{}, writeAnswer(DONE)]);
    expect(said).toEqual([["error", "command refused for good", { campaignId: "cmp_1", error: forbidden }]]);
  });

  it("goes on waiting when it failed", async () => {
    const { answers, said, answered } = await queueOf(PAUSE);
    await answers(() => Promise.reject(new TypeError("away")));
    expect(await answered(0)).toBeNull();
    expect(said).toEqual([
      ["error", "waiting commands not answered; tries again", { error: new TypeError("away") }],
    ]);
  });
});

it("nobody is asked what waits for no campaign at all", async () => {
  const { deps } = runnerParts();
  let asked = 0;
  const waiting = async () => {
    asked += 1;
    return [];
  };
  await answerWaiting({ ...deps, commandQueue: { ...deps.commandQueue, waiting } }, [], async () => null);
  expect(asked).toBe(0);
});

describe("the answer of the process that holds a campaign", () => {
  it("is its outcome, or nothing when none comes within five seconds", async () => {
    const { stores, deps } = await queueOf(PAUSE, PAUSE);
    await deps.commandQueue.answer("cmd_0", writeAnswer(DONE));
    expect(await answerFromThere(deps.commandQueue, "cmd_0")).toEqual(DONE);
    expect(await until(stores, answerFromThere(deps.commandQueue, "cmd_1"))).toBeNull();
    expect(stores.clock.elapsed()).toBe(5_000);
  });

  it("without an outcome is a failure", async () => {
    const { deps } = await queueOf(PAUSE);
    await deps.commandQueue.answer("cmd_0", {});
    await expect(answerFromThere(deps.commandQueue, "cmd_0")).rejects.toThrow(
      "The process that holds the campaign could not carry the command out",
    );
  });
});
