import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarrierCall, PlaceCall } from "../../../../application/ports/carrier.ts";
import { createTransport, NothingSentError } from "../../../../infrastructure/carriers/twilio/transport.ts";
import { systemClock } from "../../../../infrastructure/clock.ts";
import { openEgress } from "../../../../infrastructure/connections/egress.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { dialOf, inMillis, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { ACCOUNT, startTwilioHost, type TwilioHost } from "../../../support/carriers/twilio-host.ts";

const TO = "+12125550100";

const asked = (call: PlaceCall, changes: Partial<CarrierCall> = {}): CarrierCall => ({
  callId: call.callId,
  carrierRef: null,
  instance: ACCOUNT.accountSid,
  dialBy: call.dialBy,
  ...changes,
});

describe("a dial through Twilio", () => {
  let host: TwilioHost;
  beforeAll(async () => {
    host = await startTwilioHost({ outcome: () => "rings_for_ever", ownedNumbers: ["+15005550100"] });
  });
  afterAll(() => host.stop());
  const place = (call: PlaceCall) => host.open().carrier.placeCall(call, LATEST);
  const rings = async ({ callId }: PlaceCall) =>
    (await host.journal()).filter((entry) => entry.callId === callId).length;

  it.each([
    ["+12", "invalid_number", "21211"],
    ["+19005550100", "permission_denied", "21215"],
  ] as const)("of %s is rejected as %s", async (to, endReason, carrierCode) => {
    expect(await place(dialOf(to))).toMatchObject({ kind: "rejected", endReason, carrierCode });
  });

  it("from a number that is not the account's is refused for good", async () => {
    const answer = await place(dialOf(TO, { from: "+15005550199" }));
    expect(answer).toMatchObject({ kind: "rejected", endReason: "permission_denied", carrierCode: "21210" });
  });

  it("rings no longer than the call says", async () => {
    const call = dialOf(TO, { ringTimeoutSeconds: 1 });
    await place(call);
    const end = await eventually(
      "the end",
      () => host.events.find(({ callId, type }) => callId === call.callId && type === "ended"),
      30_000,
    );
    expect(end).toMatchObject({ endReason: "no_answer", answeredAt: null, carrierCode: "487" });
  });

  it("that comes too fast is throttled for as long as Twilio says, and nobody is rung", async () => {
    host.fake.faults.next("tooMany");
    const call = dialOf(TO);
    expect(await place(call)).toEqual({ kind: "throttled", retryAfterMillis: 3_000 });
    expect(await rings(call)).toBe(0);
  });

  it("that was answered with 503 is unknown, whether it was made or not, and is not made again", async () => {
    host.fake.faults.next("unavailable", 4);
    for (let count = 0; count < 4; count += 1) {
      const call = dialOf(TO);
      expect(await place(call)).toMatchObject({ kind: "unknown", noAnswerAtAll: false });
      expect(await rings(call)).toBeLessThanOrEqual(1);
    }
  });

  it("whose reply was lost is unknown; what is known of it is ambiguous until Twilio tells our name of it", async () => {
    host.fake.faults.next("lostReply");
    const call = dialOf(TO);
    expect(await place(call)).toMatchObject({ kind: "unknown" });
    expect(await host.open().carrier.lookup(asked(call))).toEqual({ kind: "ambiguous" });
  });

  it("is ambiguous, and not hung up, on an account that it was not made on", async () => {
    const call = dialOf(TO);
    const answer = await place(call);
    const carrierRef = answer.kind === "accepted" ? answer.carrierRef : "";
    const elsewhere = asked(call, { carrierRef, instance: `AC${"2".repeat(32)}` });
    expect(await host.open().carrier.lookup(elsewhere)).toEqual({ kind: "ambiguous" });
    expect(await host.open().carrier.hangUp(elsewhere)).toBe("unknown");
    expect(await host.open().carrier.lookup(asked(call, { carrierRef }))).toMatchObject({ kind: "found" });
  });

  it("that Twilio has forgotten is ambiguous: it may have rung", async () => {
    const forgotten = asked(dialOf(TO), { carrierRef: `CA${"0".repeat(32)}` });
    expect(await host.open().carrier.lookup(forgotten)).toEqual({ kind: "ambiguous" });
  });

  it("is remembered by Twilio with our name of it, for who looks after a restore", async () => {
    const since = inMillis(-1_000);
    const call = dialOf(TO);
    await place(call);
    const before = dialOf(TO);
    const { carrier } = host.open();
    const calls = async () => {
      const answer = await carrier.callsSince(since);
      return answer.kind === "calls" ? answer.calls.map(({ callId }) => callId) : [];
    };
    await expect.poll(calls).toContain(call.callId);
    expect(await calls()).not.toContain(before.callId);
  });

  it("is told without a name when another program made it, with Twilio's own name of it", async () => {
    const { accountSid, authToken } = ACCOUNT;
    const since = inMillis(-1_000);
    const made = await fetch(`${host.fake.url}/2010-04-01/Accounts/${accountSid}/Calls.json`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}` },
      body: new URLSearchParams({
        From: "+15005550100",
        To: "+12125550177",
        Url: "http://127.0.0.1:9/other",
      }),
    });
    const { sid } = (await made.json()) as { readonly sid: string };
    const ours = dialOf(TO);
    await place(ours);
    const { carrier } = host.open();
    const told = async () => {
      const answer = await carrier.callsSince(since);
      return answer.kind === "calls" ? answer : { calls: [], unnamed: [] };
    };
    await expect.poll(async () => (await told()).calls.map(({ callId }) => callId)).toContain(ours.callId);
    const { unnamed = [] } = await told();
    expect(unnamed.filter(({ to }) => to === "+12125550177")).toEqual([
      { from: "+15005550100", to: "+12125550177", at: expect.any(String), carrierRef: sid },
    ]);
  });
});

describe("Twilio that cannot be reached, or does not take us", () => {
  it("has certainly not dialled", async () => {
    const host = await startTwilioHost({ apiUrl: () => "http://127.0.0.1:9" });
    const answer = await host.open().carrier.placeCall(dialOf(TO), LATEST);
    expect(answer).toMatchObject({ kind: "rejected", endReason: "not_placed", noAnswerAtAll: true });
    expect(await host.open().carrier.available()).toBe(false);
    await host.stop();
  });

  it("refuses a wrong token: nobody is dialled, and the check says so", async () => {
    const host = await startTwilioHost({ authToken: "another token" });
    const answer = await host.open().carrier.placeCall(dialOf(TO), LATEST);
    expect(answer).toMatchObject({ kind: "rejected", endReason: "carrier_error", carrierCode: "20003" });
    const findings = await host.open().check();
    expect(findings.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["credentials"]);
    await host.stop();
  });

  it("is told what is right by the check", async () => {
    const host = await startTwilioHost({ ownedNumbers: ["+15005550100"] });
    const findings = await host.open().check();
    expect(findings.map(({ name, ok }) => [name, ok])).toEqual([
      ["reachable", true],
      ["credentials", true],
      ["account", true],
      ["numbers", true],
      ["clock", true],
      ["public_url", true],
    ]);
    await host.stop();
  });
});

describe("the way to Twilio", () => {
  it("writes not one byte after the moment that it was given, on a connection that took too long", async () => {
    const received: Buffer[] = [];
    const server = createServer((socket) => socket.on("data", (data) => received.push(data)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const egress = openEgress(["127.0.0.0/8"]);
    const transport = createTransport({ clock: systemClock, egress });
    const sent = transport.send({
      method: "POST",
      url: new URL(`http://127.0.0.1:${port}/`),
      headers: {},
      body: "To=%2B1",
      sendBy: performance.now() - 1,
    });
    await expect(sent).rejects.toThrow(NothingSentError);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).toEqual([]);
    await transport.stop();
    await egress.close();
    server.close();
  });
});
