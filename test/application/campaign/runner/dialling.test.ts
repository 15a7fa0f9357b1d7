import { beforeEach, describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../../../application/campaign/create-campaign.ts";
import { type EventStore, EventStoreError } from "../../../../application/ports/event-store.ts";
import { creditsToUnits } from "../../../../domain/shared/credits.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  PHONE_NUMBER,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
  type WorldOptions,
} from "../../engine-world.ts";
import { campaignRequest, exampleContacts } from "../../example-request.ts";

const STREAM = "campaign-cmp_1";
/** A runner is told of what changed: nothing waits for its next look. */
const AT_ONCE_MILLIS = 500;
const ASKED_AGAIN_MILLIS = 5_000;

let stores: Stores;
let one: ReturnType<typeof engineProcess>;
beforeEach(() => begin());

function begin(options: WorldOptions = {}): void {
  stores = sharedStores(options);
  one = engineProcess(stores, options);
}

async function started(count: number, changes: Partial<CreateCampaignRequest> = {}): Promise<void> {
  await until(
    stores,
    one.useCases.createCampaign(CALLER, campaignRequest(count, { maxRetries: 0, ...changes })),
  );
  await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
  await pass(stores, AT_ONCE_MILLIS);
}

let sequence = 0;
/** Nobody answered. */
function ends(callId: CallId, from = one) {
  sequence += 1;
  return until(
    stores,
    from.sink({
      dedupeKey: `${callId}/${sequence}`,
      callId,
      carrierRef: `ref-${callId}`,
      sequence,
      occurredAt: stores.clock.now(),
      type: "ended",
      endReason: "busy",
      endedBy: null,
      answeredAt: null,
      answeredBy: null,
      recordingExpected: false,
      carrierCode: null,
    }),
  );
}
const live = (): readonly CallId[] => stores.admission.openSlots().map(({ callId }) => callId);
const types = () => typesOf(stores, STREAM);
const count = (type: string) => types().filter((each) => each === type).length;
const last = () => openEvents(stores, STREAM).at(-1);
const requests = () => openEvents(stores).filter(({ type }) => type === "CallRequested");

describe("a running campaign", () => {
  it("dials as many at once as its own cap allows, and the next one as soon as one has ended", async () => {
    await started(4, { maxConcurrentCalls: 2 });
    expect(one.placed).toHaveLength(2);
    await pass(stores, 10_000);
    expect(one.placed).toHaveLength(2);
    await ends(live()[0] ?? "call_none");
    await pass(stores, AT_ONCE_MILLIS);
    expect(one.placed).toHaveLength(3);
  });

  it("says to each contact what it says of it, and names it in its call", async () => {
    const contacts = exampleContacts(1).map((contact) => ({
      ...contact,
      name: "Zoë",
      customData: { city: "Rome" },
    }));
    await started(1, {
      contacts,
      specialInstructions: "About {{city}}",
      metadata: { order: 7 },
      ringTimeoutSeconds: 33,
    });
    expect(requests().map(({ data, metadata }) => [data, metadata.actor])).toMatchObject([
      [
        {
          to: "+12025550000",
          from: "+15005550000",
          campaignId: "cmp_1",
          contactName: "Zoë",
          customData: { city: "Rome" },
          greetingMessage: "Hello Zoë",
          specialInstructions: "About Rome",
          metadata: { order: 7 },
          ringTimeoutSeconds: 33,
          attempt: 1,
        },
        "process:campaign-runner",
      ],
    ]);
  });

  it("passes over a number of the do-not-call list, and says what stood there of it", async () => {
    stores.directory.suppress(OWNER, "+12025550000");
    await started(2);
    expect(requests().map(({ data }) => data["to"])).toEqual(["+12025550001"]);
    const skipped = openEvents(stores, STREAM).find(({ type }) => type === "ContactSkipped");
    expect(skipped?.data).toMatchObject({ reason: "suppressed" });
    expect(skipped?.data["suppression"]).toMatchObject({ createdAt: "2026-09-01T00:00:00.000Z" });
  });

  it("whose contacts are all on the do-not-call list is over at once", async () => {
    stores.directory.suppress(OWNER, "+12025550000");
    await started(1);
    expect(types().slice(-2)).toEqual(["ContactSkipped", "CampaignCompleted"]);
  });

  it("records each end once, and completes with the last of them", async () => {
    await started(2);
    for (const callId of live()) await ends(callId);
    await pass(stores, AT_ONCE_MILLIS);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([2, "CampaignCompleted"]);
    await pass(stores, 60_000);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([2, "CampaignCompleted"]);
  });

  it("records an outcome half a second later when the log was away", async () => {
    let away = false;
    begin({
      wrapStore: (store: EventStore): EventStore => ({
        ...store,
        append: async (stream, ...rest) => {
          if (away && stream === STREAM) throw new TypeError("broken");
          return store.append(stream, ...rest);
        },
      }),
    });
    await started(1);
    away = true;
    await ends(live()[0] ?? "call_none");
    await pass(stores, 5_000);
    away = false;
    expect(count("ContactAttemptFailed")).toBe(0);
    await pass(stores, 2_000);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([1, "CampaignCompleted"]);
  });

  it("calls contacts that another process added", async () => {
    await started(1);
    const other = engineProcess(stores, { processId: "api", works: false });
    const contacts = exampleContacts(["+12025559999"]);
    const more = { contacts, refusedRows: [], skipDuplicates: false, reservedImportId: null };
    await until(stores, other.useCases.addContacts(CALLER, "cmp_1", more));
    await pass(stores, AT_ONCE_MILLIS);
    expect(requests().map(({ data }) => data["to"])).toEqual(["+12025550000", "+12025559999"]);
  });
});

