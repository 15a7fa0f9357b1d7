import { describe, expect, it } from "vitest";
import type { AnalysisModels } from "../../../../application/ports/analysis-model.ts";
import { ModelFailure } from "../../../../application/ports/language-model.ts";
import type { CallCommand } from "../../../../domain/call/decider.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
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
  until,
  type WorldOptions,
} from "../../engine-world.ts";
import { ANSWER, answeredCall, type Process, storesThatAsk, TOKENS } from "./analysis-world.ts";

const ANALYSIS = ["CallAnalysisRequested", "CallAnalysed", "CallAnalysisFailed"];
const analysisTypes = (stores: Stores) =>
  openEvents(stores).flatMap(({ type }) => (ANALYSIS.includes(type) ? [type] : []));
const MINUTE = 60_000;

/** A model in the process that asks. One that takes time answers what it cannot. */
function ownModels(answers: readonly unknown[] = []) {
  const left = [...answers];
  const asked = { atOnce: 0, later: 0 };
  const models: AnalysisModels = {
    atOnce: async () => () => {
      asked.atOnce += 1;
      const answer = left.length === 0 ? ANSWER : left.shift();
      if (answer instanceof Error) throw answer;
      return { answer, model: TOKENS };
    },
    ask: async () => {
      asked.later += 1;
      return { answer: ANSWER, model: TOKENS };
    },
  };
  return { models, asked };
}

/** Counts what is told to the clock of analyses, and appends with an event of an analysis. */
async function world(options: WorldOptions & { readonly answers?: readonly unknown[] } = {}) {
  const stores = await storesThatAsk();
  const told: string[] = [];
  const appends: string[][] = [];
  const crashPoints: CrashPoints = {
    reached: (name) => {
      if (name.startsWith("analyses.") && name.endsWith(".before")) told.push(name.split(".")[1] ?? "");
      return undefined;
    },
  };
  const { models, asked } = ownModels(options.answers);
  const process = engineProcess(stores, {
    crashPoints,
    analysisModels: models,
    wrapStore: (store) => ({
      ...store,
      append: (stream, expected, events) => {
        const types = events.map(({ type }) => type);
        if (types.some((type) => ANALYSIS.includes(type))) appends.push(types);
        return store.append(stream, expected, events);
      },
    }),
    ...options,
  });
  return { stores, process, asked, appends, told: () => told.filter((name) => name !== "claim") };
}

function command(stores: Stores, { aggregates }: Process, callId: CallId, given: CallCommand) {
  return until(stores, aggregates.calls.handle(`call-${callId}`, [given], { ...CALLER, causationId: null }));
}

/** One with a session, which is over before the call or after it. */
async function callWithSession(stores: Stores, process: Process, { says = "Yes, I do", first = true } = {}) {
  const { callId, assistantSays, say, end } = await answeredCall(stores, process);
  const fact = { epoch: 1, at: stores.clock.now(), now: stores.clock.now() };
  await command(stores, process, callId, { type: "BeginSession", kind: "relay", ...fact });
  await assistantSays("Do you keep the appointment?");
  if (says !== "") await say(says);
  const endSession = () =>
    command(stores, process, callId, { type: "EndSession", cause: "hung_up", ...fact });
  if (first) await endSession();
  await end();
  if (!first) {
    await pass(stores, 1_000);
    await endSession();
  }
  return callId;
}

