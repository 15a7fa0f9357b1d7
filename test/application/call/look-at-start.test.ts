import { describe, expect, it } from "vitest";
import type { Carrier, LookupResult } from "../../../application/ports/carrier.ts";
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

const CALLS = 45;
const NOBODY_ANSWERED: LookupResult = {
  kind: "found",
  carrierRef: "",
  status: "ended",
  endReason: "no_answer",
  endedAt: null,
  answeredAt: null,
  answeredBy: null,
  endedBy: null,
  recordingRef: null,
};

/**
 * So many telephones ring; then the process dies, and another one begins whose carrier answers this. Answers
 * how often that was asked.
 */
async function restarted(lookup: (callId: string) => LookupResult) {
  const stores = sharedStores({ planConcurrentCalls: CALLS });
  const one = engineProcess(stores);
  for (let number = 1; number <= CALLS; number += 1) {
    const request = {
      reservedCallId: `call_${number}` as const,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    } as const;
    await until(stores, one.useCases.startOutboundCall(CALLER, request));
  }
  await pass(stores, 10_000);
  one.stop();
  const asked: string[] = [];
  const answer: Carrier["lookup"] = async ({ callId }) => {
    asked.push(callId);
    await stores.clock.sleep(500);
    return lookup(callId);
  };
  engineProcess(stores, { lookup: answer });
  await pass(stores, 5_000);
  return { asked, typesOf: (number: number) => typesOf(stores, `call-call_${number}`) };
}

describe("calls that were out when a process began", () => {
  it("end within 5 s where the carrier knows how, though they may ring for a minute more", async () => {
    const { asked, typesOf: types } = await restarted((callId) => ({
      ...NOBODY_ANSWERED,
      carrierRef: `ref-${callId}`,
    }));
    for (let number = 1; number <= CALLS; number += 1) expect(types(number).at(-1)).toBe("CallFailed");
    expect(asked).toHaveLength(CALLS);
  });

  it.each([
    { kind: "absent" },
    { kind: "ambiguous" },
    { kind: "unavailable", cause: "away" },
    { ...NOBODY_ANSWERED, status: "ringing", endReason: null, carrierRef: "ref-call_1" },
  ] as const)("ring on where the carrier answers $kind, and are asked about once", async (answer) => {
    const { asked, typesOf: types } = await restarted(() => answer);
    for (let number = 1; number <= CALLS; number += 1) expect(types(number).at(-1)).toBe("CallRinging");
    expect(asked).toHaveLength(CALLS);
  });
});