describe("a campaign that cannot go on", () => {
  it("pauses when the credits are used up, and goes on when some come", async () => {
    begin({ credits: 1 });
    await started(2);
    expect(last()).toMatchObject({ type: "CampaignPaused", data: { reason: "insufficient_credits" } });
    expect(one.placed).toHaveLength(1);
    await stores.admission.topUp(OWNER, creditsToUnits(1), "more");
    await pass(stores, ASKED_AGAIN_MILLIS + AT_ONCE_MILLIS);
    expect(one.placed).toHaveLength(2);
  });

  it.each([
    ["phone_number_inactive", false],
    ["assistant_unpublished", true],
  ] as const)("pauses at once as %s when that is so", async (reason, assistant) => {
    await started(3, { maxConcurrentCalls: 1 });
    if (assistant) stores.directory.unpublish(OWNER, ASSISTANT);
    else stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, { phoneNumber: "+15005550000", active: false });
    await pass(stores, AT_ONCE_MILLIS);
    await ends(live()[0] ?? "call_none");
    await pass(stores, AT_ONCE_MILLIS);
    const paused = openEvents(stores, STREAM).find(({ type }) => type === "CampaignPaused");
    expect(paused?.data["reason"]).toBe(reason);
    expect(one.placed).toHaveLength(1);
  });

  it("pauses after five dials in a row that the carrier did not answer, and goes on when it is there again", async () => {
    let away = true;
    begin({
      placeCall: async ({ callId }) => {
        if (away) return { kind: "unknown", cause: "no answer", noAnswerAtAll: true };
        return { kind: "accepted", carrierRef: `ref-${callId}` };
      },
    });
    await started(8, { maxConcurrentCalls: 5 });
    expect(last()).toMatchObject({ type: "CampaignPaused", data: { reason: "carrier_unavailable" } });
    away = false;
    await pass(stores, 10_000 + AT_ONCE_MILLIS);
    expect(types()).toContain("CampaignResumed");
  });
});

describe("a campaign that is cancelled", () => {
  it("has its live calls hung up, each asked for once, where that is wanted", async () => {
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
    await started(4, { maxConcurrentCalls: 2 });
    await until(stores, one.useCases.cancelCampaign(CALLER, "cmp_1", { hangUpActiveCalls: false }));
    for (const callId of live()) await ends(callId);
    await pass(stores, 10_000);
    expect([one.hungUp, one.placed.length]).toEqual([[], 2]);
  });
});

describe("a campaign that another process takes over", () => {
  const dies = (at: string): WorldOptions => ({
    crashPoints: { reached: (point) => (point === at ? new Promise<void>(() => undefined) : undefined) },
  });

  it("has its recorded dials carried out that nobody has begun, under their own ids", async () => {
    begin(dies("eventStore.append.CallRequested.before"));
    await started(3);
    const dialled = openEvents(stores, STREAM).filter(({ type }) => type === "ContactDialed");
    expect([dialled.length, requests()]).toEqual([3, []]);
    one.stop();
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, ASKED_AGAIN_MILLIS);
    const ids = dialled.map(({ data }) => data["callId"]);
    expect([
      requests()
        .map(({ data }) => data["callId"])
        .sort(),
      two.placed.toSorted(),
    ]).toEqual([ids.toSorted(), ids.toSorted()]);
    expect(count("ContactDialed")).toBe(3);
  });

  it("has the outcomes recorded of calls that ended while nobody ran it", async () => {
    await started(2);
    const calls = live();
    one.stop();
    const api = engineProcess(stores, { processId: "api", works: false });
    for (const callId of calls) await ends(callId, api);
    expect(count("ContactAttemptFailed")).toBe(0);
    engineProcess(stores, { processId: "two" });
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([2, "CampaignCompleted"]);
  });

  it("keeps its live calls: nobody is called twice, and their ends are recorded there", async () => {
    await started(2);
    const calls = live();
    one.stop();
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect([two.placed, count("ContactDialed")]).toEqual([[], 2]);
    for (const callId of calls) await ends(callId, two);
    await pass(stores, AT_ONCE_MILLIS);
    expect(count("ContactAttemptFailed")).toBe(2);
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
    await started(1);
    await stores.commandQueue.enqueue(row({ intent: { kind: "tomorrow" }, origin }));
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect(await stores.commandQueue.waiting(["cmp_1"])).toHaveLength(1);
  });

  it("are answered with their outcome, also with a refusal", async () => {
    await started(1);
    await stores.commandQueue.enqueue(row({ intent: { kind: "skip", contactId: "ctc_none" }, origin }));
    await pass(stores, AT_ONCE_MILLIS);
    expect(await stores.commandQueue.awaitAnswer("cmd_1", 0)).toMatchObject({
      answer: { ok: false, refusal: { code: "CONTACT_NOT_FOUND" } },
    });
  });

  it("are answered without an outcome when the log refuses them for good, and hold no other up", async () => {
    let refuses = false;
    begin({
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
