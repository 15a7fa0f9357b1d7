import { beforeEach, describe, expect, it } from "vitest";
import { createGivenUp } from "../../../application/given-up.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { PendingEnd } from "../../../application/ports/webhook-outbox.ts";
import { createKnownCalls } from "../../../application/webhook/known-calls.ts";
import type { AttemptOutcome } from "../../../application/webhook/webhook-body.ts";
import { createWebhookPublishing } from "../../../application/webhook/webhook-publishing.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { CallId, CampaignId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { succeeded } from "../../domain/campaign/example-campaign.ts";
import { callEnd, callRequest, connected, recordedRequest } from "../../projections/example-events.ts";
import { type MemoryLog, memoryLog } from "../../support/memory-log.ts";

const AT = "2026-09-01T10:00:00.000Z";
const FINAL: AttemptOutcome = { maxAttempts: 3, isFinalAttempt: true, nextAttemptAt: null };

let log: MemoryLog;
let broken: Error | null;
let done: unknown[];
let due: PendingEnd[];
let nextDue: Instant | null;
let outcome: () => Promise<AttemptOutcome | null>;
let left: ReturnType<typeof createGivenUp>;
let publishing: ReturnType<typeof createWebhookPublishing>;

beforeEach(() => {
  [broken, done, due, nextDue] = [null, [], [], null];
  outcome = async () => null;
  left = createGivenUp(silentLogger);
  log = memoryLog({
    wrap: (memory) => ({
      ...memory,
      read: async (...asked) => {
        if (broken !== null) throw broken;
        return memory.read(...asked);
      },
    }),
  });
  publishing = createWebhookPublishing({
    ...log,
    publicUrl: () => "",
    givenUp: left,
    knownCalls: createKnownCalls({ ...log, pinnedConversations: { read: async () => null } }),
    outcomeInCampaign: () => outcome(),
    onDeferred: (first) => done.push(`deferred until ${first}`),
    campaignMoments: { rightAfter: async () => null },
    directory: { owner: async () => null },
    outbox: {
      enqueue: async (entries) => void done.push(entries.map(({ kind, callId }) => `${kind} ${callId}`)),
      takes: async () => true,
      deferEnds: async (ends) => void done.push(ends),
      dueEnds: async (now, limit) => due.filter((end) => end.due <= now).slice(0, limit),
      nextEndDue: async () => nextDue,
      endWaits: async (callId) => due.some((end) => end.callId === callId),
      emptyCalls: async (callIds) => void done.push({ emptied: callIds }),
      dropEnds: async (callIds) => void done.push({ dropped: callIds }),
    },
  });
});

const recorded = (event: DomainEvent): RecordedEvent => ({ ...recordedRequest(0), event });
const publish = (...events: readonly DomainEvent[]) => publishing.publish(events.map(recorded));
const requested = (callId: CallId, campaignId: CampaignId | null = null) =>
  callRequest({ callId, owner: "usr_1", campaignId, contactId: campaignId && "ctc_1", attempt: 1, at: AT });
const busy = (callId: CallId) => callEnd(callId, AT, "busy", null);
const store = (callId: CallId, ...events: readonly CallEvent[]) => log.store(callStream(callId), ...events);
const pending = (callId: CallId): PendingEnd => ({ callId, owner: "usr_1", due: AT });

describe("events of calls", () => {
  it("are told from what was heard; nothing is read, and nothing that tells nothing is stored", async () => {
    await publish(requested("call_1"));
    expect([done, log.reads.length]).toEqual([[], 0]);
    await publish(connected("call_1", AT, "ref"));
    await publish(busy("call_1"));
    expect([done, log.reads.length]).toEqual([[["call.started call_1"], ["call.ended call_1"]], 0]);
  });

  it("of a call that was not heard of are told from its stream, which is read once", async () => {
    await store("call_1", requested("call_1"), connected("call_1", AT, "ref"), busy("call_1"));
    await publish(connected("call_1", AT, "ref"));
    await publish(busy("call_1"));
    expect([done, log.reads.length]).toEqual([[["call.started call_1"], ["call.ended call_1"]], 1]);
  });

  it("of a call that is not in the log tell nothing", async () => {
    await publish(connected("call_9", AT, "ref"), busy("call_9"));
    expect(done).toEqual([]);
  });

  it("of a campaign wait 60 s for its outcome; one that comes with the end, or later, is told at once", async () => {
    await publish(requested("call_1", "cmp_1"), busy("call_1"));
    const ends = [{ ...pending("call_1"), due: plusMillis(AT, 60_000) }];
    expect(done.splice(0)).toEqual([ends, `deferred until ${plusMillis(AT, 60_000)}`]);
    await publish(succeeded(1));
    expect(done.splice(0)).toEqual([["call.ended call_1"]]);
    await publish(requested("call_2", "cmp_1"), busy("call_2"), succeeded(2));
    expect(done).toEqual([["call.ended call_2"]]);
  });

  it("of a campaign that decided before its call is known to be over are told with the end", async () => {
    await publish(requested("call_1", "cmp_1"), succeeded(1));
    expect(done).toEqual([]);
    await publish(busy("call_1"));
    expect(done).toEqual([["call.ended call_1"]]);
  });

  it("that take its words empty what was queued, after what is queued now", async () => {
    const erased: CallEvent = {
      type: "CallContentErased",
      data: { callId: "call_1", at: AT, erasureId: "ers_1" },
    };
    await publish(requested("call_1"), busy("call_1"), erased);
    expect(done).toEqual([["call.ended call_1"], { emptied: ["call_1"] }]);
  });
});

