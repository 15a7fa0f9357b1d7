import { describe, expect, it } from "vitest";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  PHONE_NUMBER,
  pass,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

/** A call that the carrier has accepted; nothing more is heard of it. */
async function ringing() {
  const stores = sharedStores();
  const one = engineProcess(stores);
  const started = await until(
    stores,
    one.useCases.startOutboundCall(CALLER, {
      reservedCallId: null,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    }),
  );
  if (!started.ok) throw new Error(started.refusal.code);
  const { callId } = started.value;
  const stream = `call-${callId}`;
  const end = () => until(stores, one.useCases.endCall(CALLER, callId));
  return { stores, one, callId, stream, end };
}

describe("ending a call", () => {
  it("stores the wish at once, and closes the call after 30 s whatever the carrier does", async () => {
    const { stores, stream, end } = await ringing();
    expect(await end()).toMatchObject({ value: { status: "ringing", alreadyEnded: false } });
    expect(typesOf(stores, stream).at(-1)).toBe("CallEndRequested");
    await pass(stores, 31_000);
    expect(stores.database.streams.get(stream)?.events.at(-1)).toMatchObject({
      type: "CallFailed",
      data: { endReason: "canceled", endedBy: "api" },
    });
  });

  it("frees slot and reservation", async () => {
    const { stores, end } = await ringing();
    await end();
    await pass(stores, 35_000);
    expect(await stores.admission.account(CALLER.owner)).toMatchObject({ liveCalls: 0, reserved: 0 });
  });

  it("tells a call that has ended as it is", async () => {
    const { stores, end } = await ringing();
    await end();
    await pass(stores, 31_000);
    expect(await end()).toMatchObject({
      value: { status: "failed", endReason: "canceled", alreadyEnded: true },
    });
  });

  it("asked twice is one wish", async () => {
    const { stores, stream, end } = await ringing();
    await end();
    await end();
    expect(typesOf(stores, stream).filter((type) => type === "CallEndRequested")).toHaveLength(1);
  });

  it("answers another owner's call as one that is not there", async () => {
    const { stores, one, callId } = await ringing();
    const outcome = await until(stores, one.useCases.endCall({ ...CALLER, owner: "usr_2" }, callId));
    expect(outcome.ok ? "ok" : outcome.refusal.code).toBe("CALL_NOT_FOUND");
  });

  it("answers a call that nobody knows as one that is not there", async () => {
    const { stores, one } = await ringing();
    expect(await until(stores, one.useCases.endCall(CALLER, "call_none"))).toMatchObject({
      refusal: { code: "CALL_NOT_FOUND", message: "Call not found" },
    });
  });

  it("tells a call that was completed, also by another process, as it is, and wishes for nothing", async () => {
    const { stores, one, callId, stream } = await ringing();
    const other = engineProcess(stores, { processId: "other", works: false });
    const fact = { callId, carrierRef: `ref-${callId}`, occurredAt: stores.clock.now() };
    const answered = { type: "answered", answeredBy: "human" } as const;
    await until(stores, other.sink({ ...fact, ...answered, dedupeKey: "1", sequence: 1 }));
    const ended = {
      type: "ended",
      endReason: "customer_ended",
      endedBy: "customer",
      answeredAt: fact.occurredAt,
      answeredBy: "human",
      recordingExpected: false,
      carrierCode: null,
    } as const;
    await until(stores, other.sink({ ...fact, ...ended, dedupeKey: "2", sequence: 2 }));
    expect(await until(stores, one.useCases.endCall(CALLER, callId))).toMatchObject({
      value: { callId, status: "completed", endReason: "customer_ended", alreadyEnded: true },
    });
    expect([typesOf(stores, stream).includes("CallEndRequested"), one.hungUp]).toEqual([false, []]);
  });
});

describe("the due loop", () => {
  it("ends a call of which the carrier says nothing more", async () => {
    const { stores, stream } = await ringing();
    await pass(stores, 76_000);
    expect(stores.database.streams.get(stream)?.events.at(-1)).toMatchObject({
      type: "CallFailed",
      data: { endReason: "no_answer" },
    });
  });

  it("frees a slot to which no call ever came, 30 s after its dialBy", async () => {
    const stores = sharedStores();
    const limits = {
      maxConcurrentCalls: null,
      maxCallsPerSecond: null,
      connection: null,
      pricePerMinute: 10_000,
    };
    const candidates = [{ callId: "call_lost", phoneNumber: "+12025550100", windowClosesAt: null }] as const;
    await stores.admission.admit({ owner: CALLER.owner, campaignId: null, candidates, ...limits });
    engineProcess(stores);
    await pass(stores, 44_000);
    expect(stores.admission.openSlots()).toHaveLength(1);
    await pass(stores, 2_000);
    expect(stores.admission.openSlots()).toHaveLength(0);
  });

  it("queues call.ended once, with what is known", async () => {
    const { stores } = await ringing();
    await pass(stores, 80_000);
    const entries = [...stores.outbox.deliveries.values()].map(({ entry }) => entry.kind);
    expect(entries).toEqual(["call.ended"]);
  });
});
