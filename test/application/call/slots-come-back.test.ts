import { describe, expect, it } from "vitest";
import type { CarrierEvent, PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  pass,
  type Stores,
  sharedStores,
  until,
  type WorldOptions,
} from "../engine-world.ts";

const REQUEST = {
  reservedCallId: "call_1",
  phoneNumberId: PHONE_NUMBER,
  assistantId: ASSISTANT,
  squadId: null,
  to: "+12025550100",
  greetingMessage: null,
  specialInstructions: null,
  metadata: {},
} as const;
const CALL: CallId = "call_1";

/**
 * An ordinary end frees slot and reservation by the end's own event. The watchdog, which comes 45 s later, is
 * only for what nobody told.
 */
const AT_ONCE_MILLIS = 250;
/** A slot without a call: dialBy (15 s after its turn), and 30 s in which a slow append could still dial. */
const EMPTY_MILLIS = 45_000;

async function started(options: WorldOptions = {}) {
  const stores = sharedStores();
  const one = engineProcess(stores, options);
  await until(stores, one.useCases.startOutboundCall(CALLER, REQUEST));
  return { stores, one };
}

/** Virtual milliseconds until nothing is taken any more. */
async function freeAfter(stores: Stores, limitMillis = 120_000): Promise<number> {
  const began = stores.clock.elapsed();
  for (;;) {
    const { liveCalls, reserved } = await stores.admission.account(OWNER);
    const took = stores.clock.elapsed() - began;
    if (liveCalls === 0 && reserved === 0 && stores.admission.openSlots().length === 0) return took;
    if (took > limitMillis) return Number.POSITIVE_INFINITY;
    await pass(stores, 50);
  }
}

const fact = { callId: CALL, carrierRef: `ref-${CALL}`, occurredAt: "2026-09-01T10:00:05.000Z" } as const;
type Ended = Extract<CarrierEvent, { type: "ended" }>;
const ended = (changes: Partial<Ended> = {}): CarrierEvent => ({
  ...fact,
  dedupeKey: "end",
  sequence: 1,
  type: "ended",
  endReason: "no_answer",
  endedBy: null,
  answeredAt: null,
  answeredBy: null,
  recordingExpected: false,
  carrierCode: null,
  ...changes,
});

describe("slot and reservation are free again at once", () => {
  it("when the carrier tells an end that nobody answered", async () => {
    const { stores, one } = await started();
    expect((await stores.admission.account(OWNER)).liveCalls).toBe(1);
    await until(stores, one.sink(ended()));
    expect(await freeAfter(stores)).toBeLessThanOrEqual(AT_ONCE_MILLIS);
  });

  it("when the carrier tells the end of a conversation", async () => {
    const { stores, one } = await started();
    const answered = { ...fact, dedupeKey: "a", sequence: 1, type: "answered", answeredBy: "human" } as const;
    await until(stores, one.sink(answered));
    await until(
      stores,
      one.sink(ended({ sequence: 2, endReason: "customer_ended", answeredAt: fact.occurredAt })),
    );
    expect(await freeAfter(stores)).toBeLessThanOrEqual(AT_ONCE_MILLIS);
  });

  it("when the carrier refuses the dial", async () => {
    const refusal: PlaceCallResult = {
      kind: "rejected",
      endReason: "invalid_number",
      carrierCode: "404",
      message: "no",
      noAnswerAtAll: false,
    };
    const { stores } = await started({ placeCall: async () => refusal });
    expect(await freeAfter(stores)).toBeLessThanOrEqual(AT_ONCE_MILLIS);
  });

  it("when its time to dial was over before it was its turn", async () => {
    const stores = sharedStores();
    const late = {
      reached: (point: string) =>
        point === "admission.admit.after" ? stores.clock.sleep(16_000) : undefined,
    };
    const one = engineProcess(stores, { crashPoints: late });
    await until(stores, one.useCases.startOutboundCall(CALLER, REQUEST));
    expect(one.placed).toEqual([]);
    expect(await freeAfter(stores)).toBeLessThanOrEqual(AT_ONCE_MILLIS);
  });

  it("after a restart, when the process died between the end and its settlement", async () => {
    const dying = {
      reached: (point: string) =>
        point === "admission.close.before" ? new Promise<void>(() => undefined) : undefined,
    };
    const { stores, one } = await started({ crashPoints: dying });
    await until(stores, one.sink(ended()));
    await pass(stores, 1_000);
    one.stop();
    expect((await stores.admission.account(OWNER)).liveCalls).toBe(1);
    engineProcess(stores);
    expect(await freeAfter(stores)).toBeLessThanOrEqual(AT_ONCE_MILLIS);
  });
});

describe("slot and reservation are free again by the watchdog", () => {
  it("when a user's end is not answered by the carrier: 30 s later", async () => {
    const { stores, one } = await started();
    await until(stores, one.useCases.endCall(CALLER, CALL));
    const took = await freeAfter(stores);
    expect(took).toBeGreaterThanOrEqual(30_000);
    expect(took).toBeLessThanOrEqual(30_000 + AT_ONCE_MILLIS);
  });

  it("when a process died before it stored the call: 30 s after its dialBy, not before and not later", async () => {
    const dying = {
      reached: (point: string) =>
        point === "admission.admit.after" ? new Promise<void>(() => undefined) : undefined,
    };
    const stores = sharedStores();
    const dead = engineProcess(stores, { crashPoints: dying });
    dead.useCases.startOutboundCall(CALLER, REQUEST).catch(() => undefined); // nobody hears a dead process
    await pass(stores, 1);
    dead.stop();
    engineProcess(stores);
    const took = await freeAfter(stores);
    expect(took).toBeGreaterThanOrEqual(EMPTY_MILLIS - 1);
    expect(took).toBeLessThanOrEqual(EMPTY_MILLIS + AT_ONCE_MILLIS);
  });
});
