import { describe, expect, it } from "vitest";
import { hangUpAll } from "../../../../application/campaign/runner/next-step.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import { DomainError } from "../../../../domain/shared/errors.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import { at } from "../../../domain/campaign/example-campaign.ts";
import { runnerParts, runOf } from "./runner-parts.ts";

const NOT_THERE = new DomainError("call.not-found", "There is no such call");
const GONE = new EventStoreError({ kind: "deleted", stream: "call-call_1" });

function hangingUp(failures: ReadonlyMap<CallId, Error> = new Map()) {
  const asked: unknown[] = [];
  const parts = runnerParts(() => ({
    hangUp: async (callId, wish, { actor, correlationId }) => {
      asked.push([callId, wish, actor, correlationId]);
      const failure = failures.get(callId);
      if (failure !== undefined) throw failure;
    },
  }));
  const { run } = runOf();
  return { ...parts, asked, hangUp: () => hangUpAll(parts.deps, run, ["call_1", "call_2"]) };
}

const askedFor = (callId: CallId) => [
  callId,
  { by: "api", reason: "campaign_cancelled" },
  "process:campaign-runner",
  "cmp_1",
];

describe("the live calls of a cancelled campaign", () => {
  it("are asked to end, each once, and then nothing is waited for but their ends", async () => {
    const { asked, hangUp } = hangingUp();
    expect([await hangUp(), await hangUp()]).toEqual([null, null]);
    expect(asked).toEqual([askedFor("call_1"), askedFor("call_2")]);
  });

  it("whose start is still under way are asked for again in half a second, the others not", async () => {
    const { asked, said, hangUp } = hangingUp(new Map([["call_1", NOT_THERE]]));
    expect([await hangUp(), await hangUp()]).toEqual([at(0.5), at(0.5)]);
    expect(asked).toEqual([askedFor("call_1"), askedFor("call_2"), askedFor("call_1")]);
    expect(said).toEqual([]);
  });

  it("that can never be asked are left to their deadlines, and hold no other up", async () => {
    const { asked, said, hangUp } = hangingUp(new Map([["call_1", GONE]]));
    expect([await hangUp(), await hangUp()]).toEqual([null, null]);
    expect(asked).toEqual([askedFor("call_1"), askedFor("call_2")]);
    const what = { processor: "campaign-runner", callId: "call_1", error: GONE };
    expect(said).toEqual([["error", "left aside for good", what]]);
  });

  it("are asked for again when the log is away", async () => {
    const { hangUp } = hangingUp(new Map([["call_1", new TypeError("away")]]));
    await expect(hangUp()).rejects.toThrow("away");
  });
});
