import { describe, expect, it } from "vitest";
import type { ModelFailureKind } from "../../../../application/ports/language-model.ts";
import type { CallCommand } from "../../../../domain/call/decider.ts";
import type { CallAnalysed } from "../../../../domain/call/events.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import type { CrashPoints } from "../../../../simulation/crash-points/crash-points.ts";
import { createMemoryCheckpoints } from "../../../../simulation/memory/checkpoints.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  pass,
  type Stores,
  typesOf,
  until,
  type WorldOptions,
} from "../../engine-world.ts";
import {
  ANSWER,
  answeredCall,
  endedCall,
  fakeModels,
  OUTCOME,
  type Process,
  storesThatAsk,
  TOKENS,
  type Turn,
} from "./analysis-world.ts";

const ANALYSIS = ["CallAnalysisRequested", "CallAnalysed", "CallAnalysisFailed"];
const analysisEvents = (stores: Stores) => openEvents(stores).filter(({ type }) => ANALYSIS.includes(type));
const analysisTypes = (stores: Stores) => analysisEvents(stores).map(({ type }) => type);
const MINUTE = 60_000;

function command(stores: Stores, { aggregates }: Process, callId: CallId, given: CallCommand) {
  const origin = { ...CALLER, causationId: null };
  return until(stores, aggregates.calls.handle(`call-${callId}`, [given], origin));
}

async function world(turns: Turn[] = [], options: WorldOptions = {}) {
  const stores = await storesThatAsk();
  const model = fakeModels(stores.clock, turns);
  const process = engineProcess(stores, { analysisModels: model.models, ...options });
  return { stores, process, ...model };
}

/** How long after the first question each further one came, in seconds. */
const waits = (asked: readonly { readonly at: number }[]) =>
  asked.map(({ at }) => Math.round((at - (asked[0]?.at ?? 0)) / 1_000));

