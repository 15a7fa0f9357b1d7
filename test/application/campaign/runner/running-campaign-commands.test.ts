import { describe, expect, it } from "vitest";
import { type EventStore, EventStoreError } from "../../../../application/ports/event-store.ts";
import { CALLER, engineProcess, OWNER, openEvents, pass, type Stores, until } from "../../engine-world.ts";
import { ASKED_AGAIN_MILLIS, AT_ONCE_MILLIS, runnerWorld, STREAM } from "./runner-world.ts";

describe("a campaign that is cancelled", () => {
  it("has its live calls hung up, each asked for once, where that is wanted", async () => {
    const { stores, one, started, live } = runnerWorld();
    await started(3);
    const calls = live();
    await until(stores, one.useCases.cancelCampaign(CALLER, "cmp_1", { hangUpActiveCalls: true }));
    await pass(stores, AT_ONCE_MILLIS);
    expect(one.hungUp.toSorted()).toEqual([...calls].sort());
    for (const callId of calls)
      expect(
        openEvents(stores, `call-${callId}`).find(({ type }) => type === "CallEndRequested")?.data,
      ).toMatchObject({
        by: "api",
        reason: "campaign_cancelled",
      });
  });

  it("lets its live calls go on otherwise, and dials nobody any more", async () => {
    const { stores, one, started, ends, live } = runnerWorld();
    await started(4, { maxConcurrentCalls: 2 });
    await until(stores, one.useCases.cancelCampaign(CALLER, "cmp_1", { hangUpActiveCalls: false }));
    for (const callId of live()) await ends(callId);
    await pass(stores, 10_000);
    expect([one.hungUp, one.placed.length]).toEqual([[], 2]);
  });
});

describe("commands that wait for the process that runs a campaign", () => {
  const row = (payload: Parameters<Stores["commandQueue"]["enqueue"]>[0]["payload"]) => ({
    id: "cmd_1",
    campaignId: "cmp_1" as const,
    owner: OWNER,
    payload,
  });
  const origin = { ...CALLER, causationId: null };

  it("are left alone when they are of a release that it does not know", async () => {
    const { stores, started } = runnerWorld();
    await started(1);
    await stores.commandQueue.enqueue(row({ intent: { kind: "tomorrow" }, origin }));
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect(await stores.commandQueue.waiting(["cmp_1"])).toHaveLength(1);
  });

  it("are answered with their outcome, also with a refusal", async () => {
    const { stores, started } = runnerWorld();
    await started(1);
    await stores.commandQueue.enqueue(row({ intent: { kind: "skip", contactId: "ctc_none" }, origin }));
    await pass(stores, AT_ONCE_MILLIS);
    expect(await stores.commandQueue.awaitAnswer("cmd_1", 0)).toMatchObject({
      answer: { ok: false, refusal: { code: "CONTACT_NOT_FOUND" } },
    });
  });

  it("are answered without an outcome when the log refuses them for good, and hold no other up", async () => {
    let refuses = false;
    const { stores, started } = runnerWorld({
      wrapStore: (store: EventStore): EventStore => ({
        ...store,
        append: async (stream, expected, events) => {
          const isPause = stream === STREAM && events.some(({ type }) => type === "CampaignPaused");
          if (refuses && isPause)
            throw new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
          return store.append(stream, expected, events);
        },
      }),
    });
    await started(2, { maxConcurrentCalls: 1 });
    refuses = true;
    await stores.commandQueue.enqueue(row({ intent: { kind: "pause" }, origin }));
    await pass(stores, AT_ONCE_MILLIS);
    expect(await stores.commandQueue.awaitAnswer("cmd_1", 0)).toEqual({});
    const other = engineProcess(stores, { processId: "api", works: false });
    const cancelled = other.useCases.cancelCampaign(CALLER, "cmp_1", { hangUpActiveCalls: false });
    expect(await until(stores, cancelled)).toMatchObject({ ok: true });
  });
});
