import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CarrierEvent } from "../../../application/ports/telephony.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { eventually } from "../../support/eventually.ts";
import {
  type CarrierHarness,
  carrierProgram,
  dialRequest,
  inProcessCarrier,
  LATEST,
  SQUAD,
} from "./carrier-harness.ts";

const SPEED = 2_000;

describe.each([
  ["inside the process", inProcessCarrier],
  ["as a program of its own", carrierProgram],
])("the simulated carrier %s", (_form, start) => {
  let carrier: CarrierHarness;

  beforeEach(async () => {
    carrier = await start(SPEED);
  });

  afterEach(() => carrier.stop());

  const told = (callId: CallId) => carrier.events.filter((event) => event.callId === callId);
  const ended = (callId: CallId) =>
    eventually("the end of the call", () => told(callId).find((event) => event.type === "ended")) as Promise<
      Extract<CarrierEvent, { type: "ended" }>
    >;

  it.each([
    ["+15005550002", "busy"],
    ["+15005550003", "no_answer"],
    ["+15005550004", "declined"],
    ["+15005550005", "voicemail"],
    ["+15005550007", "carrier_error"],
    ["+15005550008", "connection_lost"],
  ] as const)("ends a call to %s with %s", async (to, endReason) => {
    const call = dialRequest(to);
    expect(await carrier.telephony.placeCall(call, LATEST)).toMatchObject({ kind: "accepted" });
    expect((await ended(call.callId)).endReason).toBe(endReason);
  });

  it("keeps its journal for nobody else to read, also one of an earlier release", async () => {
    await carrier.telephony.placeCall(dialRequest("+15005550002"), LATEST);
    expect(await carrier.journalMode()).toBe(0o600);
    await carrier.loosen();
    carrier = await carrier.restart();
    expect(await carrier.journalMode()).toBe(0o600);
  });

  it("refuses a number that does not exist", async () => {
    const answer = await carrier.telephony.placeCall(dialRequest("+15005550001"), LATEST);
    expect(answer).toMatchObject({ kind: "rejected", endReason: "invalid_number" });
  });

  it("talks, in order, and has a recording afterwards", async () => {
    const call = dialRequest("+15005550006");
    await carrier.telephony.placeCall(call, LATEST);
    await eventually("the recording", () => told(call.callId).find((event) => event.type === "recording"));
    const kinds = told(call.callId)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map((event) => event.type);
    expect(kinds.slice(0, 4)).toEqual(["ringing", "answered", "conversation_started", "message"]);
    expect(kinds.slice(-2)).toEqual(["ended", "recording"]);
    expect(told(call.callId).find((event) => event.type === "message")).toMatchObject({
      role: "assistant",
      content: "Hello Ada",
      assistantId: "ast_1",
    });
  });

  it("hands over once in a squad, and the second assistant speaks on", async () => {
    const call = dialRequest("+15005550006", { squad: SQUAD });
    await carrier.telephony.placeCall(call, LATEST);
    await ended(call.callId);
    const messages = told(call.callId)
      .filter((event) => event.type === "message")
      .toSorted((a, b) => a.sequence - b.sequence);
    expect(messages.map((message) => message.content)).toEqual(
      expect.arrayContaining(["One moment", "Second here"]),
    );
    expect(messages.filter((message) => message.role === "tool")).toMatchObject([
      { toolName: "handoff_to_second", assistantId: "ast_1" },
    ]);
    expect(messages.at(-1)?.assistantId).toBe("ast_2");
  });

  it("is busy the first time and answers the next at 09", async () => {
    const [first, second] = [dialRequest("+15005550009"), dialRequest("+15005550009")];
    await carrier.telephony.placeCall(first, LATEST);
    expect((await ended(first.callId)).endReason).toBe("busy");
    await carrier.telephony.placeCall(second, LATEST);
    expect((await ended(second.callId)).answeredBy).toBe("human");
  });

  it("rings at 10 until it is ended", async () => {
    const call = dialRequest("+15005550010");
    await carrier.telephony.placeCall(call, LATEST);
    expect(await carrier.telephony.lookup({ callId: call.callId, carrierRef: null })).toMatchObject({
      kind: "found",
      status: "ringing",
    });
    expect(await carrier.telephony.hangUp({ callId: call.callId, carrierRef: null })).toBe("done");
    expect(await ended(call.callId)).toMatchObject({
      endReason: "canceled",
      endedBy: "api",
      answeredAt: null,
    });
    expect(await carrier.telephony.hangUp({ callId: call.callId, carrierRef: null })).toBe("already_ended");
  });

  it("tells everything twice and out of order at 12", async () => {
    const call = dialRequest("+15005550012");
    await carrier.telephony.placeCall(call, LATEST);
    const total = await eventually("every event twice", () => {
      const sequences = told(call.callId).map((event) => event.sequence);
      const distinct = new Set(sequences).size;
      return distinct > 8 && sequences.length === distinct * 2 ? sequences : null;
    });
    expect(total).not.toEqual(total.toSorted((a, b) => a - b));
  });

  it("knows a dial request that comes twice, and says so in its journal", async () => {
    const call = dialRequest("+15005550006");
    const answers = await Promise.all([
      carrier.telephony.placeCall(call, LATEST),
      carrier.telephony.placeCall(call, LATEST),
    ]);
    expect(answers[0]).toEqual(answers[1]);
    expect((await carrier.journal()).map((entry) => entry.duplicate).sort()).toEqual([false, true]);
  });

  it("does not have a call that it never got", async () => {
    expect(await carrier.telephony.lookup({ callId: "call_never", carrierRef: null })).toEqual({
      kind: "absent",
    });
  });

  it("tells an event again until it is taken", async () => {
    carrier.refuse(2);
    const call = dialRequest("+15005550002");
    await carrier.telephony.placeCall(call, LATEST);
    expect((await ended(call.callId)).endReason).toBe("busy");
  });

  it("goes on with its calls after a restart, and remembers them", async () => {
    const call = dialRequest("+15005550010");
    await carrier.telephony.placeCall(call, LATEST);
    carrier = await carrier.restart();
    expect(await carrier.telephony.placeCall(call, LATEST)).toMatchObject({ kind: "accepted" });
    expect(await carrier.journal()).toMatchObject([{ duplicate: false }, { duplicate: true }]);
    await carrier.telephony.hangUp({ callId: call.callId, carrierRef: null });
    expect((await ended(call.callId)).endReason).toBe("canceled");
  });

  it("sends nothing when it is too late to send", async () => {
    const answer = await carrier.telephony.placeCall(dialRequest("+15005550006"), 0);
    expect(answer.kind).toBe("unknown");
    expect(await carrier.journal()).toEqual([]);
  });
});
