import webhooks from "twilio/lib/webhooks/webhooks.js";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import type { VoiceSession } from "../../../../application/ports/voice-session.ts";
import { silentLogger, silentMetrics } from "../../../../simulation/memory/silent.ts";
import { ACCOUNT, someSid, startTwilioHost, type TwilioHost } from "../../../support/carriers/twilio-host.ts";

const NO_SESSION: VoiceSession = {
  kind: "relay",
  speed: 1,
  say: () => undefined,
  clear: () => undefined,
  transfer: () => "unsupported",
  finish: () => undefined,
};
const CALL = "call_signed";
const SID = someSid("CA");
const RINGING = { CallSid: SID, CallStatus: "ringing", SequenceNumber: "1", From: "+15005550100" };

describe("requests to the addresses for Twilio", () => {
  const warnings: string[] = [];
  let refused = 0;
  const counted: string[] = [];
  let host: TwilioHost;
  const metrics: Metrics = {
    ...silentMetrics,
    count: (name, labels) => {
      if (name === "ringfold_carrier_callbacks_refused_total") refused += 1;
      else counted.push([name, ...Object.values(labels)].join(" "));
    },
  };
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
  beforeAll(async () => {
    host = await startTwilioHost({ logger, metrics });
  });
  beforeEach(() => host.events.splice(0));
  afterAll(() => host.stop());

  const post = async (
    path: string,
    fields: Record<string, string>,
    { signedUrl = `${host.publicUrl}${path}`, token = ACCOUNT.authToken, headers = {} } = {},
  ) => {
    const signature = webhooks.getExpectedTwilioSignature(token, signedUrl, fields);
    const answer = await request(`${host.publicUrl}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature,
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  const status = `/carrier/twilio/${CALL}/status`;

  it("are taken when Twilio signed them, once however often they come", async () => {
    for (let count = 0; count < 3; count += 1) expect((await post(status, RINGING)).status).toBe(204);
    expect(
      host.events.map(({ type, callId, carrierRef, sequence }) => [type, callId, carrierRef, sequence]),
    ).toEqual([["ringing", CALL, SID, 2]]);
    expect(counted.splice(0)).toEqual(Array(2).fill("ringfold_carrier_callbacks_repeated_total twilio"));
  });

  it("count a refusal of the far side once, by its SIP code", async () => {
    const ends = (callId: string, code: string) => {
      const fields = {
        CallSid: someSid("CA"),
        CallStatus: "failed",
        SequenceNumber: "2",
        SipResponseCode: code,
      };
      return () => post(`/carrier/twilio/${callId}/status`, fields);
    };
    for (const end of [ends("call_a", "404"), ends("call_b", "699")])
      for (let count = 0; count < 2; count += 1) expect((await end()).status).toBe(204);
    expect(counted.splice(0)).toEqual([
      "ringfold_carrier_refusals_total twilio 404",
      "ringfold_carrier_callbacks_repeated_total twilio",
      "ringfold_carrier_refusals_total twilio other",
      "ringfold_carrier_callbacks_repeated_total twilio",
    ]);
  });

  it("are signed over their query, too", async () => {
    const path = `${status}?recorded=1`;
    expect((await post(path, RINGING)).status).toBe(204);
    expect((await post(path, RINGING, { signedUrl: `${host.publicUrl}${status}` })).status).toBe(403);
  });

  it.each([
    ["with another token", { token: "another" }],
    ["over another path", { signedUrl: "http://127.0.0.1/carrier/twilio/call_other/status" }],
  ])("are 403 and counted when they are signed %s", async (_how, changes) => {
    const before = refused;
    expect((await post(status, RINGING, changes)).status).toBe(403);
    expect(refused).toBe(before + 1);
    expect(host.events).toEqual([]);
  });

  it.each(["status", "recording", "machine", "action"])("are 403 without a signature: %s", async (kind) => {
    const url = `${host.publicUrl}/carrier/twilio/${CALL}/${kind}`;
    const answer = await request(url, { method: "POST", body: "CallStatus=completed" });
    await answer.body.dump();
    expect(answer.statusCode).toBe(403);
  });

  it("may have 100 fields, repeated ones among them, and are 403 and counted with more", async () => {
    const signedForm = async (form: URLSearchParams) => {
      const fields = Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
      const signature = webhooks.getExpectedTwilioSignature(
        ACCOUNT.authToken,
        `${host.publicUrl}${status}`,
        fields,
      );
      const answer = await request(`${host.publicUrl}${status}`, {
        method: "POST",
        headers: { "x-twilio-signature": signature },
        body: form.toString(),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    };
    const form = new URLSearchParams(RINGING);
    while (form.size < 100) form.append("Again", `${form.size}`);
    expect(await signedForm(form)).toMatchObject({ status: 204 });
    const before = refused;
    form.append("Again", "one more");
    expect(await signedForm(form)).toEqual({ status: 403, text: "More than 100 fields" });
    expect(refused).toBe(before + 1);
  });

  it("are 403 from a host that is none, also the first one of a process", async () => {
    const other = await startTwilioHost();
    const answer = await request(`${other.publicUrl}${status}`, {
      method: "POST",
      headers: { "x-twilio-signature": "s", "x-forwarded-host": "not a host" },
      body: "CallStatus=ringing",
    });
    await answer.body.dump();
    expect(answer.statusCode).toBe(403);
    await other.stop();
  });

  it("are 404 for a call that there is not", async () => {
    host.standings.set("call_unknown", "unknown");
    expect((await post("/carrier/twilio/call_unknown/status", RINGING)).status).toBe(404);
  });

  it("are 503 when they could not be stored, so that Twilio comes again", async () => {
    host.refuseEvents(1);
    expect((await post(status, RINGING)).status).toBe(503);
    expect((await post(status, RINGING)).status).toBe(204);
    expect(host.events).toHaveLength(1);
  });

  it("name a PUBLIC_URL that is not the address that Twilio calls", async () => {
    const other = await startTwilioHost({ logger });
    warnings.length = 0;
    const fields = RINGING;
    const signature = webhooks.getExpectedTwilioSignature(
      ACCOUNT.authToken,
      `https://voice.example.com${status}`,
      fields,
    );
    const answer = await request(`${other.publicUrl}${status}`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature,
        "x-forwarded-host": "voice.example.com",
      },
      body: new URLSearchParams(fields).toString(),
    });
    await answer.body.dump();
    expect(answer.statusCode).toBe(403);
    expect(warnings).toEqual([
      `PUBLIC_URL is wrong: Twilio calls https://voice.example.com, PUBLIC_URL says ${other.publicUrl}; its callbacks are refused`,
    ]);
    await other.stop();
  });

  describe("for the relay", () => {
    const opened = (url: string, signedUrl: string) =>
      new Promise<number>((resolve, reject) => {
        const signature = webhooks.getExpectedTwilioSignature(ACCOUNT.authToken, signedUrl, {});
        const socket = new WebSocket(url, { headers: { "x-twilio-signature": signature } });
        socket.on("unexpected-response", (_request, response) => {
          resolve(response.statusCode ?? 0);
          socket.terminate();
        });
        socket.on("open", () => {
          resolve(101);
          socket.terminate();
        });
        socket.on("error", reject);
      });
    const relayOf = async (callId: string, again = "0") => {
      const fields = { CallSid: SID, CallStatus: "in-progress", SessionStatus: "failed", ErrorCode: "64105" };
      const { text } = await post(`/carrier/twilio/${callId}/action?again=${again}`, fields);
      return /url="([^"#]*)/.exec(text)?.[1] ?? "";
    };

    it("are taken with the signature and the token of the TwiML", async () => {
      const url = await relayOf("call_relay");
      expect(await opened(url, url)).toBe(101);
    });

    it("are 403 with an address that was used before", async () => {
      const url = await relayOf("call_again");
      host.conversations.talks.push({ callId: "call_again", told: [], session: NO_SESSION });
      expect(await opened(url, url)).toBe(403);
      const next = await relayOf("call_again", "1");
      expect(await opened(next, next)).toBe(101);
    });

    it("get no address a third time: the call has ended", async () => {
      expect(await relayOf("call_lost", "2")).toBe("");
      expect(host.events).toMatchObject([
        { type: "ended", callId: "call_lost", endReason: "connection_lost" },
      ]);
    });

    it("are 403 before the upgrade when they are not signed, or with a token of another call", async () => {
      const url = await relayOf("call_relay");
      expect(await opened(url, url.replace("call_relay", "call_x"))).toBe(403);
      const foreign = url.replace("call_relay", "call_x");
      expect(await opened(foreign, foreign)).toBe(403);
    });

    it("are 404 for an unknown call and 410 for one that has ended", async () => {
      const url = await relayOf("call_gone");
      host.standings.set("call_gone", "ended");
      expect(await opened(url, url)).toBe(410);
      host.standings.set("call_gone", "unknown");
      expect(await opened(url, url)).toBe(404);
    });
  });
});
