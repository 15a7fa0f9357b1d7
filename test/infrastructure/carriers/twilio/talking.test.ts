import webhooks from "twilio/lib/webhooks/webhooks.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarrierEvent, PlaceCall } from "../../../../application/ports/carrier.ts";
import type { Outcome } from "../../../../simulation/callee/outcome.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { dialOf, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { ACCOUNT, startTwilioHost, type TwilioHost } from "../../../support/carriers/twilio-host.ts";

describe("a talk over ConversationRelay", () => {
  const outcomes = new Map<string, Outcome>();
  let host: TwilioHost;
  let numbers = 0;
  beforeAll(async () => {
    host = await startTwilioHost({ speed: 50, outcome: (to) => outcomes.get(to) });
  });
  afterAll(() => host.stop());

  const called = async (outcome: Outcome, changes: Partial<PlaceCall> = {}): Promise<PlaceCall> => {
    numbers += 1;
    const to = `+1212556${String(numbers).padStart(4, "0")}` as const;
    outcomes.set(to, outcome);
    const call = dialOf(to, changes);
    expect(await host.open().carrier.placeCall(call, LATEST)).toMatchObject({ kind: "accepted" });
    return call;
  };
  const talksOf = (call: PlaceCall) =>
    host.conversations.talks.filter(({ callId }) => callId === call.callId);
  const told = <Type extends CarrierEvent["type"]>(call: PlaceCall, type: Type) =>
    eventually(`${type} of ${call.callId}`, () =>
      host.events.find(
        (event): event is Extract<CarrierEvent, { type: Type }> =>
          event.callId === call.callId && event.type === type,
      ),
    );
  const session = (call: PlaceCall, nth: number) =>
    eventually(`session ${nth} of ${call.callId}`, () => talksOf(call)[nth - 1]);

  /** Twilio asks how a line goes on that is to be handed on. */
  const actionAsked = async (call: PlaceCall, fields: Readonly<Record<string, string>>) => {
    const url = `${host.publicUrl}/carrier/twilio/${call.callId}/action?again=0`;
    const parameters = {
      CallSid: (await told(call, "answered")).carrierRef,
      From: call.from,
      HandoffData: JSON.stringify({ transfer: "+12125550199" }),
      SessionStatus: "ended",
      ...fields,
    };
    const signature = webhooks.getExpectedTwilioSignature(ACCOUNT.authToken, url, parameters);
    const answer = await fetch(url, {
      method: "POST",
      headers: { "x-twilio-signature": signature },
      body: new URLSearchParams(parameters),
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };

  it("hears and is heard, and ends when the callee hangs up", async () => {
    const call = await called("talks");
    const { told: heard } = await session(call, 1);
    expect(await told(call, "ended")).toMatchObject({ endReason: "customer_ended", endedBy: "customer" });
    expect(heard.some((line) => line.startsWith("said "))).toBe(true);
    expect(heard.at(-1)).toBe("closed hung_up");
  });

  it("is known to be answered by its relay before the status tells it", async () => {
    host.fake.faults.setShares({ callbackLost: 1 });
    const call = await called("never_hangs_up");
    const answered = await told(call, "answered");
    expect(answered.sequence).toBe(0);
    await session(call, 1);
    host.fake.faults.setShares({});
  });

  it("comes back twice when it is lost, each time with an address of its own, and is given up at the third", async () => {
    const call = await called("never_hangs_up", { maxDurationSeconds: 600 });
    host.fake.faults.next("relayLost", 3);
    for (const nth of [1, 2, 3]) {
      const { told: heard } = await session(call, nth);
      await eventually(`loss ${nth}`, () => heard.includes("closed session_lost"));
    }
    expect(await told(call, "ended")).toMatchObject({ endReason: "connection_lost" });
    expect(talksOf(call)).toHaveLength(3);
    expect(host.due.filter((callId) => callId === call.callId)).toHaveLength(2);
    expect((await host.journal()).filter(({ callId }) => callId === call.callId)).toHaveLength(1);
  });

  it("goes on in another process, when ours has left", async () => {
    const call = await called("never_hangs_up");
    await session(call, 1);
    host.open().leave();
    await host.restart();
    await session(call, 2);
    expect(host.events.some((event) => event.callId === call.callId && event.type === "ended")).toBe(false);
  });

  it("hands the line on: Twilio dials the number that our last word named", async () => {
    const call = await called("never_hangs_up", { recorded: true });
    const { session: line, told: heard } = await session(call, 1);
    expect(line.transfer("+12125550199")).toBe("begun");
    expect(heard).not.toContain("closed finished");
    const ended = await told(call, "ended");
    expect(ended).toMatchObject({ endReason: "transferred", endedBy: "assistant", recordingExpected: true });
    expect(heard.at(-1)).toBe("closed finished");
    const handedOn = { callId: call.callId, to: "+12125550199" };
    await eventually("the transfer", async () => {
      const transfers = await host.transfers();
      return transfers.some((each) => each.callId === handedOn.callId && each.to === handedOn.to);
    });
    expect(await actionAsked(call, { CallStatus: "in-progress" })).toContain("<Number>+12125550199</Number>");
  });

  it("hands no line on that was hung up, or is to be hung up", async () => {
    const call = await called("never_hangs_up");
    await session(call, 1);
    expect(await actionAsked(call, { CallStatus: "completed" })).toContain("<Hangup/>");
    expect(host.events.some(({ callId, type }) => callId === call.callId && type === "ended")).toBe(false);
    host.standings.set(call.callId, "ended");
    expect(await actionAsked(call, { CallStatus: "in-progress" })).toContain("<Hangup/>");
  });

  it.each([
    ["hang_up", "machine", "machine", false],
    ["leave_message", "machine", "machine", true],
    ["hang_up", "talks", "human", false],
  ] as const)(
    "%s, %s: judged beside the talk as %s",
    async (voicemailPolicy, outcome, answeredBy, greetingEnded) => {
      const call = await called(outcome, { voicemailPolicy });
      expect(await told(call, "machine_judged")).toMatchObject({ answeredBy, greetingEnded });
    },
  );

  it("asks for no verdict that nobody needs", async () => {
    const call = await called("machine", { voicemailPolicy: "ignore" });
    await session(call, 1);
    await host.open().carrier.hangUp({
      callId: call.callId,
      carrierRef: (await told(call, "answered")).carrierRef,
      instance: await host.open().carrier.instance(),
      dialBy: call.dialBy,
    });
    await told(call, "ended");
    expect(host.events.some((event) => event.callId === call.callId && event.type === "machine_judged")).toBe(
      false,
    );
  });

  it("is recorded when it is to be; the recording is fetched with our credentials and deleted there", async () => {
    const { carrier } = host.open();
    const call = await called("talks", { recorded: true });
    expect(await told(call, "ended")).toMatchObject({ recordingExpected: true });
    const { recordingRef } = await told(call, "recording");
    const recording = await carrier.recording(recordingRef ?? "");
    if (recording.kind !== "found") throw new Error(`${recording.kind}`);
    const bytes = Buffer.concat(await Array.fromAsync(recording.bytes));
    expect([recording.contentType, bytes.subarray(0, 4).toString()]).toEqual(["audio/x-wav", "RIFF"]);
    expect(await carrier.deleteRecording(recordingRef ?? "")).toBe("done");
    expect(await carrier.recording(recordingRef ?? "")).toEqual({ kind: "absent" });
    expect(await carrier.deleteRecording(recordingRef ?? "")).toBe("done");
  });
});
