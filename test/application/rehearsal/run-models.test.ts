import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type LanguageModels, ModelFailure } from "../../../application/ports/language-model.ts";
import { played } from "./rehearsed-run.ts";

const ANSWER = [{ text: "Fine." }];

describe("a model that takes its time", () => {
  it("is waited for in our time, while the line stands still", async () => {
    const run = await played({ answer: () => [{ wait: 3_000 }, ...ANSWER] });
    const [greeting, said, answer] = run.messages;
    expect(run.words.at(-1)).toBe("answer: Fine.");
    expect(run.firstTokenMillis).toBe(3_000);
    expect((answer?.offsetMs ?? 0) - (said?.offsetMs ?? 0)).toBe(3_000);
    expect((said?.offsetMs ?? 0) - (greeting?.offsetMs ?? 0)).toBeLessThan(3_000);
  });

  it("is covered by a filler, as on a call", async () => {
    const run = await played({ answer: () => [{ wait: 7_000 }, ...ANSWER] });
    expect(run.words.map((each) => each.split(":")[0])).toEqual(["greeting", "customer", "filler", "answer"]);
  });

  it("takes no longest duration away: only what is said counts", async () => {
    const says = ["One.", "Two.", "Three.", "Four.", "Five."];
    const run = await played({
      says,
      answer: () => [{ wait: 4_000 }, ...ANSWER],
      line: { maxDurationSeconds: 25 },
    });
    expect([run.endReason, run.turns]).toEqual(["customer_ended", 5]);
  });
});

describe("a model that fails makes an error, and nothing hangs", () => {
  it.each([
    ["is not there", [{ fail: "unavailable" }], "unavailable"],
    ["dies in the middle", [{ text: "I would" }, { fail: "cut_off" }], "cut_off"],
    ["stalls", [{ text: "I would" }, { fail: "stalled" }], "stalled"],
    ["says nothing", [{ end: "stop" }], "empty_answer"],
  ] as const)("%s", async (_how, answer, kind) => {
    const run = await played({ answer: () => answer });
    expect([run.status, run.problem]).toEqual(["error", `The assistant had no answer in turn 1: ${kind}`]);
    expect(run.words.at(-1)).toMatch(/^fallback:/);
  });

  it("stalls where nobody limits it: the turn has its own end, and the abort is not waited for", async () => {
    const stalls: LanguageModels = {
      open: async () => ({
        respond: async function* () {
          yield { kind: "text", text: "I would" };
          await new Promise(() => undefined);
        },
      }),
    };
    const run = await played({ says: ["Hello?"], world: { models: stalls } });
    expect([run.words.at(-1), run.endReason]).toEqual(["answer: I would", "customer_ended"]);
  });

  it("never begins, and hears no abort", async () => {
    const never: LanguageModels = {
      open: async () => ({
        respond: async function* () {
          await new Promise(() => undefined);
        },
      }),
    };
    const run = await played({
      says: ["Hello?", "Hello?"],
      world: { models: never },
    });
    expect([run.status, run.endReason]).toEqual(["error", "assistant_error"]);
  });

  it("babbles without an end: it is cut, and the call goes on", async () => {
    const says = ["Hello?", "Is anybody there?"];
    const run = await played({ says, answer: () => [{ forever: "and so on " }] });
    expect(run).toMatchObject({ endReason: "customer_ended", turns: 2 });
    expect(Math.max(...run.words.map(({ length }) => length))).toBeLessThan(2_100);
  });

  it("cannot be opened", async () => {
    const gone = { open: () => Promise.reject(new Error("no database")) };
    expect((await played({ world: { models: gone } })).status).toBe("error");
  });
});

describe("a persona's model that is gone", () => {
  it("makes an error of the run", async () => {
    const gone = {
      open: () => Promise.reject(new ModelFailure("refused", "The model's connection is gone")),
    };
    const caller = { kind: "persona", persona: "In a hurry.", goal: null } as const;
    const run = await played({ case: { caller }, world: { models: gone } });
    expect(run).toMatchObject({ status: "error", problem: "The model's connection is gone", messages: [] });
  });
});

describe("a model that asks to wait", () => {
  it("is told to the gate, and asked again outside of the run's time", async () => {
    const waited: (string | null)[] = [];
    const run = await played({
      answer: (_request, number) => (number < 3 ? [{ fail: "throttled", retryAfter: 30_000 }] : ANSWER),
      speaker: { modelConnectionId: "conn_1" },
      world: {
        // Some hundred turns of the event loop, in which the clock of the house goes on.
        mayBegin: async (connection) => {
          waited.push(connection);
          for (let turns = 0; turns < 300; turns += 1) await setImmediate();
        },
      },
    });
    expect([run.status, run.throttled]).toEqual(["passed", [30_000, 30_000]]);
    expect(waited).toEqual(["conn_1", "conn_1", "conn_1"]);
    expect(run.firstTokenMillis).toBe(0);
  });

  it("is not asked for ever", async () => {
    const run = await played({ answer: () => [{ fail: "throttled", retryAfter: 1_000 }] });
    expect([run.status, run.throttled.length]).toEqual(["error", 6]);
  });
});

describe("a run that is stopped", () => {
  it("ends soon, aborts its model, and tells the tokens it has used", async () => {
    const stop = new AbortController();
    const run = await played({
      says: ["One.", "Two."],
      stop: stop.signal,
      answer: (_request, number) => {
        if (number === 2) stop.abort();
        return number === 2 ? [{ wait: 3_600_000 }] : ANSWER;
      },
    });
    expect(run).toMatchObject({
      status: "error",
      problem: "It was stopped",
      inputTokens: 10,
      outputTokens: 5,
    });
  });

  it("is not begun when that was before", async () => {
    const run = await played({ stop: AbortSignal.abort() });
    expect([run.problem, run.inputTokens]).toEqual(["It was stopped", 0]);
  });
});
