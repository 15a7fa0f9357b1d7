import { beforeEach, describe, expect, it } from "vitest";
import type { CarrierEvent, PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  PHONE_NUMBER,
  pass,
  QUIET_CARRIER,
  type Stores,
  sharedStores,
  until,
  type WorldOptions,
} from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

const ANSWERED_AT = "2026-09-01T10:00:05.000Z";
const AT_ONCE_MILLIS = 250;

let stores: Stores;
let one: ReturnType<typeof engineProcess>;
beforeEach(() => begin());

function begin(options: WorldOptions = {}): void {
  stores = sharedStores();
  one = engineProcess(stores, options);
}

const bodies = () => [...stores.outbox.deliveries.values()].map(({ entry }) => JSON.parse(entry.body));
const told = () => bodies().map(({ event }) => event);

type Ended = Extract<CarrierEvent, { type: "ended" }>;
const fact = (callId: CallId, sequence: number) => ({
  dedupeKey: `${callId}/${sequence}`,
  callId,
  carrierRef: `ref-${callId}`,
  sequence,
  occurredAt: stores.clock.now(),
});
const answer = (callId: CallId) =>
  until(stores, one.sink({ ...fact(callId, 1), type: "answered", answeredBy: "human" }));
const end = (callId: CallId, changes: Partial<Ended> = {}) =>
  until(
    stores,
    one.sink({
      ...fact(callId, 2),
      type: "ended",
      endReason: "customer_ended",
      endedBy: "customer",
      answeredAt: ANSWERED_AT,
      answeredBy: "human",
      recordingExpected: false,
      carrierCode: null,
      ...changes,
    }),
  );

async function single(): Promise<CallId> {
  await until(
    stores,
    one.useCases.startOutboundCall(CALLER, {
      reservedCallId: "call_1",
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    }),
  );
  return "call_1";
}

describe("a single call", () => {
  it("is told when it is answered, and at its end, each at once", async () => {
    const callId = await single();
    await answer(callId);
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.started"]);
    await end(callId);
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.started", "call.ended"]);
    expect(bodies()[1]?.data).toMatchObject({
      callId,
      status: "completed",
      recordingStatus: "none",
      recordingUrl: null,
      maxAttempts: 1,
      isFinalAttempt: true,
      nextAttemptAt: null,
    });
  });

  it("that nobody answered is told at its end only", async () => {
    const callId = await single();
    const nobody = { endReason: "busy", endedBy: null, answeredAt: null, answeredBy: null } as const;
    await end(callId, { ...nobody, sequence: 1 });
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.ended"]);
    expect(bodies()[0]?.data).toMatchObject({ status: "failed", endReason: "busy", connectedAt: null });
  });

  it("whose recording is promised waits 30 s for it, and then tells what is known", async () => {
    const callId = await single();
    await answer(callId);
    await end(callId, { recordingExpected: true });
    await pass(stores, 29_000);
    expect(told()).toEqual(["call.started"]);
    await pass(stores, 2_500);
    expect(told()).toEqual(["call.started", "call.ended"]);
    expect(bodies()[1]?.data).toMatchObject({ recordingStatus: "pending", recordingUrl: null });
  });

  it("by Twilio does not wait for its recording", async () => {
    begin({
      carriers: oneCarrier({
        ...QUIET_CARRIER,
        kind: "twilio",
        placeCall: async ({ callId }) => ({ kind: "accepted", carrierRef: `ref-${callId}` }),
      }),
    });
    const callId = await single();
    await answer(callId);
    await end(callId, { recordingExpected: true });
    await pass(stores, AT_ONCE_MILLIS);
    expect(told()).toEqual(["call.started", "call.ended"]);
    expect(bodies()[1]?.data).toMatchObject({ recordingStatus: "pending", recordingUrl: null });
  });

  it("whose recording comes in time tells where it is, at once and once", async () => {
    const callId = await single();
    await answer(callId);
    await end(callId, { recordingExpected: true });
    await pass(stores, 5_000);
    const recording = {
      ...fact(callId, 3),
      type: "recording",
      status: "available",
      recordingRef: "rec",
    } as const;
    await until(stores, one.sink(recording));
    await pass(stores, AT_ONCE_MILLIS);
    expect(bodies()[1]?.data).toMatchObject({
      recordingStatus: "available",
      recordingUrl: `http://127.0.0.1:3000/api/v1/calls/${callId}/recording`,
    });
    await pass(stores, 60_000);
    expect(told()).toEqual(["call.started", "call.ended"]);
  });

  it("is told after a restart, when the process died before it told", async () => {
    begin({
      crashPoints: {
        reached: (point) =>
          point === "outbox.enqueue.before" ? new Promise<void>(() => undefined) : undefined,
      },
    });
    const callId = await single();
    await answer(callId);
    await end(callId);
    await pass(stores, 1_000);
    one.stop();
    expect(told()).toEqual([]);
    engineProcess(stores);
    await pass(stores, 1_000);
    expect(told()).toEqual(["call.started", "call.ended"]);
  });
});

describe("a call of a campaign", () => {
  const refusal: PlaceCallResult = {
    kind: "rejected",
    endReason: "carrier_error",
    carrierCode: "503",
    message: "no",
    noAnswerAtAll: false,
  };

  it("tells with its end what the campaign decided: another attempt and when, then that it was the last", async () => {
    begin({ placeCall: async () => refusal });
    await until(stores, one.useCases.createCampaign(CALLER, campaignRequest(1, { maxRetries: 1 })));
    await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 1_000);
    const outcome = ({ data }: { data: Record<string, unknown> }) => [
      data["attempt"],
      data["maxAttempts"],
      data["isFinalAttempt"],
      data["nextAttemptAt"] !== null,
    ];
    expect(bodies().map(outcome)).toEqual([[1, 2, false, true]]);
    await pass(stores, 70_000);
    expect(bodies().map(outcome)).toEqual([
      [1, 2, false, true],
      [2, 2, true, false],
    ]);
  });

  it("whose outcome nobody records is told after 60 s with what is known", async () => {
    await until(stores, one.useCases.createCampaign(CALLER, campaignRequest(1)));
    await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 1_000);
    const [callId] = stores.admission.openSlots().map((slot) => slot.callId);
    if (callId === undefined) throw new Error("nobody was called");
    // Nobody runs the campaign any more, but the call is told on.
    one.stop();
    await stores.leases.release("campaign:cmp_1", "one");
    await stores.leases.acquire("campaign:cmp_1", "nobody", 3_600_000);
    one = engineProcess(stores, { processId: "two" });
    await end(callId, { sequence: 1 });
    await pass(stores, 50_000);
    expect(told()).not.toContain("call.ended");
    await pass(stores, 12_000);
    expect(bodies().at(-1)?.data).toMatchObject({
      maxAttempts: null,
      isFinalAttempt: null,
      nextAttemptAt: null,
    });
  });
});