describe("a call whose model is in this process", () => {
  it("is analysed when it and its session are over: wish and answer are one append, no row is made", async () => {
    const { stores, process, asked, appends, told } = await world();
    const callId = await callWithSession(stores, process);
    await pass(stores, 100);
    expect(appends).toEqual([["CallAnalysisRequested", "CallAnalysed"]]);
    expect([asked, told()]).toEqual([{ atOnce: 1, later: 0 }, []]);
    const [wish, answer] = openEvents(stores).filter(({ type }) => ANALYSIS.includes(type));
    const analysisId = stores.ids.derivedUuid(`${callId}:outcome`);
    expect(wish?.metadata).toMatchObject({ owner: OWNER, actor: "process:analyses" });
    expect(wish?.data).toMatchObject({
      analysisId,
      assistantId: ASSISTANT,
      assistantVersion: 1,
      by: "engine",
    });
    expect(answer?.data).toMatchObject({
      ...{ analysisId, fields: { kept: true, day: null }, evidence: { kept: [1] }, unsupported: [] },
      ...{ summary: ANSWER.summary, success: true, truncated: false, model: TOKENS },
    });
    await pass(stores, 5 * MINUTE);
    expect(analysisTypes(stores)).toHaveLength(2);
  });

  it("is analysed when its session is over, and the row of its end is gone", async () => {
    const { stores, process, asked, told } = await world();
    await callWithSession(stores, process, { first: false });
    await pass(stores, 100);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
    expect([asked, told()]).toEqual([{ atOnce: 1, later: 0 }, ["expect", "done"]]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });

  it("is analysed five seconds after its end when nobody tells of a session, in one append too", async () => {
    const { stores, process, asked, appends } = await world();
    const { say, end } = await answeredCall(stores, process);
    await say("Yes, I do");
    await end();
    await pass(stores, MINUTE);
    expect(appends).toEqual([["CallAnalysisRequested", "CallAnalysed"]]);
    expect(asked).toEqual({ atOnce: 1, later: 0 });
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });

  it("is not looked at again when the customer said nothing", async () => {
    const { stores, process, asked, told } = await world();
    await callWithSession(stores, process, { says: "" });
    await pass(stores, MINUTE);
    expect([analysisTypes(stores), asked, told()]).toEqual([[], { atOnce: 0, later: 0 }, []]);
  });

  it.each([
    ["an answer that does not fit", { fields: 7 }],
    ["a failure", new ModelFailure("garbage", "The model's answer is no JSON")],
    ["a mistake of ours", new TypeError("x is not a function")],
  ])("is tried as any other after %s", async (_what, answer) => {
    const { stores, process, asked } = await world({ answers: [answer, answer] });
    await callWithSession(stores, process);
    await pass(stores, MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
    expect(asked).toEqual({ atOnce: 2, later: 1 });
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });

  it("waits with its wish while the owner's tokens are used up", async () => {
    let used = 2_000;
    const { stores, process, asked } = await world({ tokensOfDay: async () => used });
    const plan = { maxConcurrentCalls: 10, maxCallsPerSecond: 10, maxModelTokensPerDay: 1_000 };
    stores.directory.setOwner(OWNER, { active: true, plan });
    used = 0;
    const { callId, say, end } = await answeredCall(stores, process);
    const fact = { epoch: 1, at: stores.clock.now(), now: stores.clock.now() };
    await command(stores, process, callId, { type: "BeginSession", kind: "relay", ...fact });
    await say("Yes, I do");
    await command(stores, process, callId, { type: "EndSession", cause: "hung_up", ...fact });
    used = 2_000;
    await end();
    await pass(stores, MINUTE);
    expect([analysisTypes(stores), asked]).toEqual([["CallAnalysisRequested"], { atOnce: 0, later: 0 }]);
    used = 0;
    await pass(stores, 2 * MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
  });

  it("has one wish and one answer when the log is followed from its beginning again", async () => {
    const { stores, process } = await world();
    await callWithSession(stores, process);
    await pass(stores, MINUTE);
    process.stop();
    const restored = { ...stores, checkpoints: createMemoryCheckpoints() };
    engineProcess(restored, { processId: "two", analysisModels: ownModels().models });
    await pass(stores, 5 * MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });
});

describe("a crash", () => {
  it.each([
    "analysisTokens.add.before",
    "analysisTokens.add.after",
    "eventStore.append.CallAnalysisRequested.before",
    "eventStore.append.CallAnalysed.before",
    "eventStore.append.CallAnalysed.after",
    "eventStore.append.CallAnalysisRequested.after",
  ])("at %s leaves nothing undone and does nothing twice", async (point) => {
    let died = false;
    const crashPoints: CrashPoints = {
      reached: (name) => {
        if (name !== point || died) return undefined;
        died = true;
        process.stop();
        return Promise.withResolvers<never>().promise;
      },
    };
    const { stores, process } = await world({ crashPoints });
    await callWithSession(stores, process);
    await pass(stores, 1_000);
    expect(died).toBe(true);
    engineProcess(stores, { processId: "two", analysisModels: ownModels().models });
    await pass(stores, 5 * MINUTE);
    expect(analysisTypes(stores)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
    expect(await stores.analyses.nextDue(new Set())).toBeNull();
  });
});
