import { describe, expect, it } from "vitest";
import type { AnalysisRequest } from "../../../../application/call/analysis/request-analysis.ts";
import type { Caller } from "../../../../application/outcome.ts";
import type { CallAnalysisRequested } from "../../../../domain/call/events.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import { systemIds } from "../../../../infrastructure/ids.ts";
import { CALLER, engineProcess, openEvents, pass, type Stores, until } from "../../engine-world.ts";
import {
  answeredCall,
  endedCall,
  fakeModels,
  OUTCOME,
  type Process,
  publish,
  storesThatAsk,
} from "./analysis-world.ts";

const MINUTE = 60_000;

function ask(
  stores: Stores,
  { useCases }: Process,
  callId: CallId,
  change: Partial<AnalysisRequest> = {},
  caller: Caller = CALLER,
) {
  const request = { callId, analysisId: systemIds.uuid(), assistantVersion: null, ...change };
  return until(stores, useCases.requestAnalysis(caller, request));
}

const wishes = (stores: Stores) =>
  openEvents(stores).flatMap(({ type, data }) =>
    type === "CallAnalysisRequested" ? [data as CallAnalysisRequested["data"]] : [],
  );
const codeOf = (answer: Awaited<ReturnType<typeof ask>>) => (answer.ok ? "asked" : answer.refusal.code);

/** A call whose own analysis is answered, in a process that goes on. */
async function analysedCall() {
  const stores = await storesThatAsk();
  const model = fakeModels(stores.clock);
  const process = engineProcess(stores, { analysisModels: model.models });
  const callId = await endedCall(stores, process);
  await pass(stores, MINUTE);
  return { stores, process, callId, ...model };
}

async function erase(stores: Stores, { aggregates }: Process, callId: CallId): Promise<void> {
  const command = { type: "EraseContent", erasureId: "ers_1", now: stores.clock.now() } as const;
  await until(stores, aggregates.calls.handle(`call-${callId}`, [command], { ...CALLER, causationId: null }));
}

describe("a further analysis", () => {
  it("is asked for by whoever has the key, and answered like every other", async () => {
    const { stores, process, callId, asked } = await analysedCall();
    const analysisId = systemIds.uuid();
    const answer = await ask(stores, process, callId, { analysisId });
    expect(answer).toMatchObject({ ok: true, value: { analysisId, status: "pending" } });
    expect(wishes(stores)[1]).toMatchObject({ analysisId, by: "key_1", assistantVersion: 1 });
    await pass(stores, MINUTE);
    expect(asked).toHaveLength(2);
    expect(openEvents(stores).filter(({ type }) => type === "CallAnalysed")).toHaveLength(2);
  });

  it("is one while it is pending: the others are answered with its id", async () => {
    const stores = await storesThatAsk();
    const process = engineProcess(stores);
    const callId = await endedCall(stores, process);
    const [first, second] = await until(
      stores,
      Promise.all([ask(stores, process, callId), ask(stores, process, callId)]),
    );
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(second.value).toEqual(first.value);
    const { analysisId } = first.value;
    expect(await ask(stores, process, callId, { assistantVersion: 1 })).toMatchObject({
      value: { analysisId },
    });
    expect(wishes(stores).map((wish) => wish.analysisId)).toEqual([analysisId]);
  });

  it("with the id of an Idempotency-Key that was stored before is not asked for again", async () => {
    const { stores, process, callId } = await analysedCall();
    const analysisId = systemIds.uuid();
    await ask(stores, process, callId, { analysisId });
    await pass(stores, MINUTE);
    expect(await ask(stores, process, callId, { analysisId })).toMatchObject({ value: { analysisId } });
    expect(wishes(stores)).toHaveLength(2);
  });

  it("asks as the version that is named", async () => {
    const { stores, process, callId, asked } = await analysedCall();
    const outcome = { ...OUTCOME, summary: false };
    await publish(stores, 2, outcome);
    await ask(stores, process, callId, { assistantVersion: 2 });
    await pass(stores, MINUTE);
    expect(asked[1]?.settings).toMatchObject({ model: "gpt-2", outcome });
    expect(wishes(stores)[1]).toMatchObject({ assistantId: "ast_1", assistantVersion: 2 });
  });

  it("asks as the call began when its assistant is deleted", async () => {
    const { stores, process, callId, asked } = await analysedCall();
    stores.directory.deleteAssistant("usr_1", "ast_1");
    expect(codeOf(await ask(stores, process, callId))).toBe("asked");
    await pass(stores, MINUTE);
    expect(asked[1]?.settings).toMatchObject({ model: "gpt-1", outcome: OUTCOME });
  });

  it("is asked for ten times at most", async () => {
    const { stores, process, callId } = await analysedCall();
    for (let index = 0; index < 9; index += 1) {
      expect(codeOf(await ask(stores, process, callId))).toBe("asked");
      await pass(stores, MINUTE);
    }
    expect(codeOf(await ask(stores, process, callId))).toBe("ANALYSIS_LIMIT_REACHED");
    expect(wishes(stores)).toHaveLength(10);
  });
});

describe("it is refused", () => {
  it("for a call of another owner, and for one that does not exist", async () => {
    const { stores, process, callId } = await analysedCall();
    const other: Caller = { ...CALLER, owner: "usr_2" };
    expect(codeOf(await ask(stores, process, callId, {}, other))).toBe("CALL_NOT_FOUND");
    expect(codeOf(await ask(stores, process, "call_none"))).toBe("CALL_NOT_FOUND");
  });

  it("before the end, also of a call that asks for nothing", async () => {
    const stores = await storesThatAsk(null);
    const process = engineProcess(stores);
    const { callId } = await answeredCall(stores, process);
    expect(codeOf(await ask(stores, process, callId, { assistantVersion: 9 }))).toBe("CALL_NOT_ENDED");
  });

  it("when the words were erased, before everything else", async () => {
    const { stores, process, callId } = await analysedCall();
    await erase(stores, process, callId);
    expect(codeOf(await ask(stores, process, callId, { assistantVersion: 9 }))).toBe("CONTENT_ERASED");
    const nothing = await answeredCall(stores, process);
    await nothing.end();
    await erase(stores, process, nothing.callId);
    expect(codeOf(await ask(stores, process, nothing.callId))).toBe("CONTENT_ERASED");
  });

  it("when the customer said nothing, before it is looked what is asked", async () => {
    const stores = await storesThatAsk(null);
    const process = engineProcess(stores);
    const { callId, end } = await answeredCall(stores, process);
    await end();
    expect(codeOf(await ask(stores, process, callId, { assistantVersion: 9 }))).toBe("NOTHING_TO_ANALYSE");
  });

  it("when the version asks for nothing", async () => {
    const stores = await storesThatAsk(null);
    const process = engineProcess(stores);
    const callId = await endedCall(stores, process);
    expect(codeOf(await ask(stores, process, callId))).toBe("OUTCOME_NOT_CONFIGURED");
    expect(codeOf(await ask(stores, process, callId, { assistantVersion: 1 }))).toBe(
      "OUTCOME_NOT_CONFIGURED",
    );
    await publish(stores, 2, OUTCOME);
    expect(codeOf(await ask(stores, process, callId, { assistantVersion: 2 }))).toBe("asked");
  });

  it("with a version that does not exist, at its place in the body", async () => {
    const { stores, process, callId } = await analysedCall();
    expect(await ask(stores, process, callId, { assistantVersion: 9 })).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", details: [{ path: ["assistantVersion"] }] },
    });
    expect(wishes(stores)).toHaveLength(1);
  });
});
