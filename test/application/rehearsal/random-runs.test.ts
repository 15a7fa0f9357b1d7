import fc from "fast-check";
import { expect, it } from "vitest";
import type { WrittenTurn } from "../../../domain/rehearsal/rehearsal.ts";
import type { ScriptedStep } from "../../support/conversation/scripted-models.ts";
import { API_TOOL, played, tool } from "./rehearsed-run.ts";

const words = fc.constantFrom(
  "Yes.",
  "What is your name?",
  "Please stop calling me.",
  "No, not on Monday, and not later.",
);
const turn: fc.Arbitrary<WrittenTurn> = fc.oneof(
  { weight: 4, arbitrary: words.map((text) => ({ kind: "words", text }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "keys", keys: "12#" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "silence" } as const) },
);
const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("I see. ", "May I ask for more? ").map((text) => ({ text })) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 9_000 }).map((wait) => ({ wait })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("Monday", 7).map((day) => ({
      call: API_TOOL.functionName,
      with: JSON.stringify({ day }),
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("end_call", "to_a_person", "stop_calling", "nothing")
      .map((call) => ({ call })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("cut_off", "stalled", "unavailable", "throttled", "garbage")
      .map((fail) => ({ fail }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ forever: "and so on " }) },
);
const fails = fc.constantFrom("timed_out", "failed").map((how) => ({ when: null, fails: how }) as const);
const answers = fc.constant({ when: null, answer: "at ten" } as const);

const drawn = fc.record({
  turns: fc.array(turn, { maxLength: 6 }),
  steps: fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  reply: fc.option(fc.oneof(fails, answers)),
  maxTurns: fc.integer({ min: 1, max: 6 }),
  optOut: fc.constantFrom("listen", "off"),
});

it("a run ends, whatever caller, model and tools do, and the same case in the same way", async () => {
  const transfer = tool({
    functionName: "to_a_person",
    type: "TRANSFER_CALL",
    config: { to: "+14155550199" },
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ turns, steps, reply, maxTurns, optOut }) => {
      const once = () =>
        played({
          answer: (_request, number) => steps[(number - 1) % steps.length] ?? [],
          speaker: { tools: [API_TOOL, transfer], optOut },
          line: { maxDurationSeconds: 120 },
          case: {
            caller: { kind: "written", turns },
            tools: reply === null ? {} : { [API_TOOL.name]: [reply] },
            maxTurns,
          },
        });
      const run = await once();
      expect(run.endReason).not.toBeNull();
      expect(run.status === "error").toBe(run.problem !== null);
      expect(run.messages.map(({ index }) => index)).toEqual(run.messages.map((_message, place) => place));
      expect(run.turns).toBeLessThanOrEqual(maxTurns);
      const again = await once();
      expect(again.words).toEqual(run.words);
    }),
    { numRuns: 20 },
  );
});
