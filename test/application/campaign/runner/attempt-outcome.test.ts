import { describe, expect, it } from "vitest";
import { recordOutcome } from "../../../../application/campaign/runner/attempt-outcome.ts";
import type { KnownOptOuts } from "../../../../application/conversation/known-opt-outs.ts";
import { callStream } from "../../../../application/log/stream-names.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import { REQUEST } from "../../../domain/call/example-call.ts";
import { at, campaignId, contact, dialed, running } from "../../../domain/campaign/example-campaign.ts";
import { openEvents, pass } from "../../engine-world.ts";
import { runnerParts, runOf } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const END = {
  callId: "call_1",
  contactId: "ctc_1",
  endReason: "busy",
  durationSeconds: null,
  cost: 0,
  endedAt: at(1),
  causationId: "evt-9",
} as const;

/** A campaign with its one contact in a call, and a log that fails like this. */
async function inCall(failure: { error: Error | null }, settings = { maxRetries: 0 }) {
  const parts = runnerParts(undefined, {
    wrapStore: (store) => ({
      ...store,
      append: async (...args) => {
        if (failure.error !== null) throw failure.error;
        return store.append(...args);
      },
    }),
  });
  await parts.store(STREAM, ...running([contact(1)], settings), dialed(1));
  const stop = new AbortController();
  const known = runOf(stop.signal);
  known.run.callOwners.set("call_1", { campaignId, contactId: "ctc_1" });
  return {
    ...parts,
    ...known,
    stop,
    since: () => openEvents(parts.stores, STREAM).slice(4),
    passed: (millis: number) => pass(parts.stores, millis),
  };
}

describe("the outcome of an attempt", () => {
  it("is recorded with what caused it; the last one completes the campaign, which is woken", async () => {
    const { deps, run, counted, since } = await inCall({ error: null });
    await recordOutcome(deps, run, END);
    expect(since()).toMatchObject([
      {
        type: "ContactAttemptFailed",
        data: { contactId: "ctc_1", callId: "call_1", endReason: "busy", retryAt: null },
        metadata: { actor: "process:campaign-runner", causationId: "evt-9", correlationId: "cmp_1" },
      },
      { type: "CampaignCompleted", metadata: { causationId: "evt-9" } },
    ]);
    expect([counted.wakes, run.callOwners.size]).toEqual([1, 0]);
  });

  it("says whether an answered call was an opt-out", async () => {
    const { deps, run, since } = await inCall({ error: null }, { maxRetries: 3 });
    const asked: string[] = [];
    const optOuts: KnownOptOuts = {
      hear: () => undefined,
      of: async (callId) => {
        asked.push(callId);
        return { by: "words", messageIndex: 1, saidAt: at(1) };
      },
    };
    await recordOutcome({ ...deps, optOuts }, run, {
      ...END,
      endReason: "connection_lost",
      durationSeconds: 5,
    });
    expect(since()[0]).toMatchObject({
      type: "ContactAttemptFailed",
      data: { retryAt: null, optedOut: true },
    });
    const unanswered = await inCall({ error: null }, { maxRetries: 3 });
    await recordOutcome({ ...unanswered.deps, optOuts }, unanswered.run, END);
    expect(unanswered.since()[0]?.data).not.toHaveProperty("optedOut");
    expect(asked).toEqual(["call_1"]);
  });

  it("takes the callback from the end of the call, if the assistant may agree one", async () => {
    const inCallWith = async (maxPerContact: number | null) => {
      const { deps, run, since, store } = await inCall({ error: null });
      const callbackAt = at(7_200);
      await store(
        callStream("call_1"),
        { type: "CallRequested", data: { ...REQUEST, callId: "call_1" } },
        {
          type: "CallCallbackAgreed",
          data: {
            callId: "call_1",
            at: at(1),
            epoch: 1,
            asked: "2026-09-01T15:00",
            callbackAt,
            zone: "Europe/Istanbul",
            moved: false,
            note: null,
            messageIndex: 1,
          },
        },
      );
      const callbackSettings = async () => (maxPerContact === null ? null : { maxDays: 14, maxPerContact });
      const end = { ...END, endReason: "connection_lost", durationSeconds: 5 } as const;
      await recordOutcome({ ...deps, callbackSettings }, run, end);
      return since()[0];
    };
    expect(await inCallWith(2)).toMatchObject({
      type: "ContactCallbackScheduled",
      data: { callbackAt: at(7_200), agreedAt: at(1), endReason: "connection_lost", maxAttempts: 2 },
    });
    expect((await inCallWith(null))?.type).toBe("ContactAttemptFailed");
  });

  it("does not read a call again whose end is in memory", async () => {
    const reads: string[] = [];
    const parts = runnerParts(undefined, {
      wrapStore: (store) => ({
        ...store,
        read: async (stream, options) => {
          reads.push(stream);
          return store.read(stream, options);
        },
      }),
    });
    await parts.store(STREAM, ...running([contact(1)], { maxRetries: 0 }), dialed(1));
    const call = callStream("call_1");
    await parts.store(
      call,
      { type: "CallRequested", data: { ...REQUEST, callId: "call_1" } },
      {
        type: "CallFailed",
        data: {
          callId: "call_1",
          at: at(1),
          endReason: "connection_lost",
          endedBy: null,
          durationSeconds: 5,
          cost: 0,
          recordingStatus: "none",
          carrierRef: null,
          sequence: null,
          error: null,
        },
      },
    );
    await parts.deps.aggregates.calls.query(call, () => null);
    reads.length = 0;
    const callbackSettings = async () => ({ maxDays: 14, maxPerContact: 2 });
    const { run } = runOf(new AbortController().signal);
    const optOuts: KnownOptOuts = { hear: () => undefined, of: async () => null };
    await recordOutcome({ ...parts.deps, callbackSettings, optOuts }, run, {
      ...END,
      endReason: "connection_lost",
      durationSeconds: 5,
    });
    expect(openEvents(parts.stores, STREAM).slice(4)[0]).toMatchObject({ type: "ContactAttemptFailed" });
    expect(reads).not.toContain(call);
  });

  it("is tried every half second while the log is away", async () => {
    const failure: { error: Error | null } = { error: new TypeError("away") };
    const { deps, run, counted, said, since, passed } = await inCall(failure);
    void recordOutcome(deps, run, END);
    await passed(1_200);
    const line = [
      "error",
      "outcome not recorded; tries again",
      { campaignId, callId: "call_1", error: failure.error },
    ];
    expect([said, counted.wakes, run.callOwners.size]).toEqual([[line, line, line], 0, 1]);
    failure.error = null;
    await passed(301);
    expect([since().length, counted.wakes]).toEqual([2, 1]);
  });

  it("that the log refuses for good is left aside, once: the next owner reads it in its call", async () => {
    const failure = { error: new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 }) };
    const { deps, run, counted, said, passed } = await inCall(failure);
    await recordOutcome(deps, run, END);
    await passed(2_000);
    const what = { processor: "campaign-runner", campaignId, callId: "call_1", error: failure.error };
    expect([said, counted.wakes]).toEqual([[["error", "left aside for good", what]], 0]);
    expect(deps.givenUp.count("campaign-runner")).toBe(1);
  });

  it("is not tried any more by a process that has lost the campaign", async () => {
    const failure: { error: Error | null } = { error: new TypeError("away") };
    const { deps, run, stop, since, passed } = await inCall(failure);
    const recording = recordOutcome(deps, run, END);
    await passed(100);
    stop.abort();
    await recording;
    failure.error = null;
    await passed(2_000);
    expect(since()).toEqual([]);
  });
});
