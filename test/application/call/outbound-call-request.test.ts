import { beforeEach, describe, expect, it } from "vitest";
import type { OutboundCallRequest } from "../../../application/call/start-outbound-call.ts";
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
} from "../engine-world.ts";

const REQUEST: OutboundCallRequest = {
  reservedCallId: "call_1",
  phoneNumberId: PHONE_NUMBER,
  assistantId: ASSISTANT,
  squadId: null,
  to: "+12025550100",
  greetingMessage: null,
  specialInstructions: null,
  metadata: {},
};

let stores: Stores;
beforeEach(() => {
  stores = sharedStores();
});
const start = (
  process: ReturnType<typeof engineProcess>,
  changes: Partial<OutboundCallRequest> = {},
  caller = CALLER,
) => until(stores, process.useCases.startOutboundCall(caller, { ...REQUEST, ...changes }));
const refusal = (code: string, message: string) => ({ ok: false, refusal: { code, message, details: [] } });
const away: WorldOptions = {
  placeCall: async () => ({ kind: "unknown", cause: "no answer", noAnswerAtAll: true }),
};

/** A process whose carrier did not answer five dials in a row. */
async function withCarrierAway(limits: WorldOptions = {}) {
  stores = sharedStores({ planConcurrentCalls: 10, ...limits });
  const one = engineProcess(stores, { ...away, works: false });
  for (let dial = 0; dial < 5; dial += 1) await start(one, { reservedCallId: null });
  return one;
}

describe("an outbound call", () => {
  it("gets a fresh id without a reserved one, and the position of its last event is answered", async () => {
    const outcome = await start(engineProcess(stores), { reservedCallId: null });
    if (!outcome.ok) throw new Error(outcome.refusal.code);
    expect(outcome.value.callId).toMatch(/^call_.+/);
    expect(outcome.position).toBe(stores.database.events.at(-1)?.position);
  });

  it("stores who asked, and everything that was pinned", async () => {
    await start(engineProcess(stores), { greetingMessage: "Hi", metadata: { order: 7 } });
    const [requested] = openEvents(stores, "call-call_1");
    const { owner, actor, correlationId } = CALLER;
    expect(requested).toMatchObject({
      metadata: { owner, actor, correlationId, causationId: null },
      data: {
        from: "+15005550000",
        campaignId: null,
        contactId: null,
        attempt: 1,
        greetingMessage: "Hi",
        metadata: { order: 7 },
        ringTimeoutSeconds: 60,
        maxDurationSeconds: 60,
        voicemailPolicy: "hang_up",
        squad: null,
      },
    });
  });

  it("under a reserved id that another process has begun is answered as it stands there", async () => {
    const [one, other] = [
      engineProcess(stores, { processId: "one" }),
      engineProcess(stores, { processId: "two" }),
    ];
    await start(one);
    const events = stores.database.events.length;
    expect(await start(other)).toMatchObject({ ok: true, value: { callId: "call_1", status: "ringing" } });
    expect(stores.database.events).toHaveLength(events);
    expect(other.placed).toEqual([]);
  });

  it("of another owner under that id is not shown", async () => {
    await start(engineProcess(stores));
    stores.directory.setOwner("usr_2", {
      active: true,
      plan: { maxConcurrentCalls: 1, maxCallsPerSecond: 1 },
    });
    const outcome = await start(engineProcess(stores), {}, { ...CALLER, owner: "usr_2" });
    expect(outcome).toMatchObject({ ok: false });
  });

  it("whose turn is so near is requested and dialled in one append; a later one is requested first", async () => {
    stores.directory.setOwner(OWNER, { active: true, plan: { maxConcurrentCalls: 9, maxCallsPerSecond: 1 } });
    const appends: string[][] = [];
    const one = engineProcess(stores, {
      works: false,
      wrapStore: (store) => ({
        ...store,
        append: (stream, expected, events) => {
          appends.push(events.map(({ type }) => type));
          return store.append(stream, expected, events);
        },
      }),
    });
    await start(one);
    expect(appends[0]).toEqual(["CallRequested", "CallDialingBegan"]);
    appends.length = 0;
    await start(one, { reservedCallId: "call_2" });
    expect(appends.slice(0, 2)).toEqual([["CallRequested"], ["CallDialingBegan"]]);
  });

  it("whose turn comes later than its request may take is answered at once, and dialled by the watchdog in its turn", async () => {
    stores.directory.setOwner(OWNER, {
      active: true,
      plan: { maxConcurrentCalls: 9, maxCallsPerSecond: 0.1 },
    });
    const one = engineProcess(stores);
    await start(one);
    const began = stores.clock.elapsed();
    expect(await start(one, { reservedCallId: "call_2" })).toMatchObject({ value: { status: "initiating" } });
    expect(stores.clock.elapsed() - began).toBeLessThan(100);
    expect(typesOf(stores, "call-call_2")).toEqual(["CallRequested"]);
    await pass(stores, 9_800);
    expect(one.placed).toEqual(["call_1"]);
    await pass(stores, 400);
    expect(one.placed).toEqual(["call_1", "call_2"]);
  });
});

