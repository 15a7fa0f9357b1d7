import { describe, expect, it } from "vitest";
import { takeOver } from "../../../../application/campaign/runner/take-over.ts";
import { type EventStore, EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import { REQUEST } from "../../../domain/call/example-call.ts";
import {
  at,
  campaignId,
  contact,
  dialed,
  paused,
  running,
} from "../../../domain/campaign/example-campaign.ts";
import { callEnd } from "../../../projections/example-events.ts";
import { OWNER, openEvents } from "../../engine-world.ts";
import { runnerParts, runOf } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

type Call = `call_${string}`;
const callOf = (call: Call) => `call-${call}` as const;
const requested = (callId: Call) =>
  ({ type: "CallRequested", data: { ...REQUEST, callId, campaignId } }) as const;

/** So many contacts in a call, and nobody else to be called. */
function inCalls(count: number): readonly CampaignEvent[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const contacts = numbers.map((number) => contact(number, { phoneNumber: `+1202555${1_000 + number}` }));
  return [...running(contacts), ...numbers.map((number) => dialed(number))];
}

/** What is read of the log: how many streams at once, how many pages of the campaign's end. */
function watched(failing: (stream: string) => Error | null = () => null) {
  const seen = { now: 0, atOnce: 0, calls: 0, backward: 0 };
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    read: async (stream, options) => {
      const failure = failing(stream);
      if (failure !== null) throw failure;
      if (options?.direction === "backward") seen.backward += 1;
      if (!stream.startsWith("call-")) return store.read(stream, options);
      seen.calls += 1;
      seen.now += 1;
      seen.atOnce = Math.max(seen.atOnce, seen.now);
      await new Promise((resolve) => setImmediate(resolve));
      seen.now -= 1;
      return store.read(stream, options);
    },
  });
  const parts = runnerParts(undefined, { wrapStore });
  const known = runOf();
  return {
    ...parts,
    ...known,
    seen,
    takenOver: () => takeOver(parts.deps, known.run),
    outcomes: () =>
      openEvents(parts.stores, STREAM).filter(({ type }) => /^Contact(Succeeded|Attempt)/.test(type)),
  };
}

describe("a campaign that is taken over", () => {
  it("has the calls started that nobody began, lets live ones go on, and records what ended", async () => {
    const { store, run, begun, said, counted, takenOver, outcomes } = watched();
    await store(STREAM, ...inCalls(4));
    await store(callOf("call_2"), requested("call_2"));
    await store(callOf("call_3"), requested("call_3"), callEnd("call_3", at(50), "customer_ended", 30));
    await store(callOf("call_4"), requested("call_4"), callEnd("call_4", at(50), "busy", null));
    await takenOver();
    expect(begun).toMatchObject([{ dial: { contactId: "ctc_1", callId: "call_1" }, checkedAt: null }]);
    expect(begun).toHaveLength(1);
    const byCall = outcomes().toSorted((one, other) =>
      String(one.data["callId"]) < String(other.data["callId"]) ? -1 : 1,
    );
    expect(byCall.map(({ type, data }) => [type, data])).toMatchObject([
      [
        "ContactSucceeded",
        {
          callId: "call_3",
          contactId: "ctc_3",
          endReason: "customer_ended",
          durationSeconds: 30,
          cost: 12_345,
        },
      ],
      [
        "ContactAttemptFailed",
        { callId: "call_4", contactId: "ctc_4", endReason: "busy", durationSeconds: null, cost: 0 },
      ],
    ]);
    expect([...run.callOwners]).toEqual([
      ["call_1", { campaignId, contactId: "ctc_1" }],
      ["call_2", { campaignId, contactId: "ctc_2" }],
    ]);
    expect([said, counted.wakes]).toEqual([[], 2]);
  });

  it("is seen as it stands in the log, not as this process remembers it", async () => {
    const { store, deps, begun, takenOver, outcomes } = watched();
    await store(STREAM, ...running([contact(1), contact(2)]), dialed(1));
    await store(callOf("call_1"), requested("call_1"));
    await deps.aggregates.campaigns.query(STREAM, () => null);
    await deps.aggregates.calls.query(callOf("call_1"), () => null);
    await store(STREAM, dialed(2));
    await store(callOf("call_1"), callEnd("call_1", at(50), "busy", null));
    await takenOver();
    expect(begun.map(({ dial }) => dial.callId)).toEqual(["call_2"]);
    expect(outcomes().map(({ data }) => data["callId"])).toEqual(["call_1"]);
  });

  it("has no more than 16 calls looked at at once, each once", async () => {
    const { store, begun, seen, takenOver } = watched();
    await store(STREAM, ...inCalls(40));
    await takenOver();
    expect([begun.length, seen.atOnce, seen.calls]).toEqual([40, 16, 40]);
  });

  it("has its recorded dials searched for from its end on, no further than they lie", async () => {
    const { store, begun, seen, takenOver } = watched();
    const resumed = { type: "CampaignResumed", data: { campaignId, at: at(3), by: "system" } } as const;
    // The dial is the last of the second page of 200.
    const since = Array.from({ length: 200 }, () => [paused("insufficient_credits"), resumed])
      .flat()
      .slice(1);
    await store(STREAM, ...inCalls(1), ...since);
    await takenOver();
    expect([begun.map(({ dial }) => dial.callId), seen.backward]).toEqual([["call_1"], 2]);
  });

  it("reads nothing more when all its calls have begun", async () => {
    const { store, seen, takenOver } = watched();
    await store(STREAM, ...inCalls(1));
    await store(callOf("call_1"), requested("call_1"));
    await takenOver();
    expect(seen.backward).toBe(0);
  });

  it("passes over what a newer release wrote", async () => {
    const { store, stores, log, begun, takenOver } = watched();
    await store(STREAM, ...inCalls(1));
    const metadata = { owner: OWNER, actor: "a", correlationId: "c", causationId: null, schemaVersion: 1 };
    const revision = (stores.database.streams.get(STREAM)?.events.length ?? 0) - 1;
    await log.append(STREAM, revision, [
      { id: stores.ids.uuid(), type: "CampaignPraised", data: {}, metadata },
    ]);
    await takenOver();
    expect(begun.map(({ dial }) => dial.callId)).toEqual(["call_1"]);
  });
});

describe("a call that cannot be read", () => {
  it("ever ends its attempt: its number is not dialled again", async () => {
    const gone = new EventStoreError({ kind: "deleted", stream: "call-call_1" });
    const { store, begun, said, takenOver, outcomes } = watched((stream) =>
      stream === "call-call_1" ? gone : null,
    );
    await store(STREAM, ...inCalls(1));
    await takenOver();
    const unknown = { contactId: "ctc_1", endReason: "outcome_unknown", durationSeconds: null, cost: 0 };
    expect(outcomes().map(({ data }) => data)).toMatchObject([{ ...unknown, at: at(2) }]);
    expect([begun, said]).toMatchObject([
      [],
      [["error", "left aside for good", { processor: "campaign-runner", callId: "call_1", error: gone }]],
    ]);
  });

  it("now is asked for again: nothing is concluded from it", async () => {
    const { store, said, takenOver, outcomes } = watched((stream) =>
      stream === "call-call_1" ? new TypeError("away") : null,
    );
    await store(STREAM, ...inCalls(1));
    await expect(takenOver()).rejects.toThrow("away");
    expect([outcomes(), said]).toEqual([[], []]);
  });
});
