import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  askedAbout,
  type CarrierHarness,
  carrierProgram,
  dialRequest,
  inProcessCarrier,
  LATEST,
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

  const talk = (callId: CallId) => carrier.talks.find((each) => each.callId === callId)?.told ?? [];

  it("tells of the line alone: rings, is answered, ends, and has a recording afterwards", async () => {
    const call = dialRequest("+15005550006");
    await carrier.telephony.placeCall(call, LATEST);
    await eventually("the recording", () => told(call.callId).find((event) => event.type === "recording"));
    const kinds = told(call.callId)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map((event) => event.type);
    expect(kinds).toEqual(["ringing", "answered", "ended", "recording"]);
    expect(await ended(call.callId)).toMatchObject({ answeredBy: "human" });
  });

  it("talks in a session, hears everything, and hangs up or waits for us to", async () => {
    const call = dialRequest("+15005550006");
    await carrier.telephony.placeCall(call, LATEST);
    await ended(call.callId);
    const words = await eventually("the session's end", () =>
      talk(call.callId).some((each) => each.startsWith("closed")) ? talk(call.callId) : null,
    );
    expect(words[0]).toBe("heard 1");
    expect(words.filter((each) => each.startsWith("said ")).length).toBeGreaterThanOrEqual(3);
    expect(words.at(-1)).toBe("closed hung_up");
  });

  it("uses the line alone at +1 500 556: the callee hangs up at once, and no conversation begins", async () => {
    const call = dialRequest("+15005560042");
    await carrier.telephony.placeCall(call, LATEST);
    expect(await ended(call.callId)).toMatchObject({ endReason: "customer_ended", endedBy: "customer" });
    expect(carrier.talks).toEqual([]);
  });

  it("ends a call whose line goes to another number there: transferred, and nobody waits for a hang-up", async () => {
    const call = dialRequest("+15005550011");
    await carrier.telephony.placeCall(call, LATEST);
    const { session } = await eventually("the session", () =>
      carrier.talks.find((each) => each.callId === call.callId),
    );
    expect(session.transfer("+12125550199")).toBe("begun");
    expect(await ended(call.callId)).toMatchObject({ endReason: "transferred", endedBy: "assistant" });
    expect(talk(call.callId).at(-1)).toBe("closed finished");
  });

  it("says the same words again for the same number, dialled as often before", async () => {
    const words: string[][] = [];
    for (const start_ of [start, start]) {
      const fresh = await start_(SPEED);
      const call = dialRequest("+15005550123");
      await fresh.telephony.placeCall(call, LATEST);
      await eventually("the end", () => fresh.events.find((event) => event.type === "ended"));
      words.push(fresh.talks.flatMap((each) => each.told.filter((line) => line.startsWith("said "))));
      await fresh.stop();
    }
    expect(words[0]).toEqual(words[1]);
  });

  it("is a machine at 05: it is said so at the answer, it announces itself, and it beeps", async () => {
    const call = dialRequest("+15005550005");
    await carrier.telephony.placeCall(call, LATEST);
    await eventually("the beep", () => talk(call.callId).find((each) => each === "machine true"));
    expect(told(call.callId).find((event) => event.type === "answered")).toMatchObject({
      answeredBy: "machine",
    });
    await carrier.telephony.hangUp(askedAbout(call.callId));
    expect((await ended(call.callId)).endReason).toBe("api_ended");
    await eventually("the last word", () => talk(call.callId).at(-1) === "closed hung_up");
  });

  it("talks on at 11, until we hang up", async () => {
    const call = dialRequest("+15005550011");
    await carrier.telephony.placeCall(call, LATEST);
    await eventually("much talk", () => talk(call.callId).filter((each) => each === "speech").length > 9);
    expect(talk(call.callId).filter((each) => each.startsWith("said "))).toHaveLength(1);
    expect(told(call.callId).some((event) => event.type === "ended")).toBe(false);
    await carrier.telephony.hangUp(askedAbout(call.callId));
    expect(await ended(call.callId)).toMatchObject({ endReason: "api_ended", endedBy: "api" });
  });

  it("brings a session again that nobody took", async () => {
    carrier.refuseTalks(2);
    const call = dialRequest("+15005550006");
    await carrier.telephony.placeCall(call, LATEST);
    await ended(call.callId);
    expect(talk(call.callId)[0]).toBe("heard 1");
  });

  it("waits for the hang-up when we have said our last word, and ends the call when none comes", async () => {
    const call = dialRequest("+15005550011");
    await carrier.telephony.placeCall(call, LATEST);
    const { session } = await eventually("the session", () =>
      carrier.talks.find((each) => each.callId === call.callId),
    );
    session.finish(0);
    await eventually("the last word", () => talk(call.callId).at(-1) === "closed finished");
    expect(told(call.callId).some((event) => event.type === "ended")).toBe(false);
    const end = await eventually(
      "the end",
      () => told(call.callId).find((event) => event.type === "ended"),
      30_000,
    );
    expect(end).toMatchObject({ endReason: "assistant_ended" });
  }, 40_000);

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
    expect(await carrier.telephony.lookup(askedAbout(call.callId))).toMatchObject({
      kind: "found",
      status: "ringing",
    });
    expect(await carrier.telephony.hangUp(askedAbout(call.callId))).toBe("done");
    expect(await ended(call.callId)).toMatchObject({
      endReason: "canceled",
      endedBy: "api",
      answeredAt: null,
    });
    expect(await carrier.telephony.hangUp(askedAbout(call.callId))).toBe("already_ended");
  });

  it("tells everything twice and out of order at 12", async () => {
    const call = dialRequest("+15005550012");
    await carrier.telephony.placeCall(call, LATEST);
    const total = await eventually("every event twice", () => {
      const sequences = told(call.callId).map((event) => event.sequence);
      const distinct = new Set(sequences).size;
      return distinct === 4 && sequences.length === distinct * 2 ? sequences : null;
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
    expect(await carrier.telephony.lookup(askedAbout("call_never"))).toEqual({
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
    await carrier.telephony.hangUp(askedAbout(call.callId));
    expect((await ended(call.callId)).endReason).toBe("canceled");
  });

  it("goes on talking after a restart, where it was", async () => {
    const call = dialRequest("+15005550011");
    await carrier.telephony.placeCall(call, LATEST);
    await eventually("its line", () => talk(call.callId).find((each) => each.startsWith("said ")));
    carrier = await carrier.restart();
    const again = await eventually("the session again", () =>
      carrier.talks.find((each) => each.callId === call.callId),
    );
    await eventually("more talk", () => again.told.filter((each) => each === "speech").length > 2);
    expect(again.told.filter((each) => each.startsWith("said "))).toEqual([]);
    await carrier.telephony.hangUp(askedAbout(call.callId));
    expect((await ended(call.callId)).endReason).toBe("api_ended");
  });

  it("keeps its name over a restart, and knows nothing of what another journal has", async () => {
    const name = await carrier.telephony.instance();
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    const call = dialRequest("+15005550010");
    await carrier.telephony.placeCall(call, LATEST);
    carrier = await carrier.restart();
    expect(await carrier.telephony.instance()).toBe(name);
    const { telephony } = carrier;
    expect(await telephony.lookup(askedAbout(call.callId, name))).toMatchObject({ status: "ringing" });
    expect(await telephony.lookup(askedAbout(call.callId, "another"))).toEqual({ kind: "ambiguous" });
    expect(await telephony.hangUp(askedAbout(call.callId, "another"))).toBe("unknown");
    expect(await telephony.lookup(askedAbout("call_never", "another"))).toEqual({ kind: "ambiguous" });
    expect(await telephony.hangUp(askedAbout(call.callId, name))).toBe("done");
  });

  it("sends nothing when it is too late to send", async () => {
    const answer = await carrier.telephony.placeCall(dialRequest("+15005550006"), 0);
    expect(answer.kind).toBe("unknown");
    expect(await carrier.journal()).toEqual([]);
  });
});