describe("a refusal in the words of the interface", () => {
  it("of a number on the do-not-call list", async () => {
    stores.directory.suppress(OWNER, REQUEST.to);
    expect(await start(engineProcess(stores))).toEqual(
      refusal("RECIPIENT_SUPPRESSED", "The number is on the do-not-call list"),
    );
  });

  it("without credits, and without a free place", async () => {
    stores = sharedStores({ credits: 0 });
    expect(await start(engineProcess(stores))).toEqual(
      refusal("INSUFFICIENT_CREDITS", "Not enough credits for one minute of a call"),
    );
    stores = sharedStores({ planConcurrentCalls: 0 });
    expect(await start(engineProcess(stores))).toEqual(
      refusal("CONCURRENCY_LIMIT_REACHED", "The plan's limit of concurrent calls is reached"),
    );
  });
});

describe("while the carrier is away", () => {
  it("a call is refused for it, and takes no slot", async () => {
    const one = await withCarrierAway();
    const before = stores.admission.openSlots().length;
    expect(await start(one)).toEqual(
      refusal("CARRIER_UNAVAILABLE", "The carrier does not answer at the moment"),
    );
    expect(stores.admission.openSlots()).toHaveLength(before);
  });

  it("one who has used all its places hears of these first", async () => {
    const one = await withCarrierAway({ planConcurrentCalls: 5 });
    expect(await start(one)).toMatchObject({ refusal: { code: "CONCURRENCY_LIMIT_REACHED" } });
  });

  it("one who has credits for just one more minute is refused for the carrier, with less for the credits", async () => {
    // Five calls hold the price of a minute each.
    expect(await start(await withCarrierAway({ credits: 6 }))).toMatchObject({
      refusal: { code: "CARRIER_UNAVAILABLE" },
    });
    expect(await start(await withCarrierAway({ credits: 5.5 }))).toMatchObject({
      refusal: { code: "INSUFFICIENT_CREDITS" },
    });
  });
});

describe("the end of a call that a user asks for", () => {
  it("tells an unknown call from one of another owner by nothing", async () => {
    const one = engineProcess(stores);
    await start(one);
    const unknown = await until(stores, one.useCases.endCall(CALLER, "call_none"));
    const strange = await until(stores, one.useCases.endCall({ ...CALLER, owner: "usr_2" }, "call_1"));
    expect(unknown).toEqual(refusal("CALL_NOT_FOUND", "Call not found"));
    expect(strange).toEqual(unknown);
  });

  it("is stored with who asked, and answers that it had not ended before", async () => {
    const one = engineProcess(stores);
    await start(one);
    const outcome = await until(stores, one.useCases.endCall(CALLER, "call_1"));
    expect(outcome).toMatchObject({
      ok: true,
      value: { callId: "call_1", alreadyEnded: false, endReason: null },
    });
    const asked = stores.database.events.find(({ type }) => type === "CallEndRequested");
    expect(asked).toMatchObject({ data: { by: "api" }, metadata: { actor: CALLER.actor, owner: OWNER } });
    expect(outcome.ok && outcome.position).toBe(asked?.position);
  });

  it("of one that waits for its turn cancels it here and now: it is never dialled", async () => {
    stores.directory.setOwner(OWNER, {
      active: true,
      plan: { maxConcurrentCalls: 9, maxCallsPerSecond: 0.1 },
    });
    const one = engineProcess(stores);
    await start(one);
    await start(one, { reservedCallId: "call_2" });
    const outcome = await until(stores, one.useCases.endCall(CALLER, "call_2"));
    expect(outcome).toMatchObject({
      value: { status: "failed", endReason: "canceled", alreadyEnded: false },
    });
    await pass(stores, 12_000);
    expect(one.placed).toEqual(["call_1"]);
  });

  it("of one that is completed tells so", async () => {
    const one = engineProcess(stores);
    await start(one);
    const fact = { callId: "call_1", carrierRef: "ref-call_1", occurredAt: stores.clock.now() } as const;
    await until(
      stores,
      one.sink({ ...fact, dedupeKey: "1", sequence: 1, type: "answered", answeredBy: "human" }),
    );
    await until(
      stores,
      one.sink({
        ...fact,
        dedupeKey: "2",
        sequence: 2,
        type: "ended",
        endReason: "customer_ended",
        endedBy: "customer",
        answeredAt: fact.occurredAt,
        answeredBy: "human",
        recordingExpected: false,
        carrierCode: null,
      }),
    );
    expect(await until(stores, one.useCases.endCall(CALLER, "call_1"))).toMatchObject({
      value: { status: "completed", endReason: "customer_ended", alreadyEnded: true },
    });
  });
});
