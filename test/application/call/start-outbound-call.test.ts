import { describe, expect, it } from "vitest";
import type { OutboundCallRequest } from "../../../application/call/start-outbound-call.ts";
import type { PlaceCallResult } from "../../../application/ports/carrier.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  PHONE_NUMBER,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

const REQUEST: OutboundCallRequest = {
  reservedCallId: null,
  phoneNumberId: PHONE_NUMBER,
  assistantId: ASSISTANT,
  squadId: null,
  to: "+12025550100",
  greetingMessage: null,
  specialInstructions: null,
  metadata: { order: 7 },
};

async function refusalOf(stores: Stores, request: Partial<OutboundCallRequest> = {}): Promise<string> {
  const { useCases } = engineProcess(stores);
  const outcome = await until(stores, useCases.startOutboundCall(CALLER, { ...REQUEST, ...request }));
  return outcome.ok ? "not refused" : outcome.refusal.code;
}

async function statusWhen(result: PlaceCallResult, afterMillis: number): Promise<string> {
  const stores = sharedStores();
  const placeCall = async () => {
    await stores.clock.sleep(afterMillis);
    return result;
  };
  const { useCases } = engineProcess(stores, { placeCall });
  const outcome = await until(stores, useCases.startOutboundCall(CALLER, REQUEST));
  return outcome.ok ? outcome.value.status : outcome.refusal.code;
}

describe("an outbound call", () => {
  it("is durable before it is dialled, and ringing once the carrier has it", async () => {
    const stores = sharedStores();
    const { useCases, placed } = engineProcess(stores);
    const outcome = await until(stores, useCases.startOutboundCall(CALLER, REQUEST));
    if (!outcome.ok) throw new Error(outcome.refusal.code);
    expect(outcome.value.status).toBe("ringing");
    expect(placed).toEqual([outcome.value.callId]);
    expect(typesOf(stores, `call-${outcome.value.callId}`)).toEqual([
      "CallRequested",
      "CallDialingBegan",
      "CallRinging",
    ]);
  });

  it("is initiating when the carrier takes longer than 5 s", async () => {
    expect(await statusWhen({ kind: "accepted", carrierRef: "ref" }, 7_000)).toBe("initiating");
  });

  it("is failed when the carrier refused it", async () => {
    const rejected = {
      kind: "rejected",
      endReason: "invalid_number",
      carrierCode: "404",
      message: "no",
    } as const;
    expect(await statusWhen({ ...rejected, noAnswerAtAll: false }, 50)).toBe("failed");
  });

  it("takes its own texts as they are, and removes the placeholders of the assistant's greeting", async () => {
    const textsOf = async (own: Partial<typeof REQUEST>) => {
      const stores = sharedStores();
      const { useCases } = engineProcess(stores);
      await until(stores, useCases.startOutboundCall(CALLER, { ...REQUEST, ...own }));
      const [requested] = openEvents(stores);
      return requested?.data;
    };
    const own = { greetingMessage: "Hi {{name}}", specialInstructions: "{{x}}" };
    expect(await textsOf(own)).toMatchObject(own);
    expect(await textsOf({})).toMatchObject({ greetingMessage: "Hello ", specialInstructions: null });
  });
});

describe("refusals", () => {
  it("come before anything is stored", async () => {
    const stores = sharedStores({ credits: 0 });
    expect(await refusalOf(stores)).toBe("INSUFFICIENT_CREDITS");
    expect(stores.database.events).toEqual([]);
  });

  it.each([
    ["ASSISTANT_NOT_FOUND", { assistantId: "ast_none", phoneNumberId: "pn_none", squadId: "sqd_none" }],
    ["PHONE_NUMBER_NOT_FOUND", { phoneNumberId: "pn_none", squadId: "sqd_none" }],
    ["SQUAD_NOT_FOUND", { squadId: "sqd_none" }],
  ])("are judged in their order: %s before what comes after it", async (code, request) => {
    const stores = sharedStores({ credits: 0, planConcurrentCalls: 0 });
    stores.directory.suppress(OWNER, REQUEST.to);
    expect(await refusalOf(stores, request)).toBe(code);
  });

  it("judge the do-not-call list before credits, and credits before concurrency", async () => {
    const stores = sharedStores({ credits: 0, planConcurrentCalls: 0 });
    expect(await refusalOf(stores)).toBe("INSUFFICIENT_CREDITS");
    stores.directory.suppress(OWNER, REQUEST.to);
    expect(await refusalOf(stores)).toBe("RECIPIENT_SUPPRESSED");
  });

  it("name what all processes together hold", async () => {
    const stores = sharedStores();
    stores.admission.setCapacity({ text: 0, audio: 0 });
    expect(await refusalOf(stores)).toBe("CONCURRENCY_LIMIT_REACHED");
  });

  it("name an assistant that is not published, and the plan's concurrency", async () => {
    const stores = sharedStores({ planConcurrentCalls: 0 });
    expect(await refusalOf(stores)).toBe("CONCURRENCY_LIMIT_REACHED");
    stores.directory.unpublish(OWNER, ASSISTANT);
    expect(await refusalOf(stores)).toBe("ASSISTANT_NOT_PUBLISHED");
  });

  it("name a carrier that did not answer five dials in a row", async () => {
    const stores = sharedStores();
    const placeCall = async () => ({ kind: "unknown", cause: "no answer", noAnswerAtAll: true }) as const;
    const { useCases } = engineProcess(stores, { placeCall });
    for (let dial = 0; dial < 5; dial += 1) await until(stores, useCases.startOutboundCall(CALLER, REQUEST));
    const outcome = await until(stores, useCases.startOutboundCall(CALLER, REQUEST));
    expect(outcome.ok ? "stored" : outcome.refusal.code).toBe("CARRIER_UNAVAILABLE");
  });
});

describe("a reserved call id", () => {
  it("makes one call, however often it is asked for", async () => {
    const stores = sharedStores();
    const { useCases, placed } = engineProcess(stores);
    const request = { ...REQUEST, reservedCallId: "call_key" } as const;
    const first = await until(stores, useCases.startOutboundCall(CALLER, request));
    const again = await until(stores, engineProcess(stores).useCases.startOutboundCall(CALLER, request));
    expect(placed).toEqual(["call_key"]);
    expect(again).toEqual(first);
  });

  it("whose slot was given back after a crash ends not placed, and is never dialled", async () => {
    const stores = sharedStores();
    const admit = { owner: OWNER, campaignId: null, pricePerMinute: 10_000 };
    const limits = { maxConcurrentCalls: null, maxCallsPerSecond: null, connection: null };
    const candidates = [{ callId: "call_key", phoneNumber: "+12025550100", windowClosesAt: null }] as const;
    await stores.admission.admit({ ...admit, ...limits, candidates });
    await stores.admission.close([{ callId: "call_key", cost: 0 }]);
    const { useCases, placed } = engineProcess(stores);
    await until(stores, useCases.startOutboundCall(CALLER, { ...REQUEST, reservedCallId: "call_key" }));
    expect(placed).toEqual([]);
    expect(typesOf(stores, "call-call_key")).toEqual(["CallRequested", "CallFailed"]);
  });
});
