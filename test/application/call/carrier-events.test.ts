import { describe, expect, it } from "vitest";
import type { CarrierEvent } from "../../../application/ports/telephony.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  openEvents,
  PHONE_NUMBER,
  pass,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

async function ringingCall() {
  const stores = sharedStores();
  const one = engineProcess(stores, { processId: "one" });
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
  return { stores, one, callId, types: () => typesOf(stores, `call-${callId}`).slice(3) };
}

function eventOf(callId: CallId, sequence: number, body: "answered" | "message"): CarrierEvent {
  const fact = {
    dedupeKey: `${callId}/${sequence}`,
    callId,
    carrierRef: `ref-${callId}`,
    sequence,
    occurredAt: "2026-09-01T10:00:05.000Z",
  } as const;
  if (body === "answered") return { ...fact, type: "answered", answeredBy: "human" };
  return { ...fact, type: "message", role: "customer", assistantId: null, content: `words ${sequence}` };
}

describe("an event that overtakes others", () => {
  it("waits for them, also when they land in another process", async () => {
    const { stores, one, callId, types } = await ringingCall();
    const other = engineProcess(stores, { processId: "other" });
    await until(stores, one.sink(eventOf(callId, 1, "answered")));
    const overtaking = one.sink(eventOf(callId, 3, "message"));
    await pass(stores, 1_000);
    expect(types()).toEqual(["CallConnected"]);
    await until(stores, other.sink(eventOf(callId, 2, "message")));
    await until(stores, overtaking);
    const messages = openEvents(stores).filter(({ type }) => type === "CallMessageAdded");
    expect(messages.map(({ data }) => data)).toMatchObject([
      { message: { content: "words 2" } },
      { message: { content: "words 3" } },
    ]);
  });

  it("goes on after 3 s without those that never came", async () => {
    const { stores, one, callId, types } = await ringingCall();
    await until(stores, one.sink(eventOf(callId, 1, "answered")));
    const began = stores.clock.elapsed();
    await until(stores, one.sink(eventOf(callId, 4, "message")));
    expect(stores.clock.elapsed() - began).toBe(3_000);
    expect(types().filter((type) => type === "CallMessageAdded")).toHaveLength(1);
  });
});

it("takes a repeated event for what it is: nothing new", async () => {
  const { stores, one, callId, types } = await ringingCall();
  await until(stores, one.sink(eventOf(callId, 1, "answered")));
  await until(stores, one.sink(eventOf(callId, 1, "answered")));
  expect(types().filter((type) => type === "CallConnected")).toHaveLength(1);
});

it("leaves an event of a call that is not in the log alone", async () => {
  const { stores, one } = await ringingCall();
  await until(stores, one.sink(eventOf("call_unknown", 1, "answered")));
  expect(stores.database.streams.has("call-call_unknown")).toBe(false);
});
