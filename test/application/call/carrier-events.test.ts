import { describe, expect, it } from "vitest";
import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  openEvents,
  PHONE_NUMBER,
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

it("stores what a carrier says also with characters and numbers that the log refuses", async () => {
  const { stores, one, callId, types } = await ringingCall();
  const ended = eventOf(callId, 1, "ended");
  if (ended.type !== "ended") throw new Error("no end");
  const told = { ...ended, sequence: 1e300, carrierCode: "5\u00000\ud83d3" };
  await until(stores, one.sink(told));
  expect(types().at(-1)).toBe("CallCompleted");
});

function eventOf(
  callId: CallId,
  sequence: number,
  body: "ringing" | "answered" | "message" | "ended" | "machine_judged",
): CarrierEvent {
  const fact = {
    dedupeKey: `${callId}/${sequence}`,
    callId,
    carrierRef: `ref-${callId}`,
    sequence,
    occurredAt: "2026-09-01T10:00:05.000Z",
  } as const;
  switch (body) {
    case "ringing":
      return { ...fact, type: "ringing" };
    case "answered":
      return { ...fact, type: "answered", answeredBy: "human" };
    case "machine_judged":
      return { ...fact, type: "machine_judged", answeredBy: "machine", greetingEnded: true };
    case "message":
      return { ...fact, type: "message", role: "customer", assistantId: null, content: `words ${sequence}` };
    case "ended":
      return {
        ...fact,
        type: "ended",
        endReason: "customer_ended",
        endedBy: "customer",
        answeredAt: fact.occurredAt,
        answeredBy: "human",
        recordingExpected: false,
        carrierCode: null,
      };
  }
}

describe("events in any order", () => {
  it("wait for none that may be missing", async () => {
    const { stores, one, callId, types } = await ringingCall();
    const began = stores.clock.elapsed();
    await until(stores, one.sink(eventOf(callId, 4, "message")));
    await until(stores, one.sink(eventOf(callId, 2, "message")));
    expect(stores.clock.elapsed() - began).toBeLessThan(1_000);
    expect(types()).toEqual([
      "CallConnected",
      "CallConversationStarted",
      "CallMessageAdded",
      "CallMessageAdded",
    ]);
  });

  it("are decided in the order in which they came, without waiting for each other", async () => {
    const { stores, one, callId } = await ringingCall();
    const told = [3, 5, 4].map((sequence) => one.sink(eventOf(callId, sequence, "message")));
    await until(stores, Promise.all([one.sink(eventOf(callId, 1, "answered")), ...told]));
    const messages = openEvents(stores).filter(({ type }) => type === "CallMessageAdded");
    expect(messages.map(({ data }) => data)).toMatchObject(
      [3, 5, 4].map((sequence, index) => ({ message: { index, content: `words ${sequence}` } })),
    );
  });

  it("store what makes them the same when they are told again", async () => {
    const { stores, one, callId } = await ringingCall();
    const other = engineProcess(stores, { processId: "other" });
    await until(stores, one.sink(eventOf(callId, 1, "message")));
    await until(stores, other.sink({ ...eventOf(callId, 1, "message"), sequence: 9 }));
    await until(stores, other.sink({ ...eventOf(callId, 1, "message"), dedupeKey: "another one" }));
    const messages = openEvents(stores).filter(({ type }) => type === "CallMessageAdded");
    expect(messages.map(({ data }) => data)).toMatchObject([
      { dedupeKey: `${callId}/1` },
      { dedupeKey: "another one" },
    ]);
  });
});

it("records who answered, as the carrier judged", async () => {
  const { stores, one, callId, types } = await ringingCall();
  await until(stores, one.sink(eventOf(callId, 1, "answered")));
  await until(stores, one.sink(eventOf(callId, 2, "machine_judged")));
  await until(stores, one.sink(eventOf(callId, 2, "machine_judged")));
  expect(types()).toEqual(["CallConnected", "CallMachineJudged"]);
});

describe("the line of a call that is over", () => {
  it.each(["ringing", "answered"] as const)("is hung up when it is %s", async (type) => {
    const { stores, one, callId } = await ringingCall();
    await until(stores, one.sink(eventOf(callId, 1, "ended")));
    expect(one.hungUp).toEqual([]);
    await until(stores, one.sink(eventOf(callId, 2, type)));
    expect(one.hungUp).toEqual([callId]);
  });

  it("is left alone when it is only told again what happened before the end", async () => {
    const { stores, one, callId } = await ringingCall();
    await until(stores, one.sink(eventOf(callId, 1, "answered")));
    await until(stores, one.sink(eventOf(callId, 2, "ended")));
    await until(stores, one.sink(eventOf(callId, 1, "answered")));
    await until(stores, one.sink(eventOf(callId, 3, "message")));
    expect(one.hungUp).toEqual([]);
  });
});

it("leaves an event of a call that is not in the log alone", async () => {
  const { stores, one } = await ringingCall();
  await until(stores, one.sink(eventOf("call_unknown", 1, "answered")));
  expect(stores.database.streams.has("call-call_unknown")).toBe(false);
});