describe("analyses of calls", () => {
  const wish = (id: string): CallEvent => {
    const asked = { assistantId: "ast_1", assistantVersion: 1, schemaHash: "0", by: "engine" } as const;
    return { type: "CallAnalysisRequested", data: { callId: "call_1", at: AT, analysisId: id, ...asked } };
  };
  const failed = (id: string): CallEvent => ({
    type: "CallAnalysisFailed",
    data: { callId: "call_1", at: AT, analysisId: id, reason: "gave_up", tries: 5, model: null },
  });

  it("are told behind the end that has been told, each once it is answered", async () => {
    await publish(requested("call_1"), connected("call_1", AT, "ref"), busy("call_1"));
    done.length = 0;
    await publish(wish("a"));
    expect(done).toEqual([]);
    await publish(failed("a"));
    expect(done.splice(0)).toEqual([["call.analyzed call_1"]]);
    await publish(wish("b"), failed("b"));
    expect(done).toEqual([["call.analyzed call_1", "call.analyzed call_1"]]);
  });

  it("that find the end waiting are told with it, whatever it waits for", async () => {
    await publish(requested("call_1", "cmp_1"), connected("call_1", AT, "ref"), busy("call_1"));
    due = [pending("call_1")];
    done.length = 0;
    await publish(wish("a"), failed("a"));
    expect(done).toEqual([]);
    await publish(succeeded(1));
    expect(done.splice(0)).toEqual([["call.ended call_1", "call.analyzed call_1"]]);
    outcome = async () => FINAL;
    await publishing.publishDueEnds();
    expect(done).toEqual([["call.started call_1", "call.ended call_1", "call.analyzed call_1"]]);
  });
});

describe("an end whose wait is over", () => {
  it("is told with what the campaign has decided, and with its answer, which may not have been heard", async () => {
    await store("call_1", requested("call_1", "cmp_1"), connected("call_1", AT, "ref"), busy("call_1"));
    due = [pending("call_1")];
    outcome = async () => FINAL;
    expect(await publishing.publishDueEnds()).toBeNull();
    expect(done).toEqual([["call.started call_1", "call.ended call_1"]]);
  });

  it("is told without the outcome when the campaign can never be read, and is kept when the log is away", async () => {
    await store("call_1", requested("call_1", "cmp_1"), busy("call_1"));
    due = [pending("call_1")];
    outcome = () => Promise.reject(new EventStoreError({ kind: "unavailable", cause: "away" }));
    await expect(publishing.publishDueEnds()).rejects.toThrow("unavailable");
    expect(done).toEqual([]);
    log.clock.advance(60_000);
    outcome = () => Promise.reject(new EventStoreError({ kind: "deleted", stream: "campaign-cmp_1" }));
    await publishing.publishDueEnds();
    expect(done).toEqual([["call.ended call_1"]]);
  });

  it("waits for its outcome for 60 s after the end of the call, and is looked at again then", async () => {
    await store("call_1", requested("call_1", "cmp_1"), busy("call_1"));
    due = [pending("call_1")];
    nextDue = AT;
    const waitsUntil = plusMillis(AT, 60_000);
    expect(await publishing.publishDueEnds()).toBe(waitsUntil);
    log.clock.advance(59_999);
    expect(await publishing.publishDueEnds()).toBe(waitsUntil);
    expect(done).toEqual([]);
    log.clock.advance(1);
    await publishing.publishDueEnds();
    expect(done).toEqual([["call.ended call_1"]]);
  });

  it("is looked at again when the next one is due, if that is before", async () => {
    nextDue = plusMillis(AT, 5_000);
    expect(await publishing.publishDueEnds()).toBe(nextDue);
    await store("call_1", requested("call_1", "cmp_1"), busy("call_1"));
    due = [pending("call_1")];
    expect(await publishing.publishDueEnds()).toBe(nextDue);
    nextDue = plusMillis(AT, 70_000);
    expect(await publishing.publishDueEnds()).toBe(plusMillis(AT, 60_000));
    expect(done).toEqual([]);
  });

  it("is looked at again at once when more were due than are taken together", async () => {
    nextDue = AT;
    expect(await publishing.publishDueEnds()).toBe(AT);
  });

  it("is dropped when the log does not know the call or its end, and counted as left aside", async () => {
    await store("call_2", requested("call_2"));
    due = [pending("call_1"), pending("call_2")];
    await publishing.publishDueEnds();
    expect([done, left.count("webhook-due-ends")]).toEqual([[{ dropped: ["call_1", "call_2"] }], 2]);
  });

  it("is dropped when its stream can never be read, and kept when the log is away", async () => {
    due = [pending("call_1")];
    broken = new EventStoreError({ kind: "unavailable", cause: "away" });
    await expect(publishing.publishDueEnds()).rejects.toThrow("unavailable");
    expect([done, left.count("webhook-due-ends")]).toEqual([[], 0]);
    broken = new EventStoreError({ kind: "deleted", stream: "call-call_1" });
    await publishing.publishDueEnds();
    expect([done, left.count("webhook-due-ends")]).toEqual([[{ dropped: ["call_1"] }], 1]);
  });

  it("is found in the log when what was heard lacks it", async () => {
    await publish(requested("call_1"));
    await store("call_1", requested("call_1"), busy("call_1"));
    due = [pending("call_1")];
    await publishing.publishDueEnds();
    expect([done, log.reads.length]).toEqual([[["call.ended call_1"]], 1]);
    await publishing.publishDueEnds();
    expect(log.reads).toHaveLength(1);
  });
});