describe("a call that is over", () => {
  it("is analysed once, five seconds after its end, as the assistant asked when it began", async () => {
    const { stores, process, asked } = await world();
    const callId = await endedCall(stores, process);
    await pass(stores, 4_000);
    expect([analysisTypes(stores), asked]).toEqual([[], []]);
    await pass(stores, 5 * MINUTE);
    const [wish, answer, ...others] = analysisEvents(stores);
    expect(others).toEqual([]);
    expect(wish).toMatchObject({ type: "CallAnalysisRequested", stream: `call-${callId}` });
    expect(wish?.metadata).toMatchObject({ owner: OWNER, actor: "process:analyses" });
    const analysisId = stores.ids.derivedUuid(`${callId}:outcome`);
    expect(wish?.data).toMatchObject({ analysisId, assistantId: "ast_1", assistantVersion: 1, by: "engine" });
    expect(answer?.type).toBe("CallAnalysed");
    expect(answer?.data).toMatchObject({
      ...{ analysisId, fields: { kept: true, day: null }, evidence: { kept: [1] }, unsupported: [] },
      ...{ summary: "The appointment is kept.", success: true, truncated: false, model: TOKENS },
    });
    expect(asked).toMatchObject([{ owner: OWNER, settings: { model: "gpt-1", outcome: OUTCOME } }]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });

  it("is never analysed while somebody speaks", async () => {
    const { stores, process, asked } = await world();
    const { say } = await answeredCall(stores, process);
    await say("Yes, I do");
    await pass(stores, 50_000);
    expect([analysisTypes(stores), asked]).toEqual([[], []]);
  });

  it("is analysed at once when its session is over", async () => {
    const { stores, process } = await world();
    const { callId, say, end } = await answeredCall(stores, process);
    const fact = { epoch: 1, at: stores.clock.now(), now: stores.clock.now() };
    await command(stores, process, callId, { type: "BeginSession", kind: "relay", ...fact });
    await say("Yes");
    await end();
    await pass(stores, 1_000);
    expect(analysisTypes(stores)).toEqual([]);
    await command(stores, process, callId, { type: "EndSession", cause: "hung_up", ...fact });
    await pass(stores, 1_000);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
  });

  it.each([
    ["a machine answered", "machine", "Yes, I do"],
    ["the customer said nothing", "human", ""],
    ["the customer pressed keys only", "human", "keys"],
  ] as const)("is not analysed when %s", async (_what, answeredBy, words) => {
    const { stores, process, asked } = await world();
    const { callId, say, end } = await answeredCall(stores, process, answeredBy);
    if (words === "keys") {
      const fact = { epoch: 1, at: stores.clock.now(), now: stores.clock.now() };
      await command(stores, process, callId, { type: "BeginSession", kind: "relay", ...fact });
      const digits = { digits: "1", turn: 1, assistantId: ASSISTANT };
      await command(stores, process, callId, { type: "RecordDigits", ...digits, ...fact });
    } else if (words !== "") await say(words);
    await end();
    await pass(stores, MINUTE);
    expect([analysisTypes(stores), asked]).toEqual([[], []]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
    expect(typesOf(stores, `call-${callId}`)).toContain("CallCompleted");
  });

  it("is not looked at when its assistant asks for nothing", async () => {
    const stores = await storesThatAsk(null);
    const process = engineProcess(stores, { analysisModels: fakeModels(stores.clock).models });
    await endedCall(stores, process);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
    await pass(stores, MINUTE);
    expect(analysisTypes(stores)).toEqual([]);
  });

  it("waits in a process that has no model, until one starts that has", async () => {
    const stores = await storesThatAsk();
    const process = engineProcess(stores);
    await endedCall(stores, process);
    await pass(stores, MINUTE);
    expect(analysisTypes(stores)).toEqual([]);
    process.stop();
    engineProcess(stores, { processId: "two", analysisModels: fakeModels(stores.clock).models });
    await pass(stores, MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
  });

  it("is not analysed once its words were erased, and an answer on its way is dropped", async () => {
    const { stores, process } = await world([{ answer: ANSWER, millis: 20_000 }]);
    const callId = await endedCall(stores, process);
    await pass(stores, 10_000);
    const now = stores.clock.now();
    await command(stores, process, callId, { type: "EraseContent", erasureId: "ers_1", now });
    await pass(stores, 10 * MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested"]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });
});

describe("a model that fails", () => {
  const FAILURES: readonly [ModelFailureKind, string][] = [
    ["throttled", "model_unavailable"],
    ["unavailable", "model_unavailable"],
    ["refused", "model_unavailable"],
    ["cut_off", "model_unavailable"],
    ["garbage", "not_valid"],
  ];
  it.each(FAILURES)("%s six times is %s, with the tokens of all tries", async (fails, reason) => {
    const turns = Array.from({ length: 6 }, (): Turn => ({ fails, used: TOKENS }));
    const { stores, process, asked } = await world(turns);
    await endedCall(stores, process);
    await pass(stores, 10 * 60 * MINUTE);
    expect(waits(asked)).toHaveLength(6);
    const pauses = waits(asked).map((at, index, all) => at - (all[index - 1] ?? 0));
    for (const [index, pause] of [0, 10, 60, 600, 3_600, 21_600].entries())
      expect(pauses[index]).toBeGreaterThanOrEqual(pause);
    expect(pauses.reduce((sum, each) => sum + each, 0)).toBeLessThan(25_900);
    const [, failed, ...others] = analysisEvents(stores);
    expect(others).toEqual([]);
    expect(failed?.data).toMatchObject({
      ...{ reason, tries: 6, model: { name: "gpt", inputTokens: 6_000, outputTokens: 300 } },
    });
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });

  it("is asked again, and the tokens of both tries stand in the answer", async () => {
    const { stores, process } = await world([{ fails: "unavailable", used: TOKENS }]);
    await endedCall(stores, process);
    await pass(stores, MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
    expect(analysisEvents(stores)[1]?.data).toMatchObject({
      model: { inputTokens: 2_000, outputTokens: 100 },
    });
  });

  it("is given the time that it asks for, an hour at most", async () => {
    const { stores, process, asked } = await world([
      { fails: "throttled", retryAfterMillis: 5 * MINUTE },
      { fails: "throttled", retryAfterMillis: 24 * 60 * MINUTE },
    ]);
    await endedCall(stores, process);
    await pass(stores, 3 * 60 * MINUTE);
    const [, second = 0, third = 0] = waits(asked);
    expect(second).toBeGreaterThanOrEqual(300);
    expect(second).toBeLessThan(330);
    expect(third - second).toBeGreaterThanOrEqual(3_600);
    expect(third - second).toBeLessThan(3_700);
  });

  it.each([
    ["hears the abort", false],
    ["does not", true],
  ])("to answer has 30 s, whether it %s", async (_what, deaf) => {
    const { stores, process, asked } = await world([{ hangs: true, deaf }]);
    await endedCall(stores, process);
    await pass(stores, 34_000);
    expect(asked).toHaveLength(1);
    await pass(stores, MINUTE);
    expect(waits(asked)[1]).toBeGreaterThanOrEqual(40);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
  });
});

describe("an answer that does not fit", () => {
  const WRONG = { ...ANSWER, fields: { ...ANSWER.fields, day: { messages: [1], value: "Thursday" } } };

  it("is asked for once more, with what was wrong, and its tokens count", async () => {
    const right = { fields: { day: { messages: [1], value: "2026-09-03" } } };
    const { stores, process, asked } = await world([{ answer: WRONG }, { answer: right }]);
    await endedCall(stores, process);
    await pass(stores, MINUTE);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.question.user).toContain("fields.day");
    expect(analysisEvents(stores)[1]?.data).toMatchObject({
      ...{ fields: { kept: true, day: "2026-09-03" }, unsupported: [], summary: ANSWER.summary },
      model: { name: "gpt", inputTokens: 2_000, outputTokens: 100 },
    });
  });

  it.each<[string, Turn]>([
    ["when the repair is wrong too", { answer: WRONG }],
    ["when the repair fails", { fails: "throttled", used: TOKENS }],
  ])("is stored without that value %s: the others count", async (_what, second) => {
    const { stores, process, asked } = await world([{ answer: WRONG }, second]);
    await endedCall(stores, process);
    await pass(stores, MINUTE);
    expect(asked).toHaveLength(2);
    expect(analysisEvents(stores)[1]?.data).toMatchObject({
      ...{ fields: { kept: true, day: null }, unsupported: ["day"], success: true },
      model: { inputTokens: 2_000 },
    });
  });

  it("is no answer when it is no JSON twice, and the try has failed", async () => {
    const nothing = Array.from({ length: 12 }, (): Turn => ({ answer: undefined }));
    const { stores, process, asked } = await world(nothing);
    await endedCall(stores, process);
    await pass(stores, 10 * 60 * MINUTE);
    expect(asked).toHaveLength(12);
    expect(analysisEvents(stores)[1]?.data).toMatchObject({ reason: "not_valid", tries: 6 });
  });

  it("is not repaired when no time is left for it", async () => {
    const { stores, process, asked } = await world([{ answer: WRONG, millis: 28_000 }]);
    await endedCall(stores, process);
    await pass(stores, MINUTE);
    expect(asked).toHaveLength(1);
    expect(analysisEvents(stores)[1]?.data).toMatchObject({ unsupported: ["day"] });
  });
});

describe("tokens", () => {
  it("count for the owner on the day on which they were used, also those of failures", async () => {
    const added: unknown[] = [];
    const stores = await storesThatAsk();
    const analysisTokens = { add: async (...what: unknown[]) => void added.push(what) };
    const turns: Turn[] = [{ fails: "cut_off", used: TOKENS }, { fails: "unavailable" }];
    const { models } = fakeModels(stores.clock, turns);
    const process = engineProcess({ ...stores, analysisTokens }, { analysisModels: models });
    await endedCall(stores, process);
    await pass(stores, 10 * MINUTE);
    expect(added).toEqual([
      [OWNER, "2026-09-01", TOKENS],
      [OWNER, "2026-09-01", TOKENS],
    ]);
  });

  it("that are used up let wishes wait, without a try, until there are some", async () => {
    let used = 2_000;
    const { stores, process, asked } = await world([], { tokensOfDay: async () => used });
    const plan = { maxConcurrentCalls: 10, maxCallsPerSecond: 10, maxModelTokensPerDay: 1_000 };
    const callId = await endedCall(stores, process);
    stores.directory.setOwner(OWNER, { active: true, plan });
    await pass(stores, 8 * 60 * MINUTE);
    expect([analysisTypes(stores), asked]).toEqual([["CallAnalysisRequested"], []]);
    used = 0;
    await pass(stores, 2 * MINUTE);
    expect(typesOf(stores, `call-${callId}`).slice(-2)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
  });
});

describe("many calls", () => {
  it("are analysed four at once", async () => {
    const slow = Array.from({ length: 9 }, (): Turn => ({ answer: ANSWER, millis: 20_000 }));
    const { stores, process, asked, mostAtOnce } = await world(slow);
    for (let index = 0; index < 9; index += 1) await endedCall(stores, process);
    await pass(stores, 5 * MINUTE);
    expect([asked.length, mostAtOnce()]).toEqual([9, 4]);
    expect(analysisTypes(stores).filter((type) => type === "CallAnalysed")).toHaveLength(9);
  });

  it("are analysed once each by two processes", async () => {
    const stores = await storesThatAsk();
    const model = fakeModels(stores.clock);
    const one = engineProcess(stores, { analysisModels: model.models });
    engineProcess(stores, { processId: "two", analysisModels: model.models });
    for (let index = 0; index < 6; index += 1) await endedCall(stores, one);
    await pass(stores, 5 * MINUTE);
    expect(analysisTypes(stores).filter((type) => type === "CallAnalysed")).toHaveLength(6);
    expect(analysisTypes(stores)).toHaveLength(12);
    expect(model.asked).toHaveLength(6);
  });
});

describe("a process that stops", () => {
  it("gives back what it was asking: the try does not count", async () => {
    const { stores, process } = await world([{ hangs: true }]);
    await endedCall(stores, process);
    await pass(stores, 10_000);
    process.stop();
    await pass(stores, 1_000);
    const now = stores.clock.now();
    const claim = { limit: 1, now, until: now, underWay: new Map(), except: new Set<never>() };
    expect(await stores.analyses.claim(claim)).toMatchObject([{ wished: true, tries: 0 }]);
  });
});

const POINTS = [
  "analyses.expect.before",
  "analyses.expect.after",
  "analyses.claim.after",
  "eventStore.append.CallAnalysisRequested.before",
  "eventStore.append.CallAnalysisRequested.after",
  "analyses.wished.before",
  "analyses.wished.after",
  "analysisTokens.add.before",
  "analysisTokens.add.after",
  "analyses.failed.before",
  "analyses.failed.after",
  "eventStore.append.CallAnalysed.before",
  "eventStore.append.CallAnalysed.after",
  "analyses.done.before",
  "analyses.done.after",
] as const;

describe("a crash", () => {
  it.each(POINTS)("at %s leaves nothing undone and does nothing twice", async (point) => {
    const stores = await storesThatAsk();
    const dead = Promise.withResolvers<never>().promise;
    let died = false;
    const crashPoints: CrashPoints = {
      reached: (name) => {
        if (name !== point || died) return undefined;
        died = true;
        first.stop();
        return dead;
      },
    };
    const turns: Turn[] = point.startsWith("analyses.failed") ? [{ fails: "unavailable" }] : [];
    const { models } = fakeModels(stores.clock, turns);
    const first: Process = engineProcess(stores, { crashPoints, analysisModels: models });
    await endedCall(stores, first);
    await pass(stores, 20_000);
    expect(died).toBe(true);
    engineProcess(stores, { processId: "two", analysisModels: models });
    await pass(stores, 5 * MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });

  it("in each try ends them: the analysis is given up", async () => {
    const stores = await storesThatAsk();
    const { models, asked } = fakeModels(stores.clock, [{ fails: "unavailable", used: TOKENS }]);
    const first = engineProcess(stores, { analysisModels: models });
    await endedCall(stores, first);
    await pass(stores, 10_000);
    first.stop();
    for (let tries = 2; tries <= 6; tries += 1) {
      const dead = Promise.withResolvers<never>().promise;
      const crashPoints: CrashPoints = {
        reached: (name) => (name === "analyses.claim.after" ? dead : undefined),
      };
      const dies = engineProcess(stores, { processId: `p${tries}`, analysisModels: models, crashPoints });
      await pass(stores, 2 * MINUTE);
      dies.stop();
    }
    engineProcess(stores, { processId: "last", analysisModels: models });
    await pass(stores, 2 * MINUTE);
    expect(asked).toHaveLength(1);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysisFailed"]);
    expect(analysisEvents(stores)[1]?.data).toMatchObject({ reason: "gave_up", tries: 6, model: TOKENS });
  });
});

it("makes the clock again from the log when its rows are lost", async () => {
  const stores = await storesThatAsk();
  const process = engineProcess(stores);
  const callId = await endedCall(stores, process);
  const data = { analysisId: systemIds.uuid(), assistantId: "ast_1", assistantVersion: 1 } as const;
  const settings = {
    version: 1,
    outcome: OUTCOME,
    model: null,
    modelConnectionId: null,
    language: null,
  } as const;
  const schemaHash = await stores.analysisSettings.store(settings);
  const wish = { ...data, schemaHash, by: "key_1", now: stores.clock.now() };
  await command(stores, process, callId, { type: "RequestAnalysis", ...wish });
  process.stop();
  await stores.analyses.done(data.analysisId);
  await stores.analyses.done(stores.ids.derivedUuid(`${callId}:outcome`));
  const restored = { ...stores, checkpoints: createMemoryCheckpoints() };
  engineProcess(restored, { processId: "two", analysisModels: fakeModels(stores.clock).models });
  await pass(stores, MINUTE);
  const answered = analysisEvents(stores).filter(({ type }) => type === "CallAnalysed");
  expect(answered.map(({ data: each }) => (each as CallAnalysed["data"]).analysisId)).toContain(
    data.analysisId,
  );
});
