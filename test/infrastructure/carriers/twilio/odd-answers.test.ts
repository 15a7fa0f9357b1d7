import { createServer, type Server } from "node:http";
import webhooks from "twilio/lib/webhooks/webhooks.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../../infrastructure/clock.ts";
import { dialOf, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { ACCOUNT, someSid, startTwilioHost, type TwilioHost } from "../../../support/carriers/twilio-host.ts";

const TO = "+12125550100";
const SID = `CA${"a".repeat(32)}`;
/** Twilio names every field, also those without a value. */
const CALL = {
  sid: SID,
  from: "+15005550100",
  to: TO,
  direction: "outbound-api",
  status: "in-progress",
  start_time: null,
  end_time: null,
};
const START = "Tue, 01 Sep 2026 10:00:00 +0000";
const END = "Tue, 01 Sep 2026 10:01:05 +0000";

type Answer = {
  readonly status: number | "cut";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** In place of Twilio: answers each request as the test says, by the end of its path. */
let server: Server;
let host: TwilioHost;
let asked: string[];
let answers: Record<string, Answer>;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0]?.replace(`/2010-04-01/Accounts/${ACCOUNT.accountSid}`, "");
    asked.push(`${request.method} ${path}`);
    const { status, body = {}, headers = {} } = answers[path ?? ""] ?? { status: 404, body: { code: 20404 } };
    request.resume().on("end", () => {
      if (status === "cut") response.socket?.destroy();
      else
        response
          .writeHead(status, { "content-type": "application/json", ...headers })
          .end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  host = await startTwilioHost({ apiUrl: () => `http://127.0.0.1:${port}` });
});
beforeEach(() => {
  asked = [];
  answers = {};
  host.events.splice(0);
});
afterAll(async () => {
  await host.stop();
  server.close();
  server.closeAllConnections();
});
const carrier = () => host.open().carrier;
const known = {
  callId: "call_1",
  carrierRef: SID,
  instance: ACCOUNT.accountSid,
  dialBy: "2026-09-01T10:00:15.000Z",
} as const;

const rejected = (endReason: string, carrierCode: string) => ({
  kind: "rejected",
  endReason,
  carrierCode,
  noAnswerAtAll: false,
});
const code = (number: number, status = 400): Answer => ({ status, body: { code: number, message: "no" } });
const throttled = (retryAfterMillis: number) => ({ kind: "throttled", retryAfterMillis });
const slowDown = (header: Record<string, string>): Answer => ({ ...code(20429, 429), headers: header });

describe("what Twilio answers to a dial", () => {
  it.each<readonly [string, Answer, object]>([
    [
      "takes it under the name that it gives",
      { status: 201, body: CALL },
      { kind: "accepted", carrierRef: SID },
    ],
    ["is unknown without a name", { status: 201, body: {} }, { kind: "unknown", noAnswerAtAll: false }],
    [
      "is unknown when nobody can read it",
      { status: 201, body: "<html>" },
      { kind: "unknown", noAnswerAtAll: false },
    ],
    ["is unknown when it was cut off", { status: "cut" }, { kind: "unknown", noAnswerAtAll: true }],
    ["is unknown after 500", code(20500, 500), { kind: "unknown", noAnswerAtAll: false }],
    ["is unknown after 408", code(20408, 408), { kind: "unknown", noAnswerAtAll: false }],
    ["is unknown after a page elsewhere", { status: 302 }, { kind: "unknown", noAnswerAtAll: false }],
    ["slows down for as long as it says", slowDown({ "retry-after": "7" }), throttled(7_000)],
    ["slows down for a second when it does not say", slowDown({}), throttled(1_000)],
    ["slows down for a second when it says a date", slowDown({ "retry-after": START }), throttled(1_000)],
    [
      "slows down for a second when it says a time that is over",
      slowDown({ "retry-after": "-3" }),
      throttled(1_000),
    ],
    ["slows down for a minute at most", slowDown({ "retry-after": "3600" }), throttled(60_000)],
    ["slows down by its code alone", code(10004), throttled(1_000)],
    ["slows down by its status alone", { status: 429 }, throttled(1_000)],
    ["knows no such number", code(21211), rejected("invalid_number", "21211")],
    ["knows no such number (21217)", code(21217), rejected("invalid_number", "21217")],
    ["knows no such number (13224)", code(13224), rejected("invalid_number", "13224")],
    ["may not dial there", code(21215), rejected("permission_denied", "21215")],
    ["may not dial there (13227)", code(13227), rejected("permission_denied", "13227")],
    ["may not dial from there (21210)", code(21210), rejected("permission_denied", "21210")],
    ["may not dial from there (21212)", code(21212), rejected("permission_denied", "21212")],
    ["may not dial (21216)", code(21216), rejected("permission_denied", "21216")],
    ["may not dial a number on trial (21219)", code(21219), rejected("permission_denied", "21219")],
    ["reaches nobody", code(21214), rejected("unreachable", "21214")],
    ["is an error of the carrier by any other code", code(12345), rejected("carrier_error", "12345")],
    ["is an error of the carrier by its status alone", { status: 400 }, rejected("carrier_error", "400")],
    [
      "would refuse the next dial as well with these credentials",
      code(20003, 401),
      { ...rejected("carrier_error", "20003"), noAnswerAtAll: true },
    ],
  ])("%s; nothing is sent again", async (_, answer, result) => {
    answers["/Calls.json"] = answer;
    expect(await carrier().placeCall(dialOf(TO), LATEST)).toMatchObject(result);
    expect(asked).toEqual(["POST /Calls.json"]);
  });
});

describe("what Twilio tells of a call", () => {
  const answeredAt = new Date(Date.parse(END) - 42_000).toISOString();
  it.each<readonly [string, object, object]>([
    ["queued", {}, { status: "ringing", endReason: null, answeredAt: null, endedAt: null, answeredBy: null }],
    ["ringing", { start_time: START }, { status: "ringing", answeredAt: null }],
    [
      "in-progress",
      { start_time: START, answered_by: "machine_start" },
      {
        status: "connected",
        answeredAt: new Date(START).toISOString(),
        answeredBy: "machine",
        endedAt: null,
      },
    ],
    ["in-progress", {}, { status: "connected", answeredAt: null, answeredBy: null }],
    [
      "completed",
      { start_time: START, end_time: END, duration: "42", answered_by: "human" },
      { status: "ended", endReason: "customer_ended", endedBy: "customer", answeredAt, answeredBy: "human" },
    ],
    [
      "completed",
      { end_time: END, duration: "42", answered_by: "fax" },
      { answeredAt, answeredBy: "machine" },
    ],
    ["completed", {}, { status: "ended", answeredAt: null, answeredBy: null, endedAt: null }],
    ["busy", { end_time: END }, { status: "ended", endReason: "busy", endedBy: "system", answeredAt: null }],
    ["canceled", { end_time: END }, { status: "ended", endReason: "carrier_error", endedBy: null }],
  ])("as %s with %o", async (status, fields, told) => {
    answers[`/Calls/${SID}.json`] = { status: 200, body: { ...CALL, ...fields, status } };
    answers[`/Calls/${SID}/Recordings.json`] = { status: 200, body: { recordings: [] } };
    expect(await carrier().lookup(known)).toMatchObject({ kind: "found", carrierRef: SID, ...told });
  });

  it("ends within the second that it names, at the latest now", async () => {
    answers[`/Calls/${SID}.json`] = { status: 200, body: { ...CALL, status: "busy", end_time: END } };
    expect(await carrier().lookup(known)).toMatchObject({ endedAt: "2026-09-01T10:01:05.999Z" });
    const soon = new Date(systemClock.nowMillis() + 60_000).toUTCString();
    answers[`/Calls/${SID}.json`] = { status: 200, body: { ...CALL, status: "busy", end_time: soon } };
    const found = await carrier().lookup(known);
    const endedAt = found.kind === "found" ? Date.parse(found.endedAt ?? "") : Number.NaN;
    expect(endedAt).toBeLessThanOrEqual(systemClock.nowMillis());
  });

  it("has the recording that is complete, of a call that is over", async () => {
    const recordings = [
      { sid: someSid("RE"), status: "processing" },
      { sid: `RE${"b".repeat(32)}`, status: "completed" },
    ];
    answers[`/Calls/${SID}/Recordings.json`] = { status: 200, body: { recordings } };
    answers[`/Calls/${SID}.json`] = { status: 200, body: { ...CALL, status: "completed", end_time: END } };
    expect(await carrier().lookup(known)).toMatchObject({ recordingRef: `RE${"b".repeat(32)}` });
    answers[`/Calls/${SID}/Recordings.json`] = {
      status: 200,
      body: { recordings: recordings.slice(0, 1) },
    };
    expect(await carrier().lookup(known)).toMatchObject({ recordingRef: null });
  });

  it.each([
    ["no-answer", "603", "declined", "customer"],
    ["no-answer", "487", "no_answer", "system"],
    ["no-answer", null, "no_answer", "system"],
    ["failed", "404", "invalid_number", null],
    ["failed", "480", "no_answer", null],
    ["failed", "403", "permission_denied", null],
    ["failed", "408", "unreachable", null],
    ["failed", "486", "busy", null],
    ["failed", "699", "carrier_error", null],
    ["failed", null, "carrier_error", null],
  ])("that ended %s with SIP code %s means %s by %s", async (status, sip, endReason, endedBy) => {
    answers[`/Calls/${SID}.json`] = { status: 200, body: { ...CALL, status, end_time: END } };
    const parameters = sip === null ? {} : { sip_response_code: sip };
    answers[`/Calls/${SID}/Events.json`] = {
      status: 200,
      body: { events: [{ request: { method: "POST", url: "https://here", parameters }, response: {} }] },
    };
    expect(await carrier().lookup(known)).toMatchObject({ status: "ended", endReason, endedBy });
  });

  it.each<readonly [string, Answer, string, string]>([
    ["forgets it", code(20404, 404), "ambiguous", "unknown"],
    ["fails", code(20500, 500), "unavailable", "unknown"],
    ["is cut off", { status: "cut" }, "unavailable", "unknown"],
    ["says that it has ended", code(21220), "unavailable", "already_ended"],
  ])("proves nothing when it %s", async (_, answer, looked, hungUp) => {
    answers[`/Calls/${SID}.json`] = answer;
    expect((await carrier().lookup(known)).kind).toBe(looked);
    expect(await carrier().hangUp(known)).toBe(hungUp);
  });

  it("is asked about no call whose name at Twilio nobody knows", async () => {
    expect(await carrier().lookup({ ...known, carrierRef: null })).toEqual({ kind: "ambiguous" });
    expect(await carrier().hangUp({ ...known, carrierRef: null })).toBe("unknown");
    expect(asked).toEqual([]);
  });
});

describe("what Twilio tells of the calls since a moment", () => {
  const SINCE = "2026-09-01T10:00:00.000Z";
  const at = (second: number) => new Date(Date.parse(SINCE) + second * 1_000).toUTCString();
  const listed = (sid: string, second: number, changes: object = {}) => ({
    ...CALL,
    sid,
    date_created: at(second),
    ...changes,
  });
  const [late, early] = [`CA${"1".repeat(32)}`, `CA${"2".repeat(32)}`];
  const events = (url: string): Answer => ({
    status: 200,
    body: { events: [{ request: { method: "POST", url, parameters: {} }, response: {} }] },
  });

  it("are ours by the address that each was given, the oldest first, and nobody else's", async () => {
    const incoming = listed(`CA${"3".repeat(32)}`, 4, { direction: "inbound" });
    const before = listed(`CA${"4".repeat(32)}`, -1);
    const client = listed(`CA${"5".repeat(32)}`, 5, { to: "client:ada" });
    const other = listed(`CA${"6".repeat(32)}`, 6);
    answers["/Calls.json"] = {
      status: 200,
      body: { calls: [listed(late, 9), incoming, before, client, other, listed(early, 0)] },
    };
    answers[`/Calls/${late}/Events.json`] = events(`${host.publicUrl}/carrier/twilio/call_late/status`);
    answers[`/Calls/${early}/Events.json`] = events(`${host.publicUrl}/carrier/twilio/call_early/status`);
    answers[`/Calls/${other.sid}/Events.json`] = events("https://elsewhere/carrier/twilio/call_other/status");
    const numbers = { from: "+15005550100", to: TO };
    expect(await carrier().callsSince(SINCE)).toEqual({
      kind: "calls",
      calls: [
        { ...numbers, callId: "call_early", at: new Date(at(0)).toISOString() },
        { ...numbers, callId: "call_late", at: new Date(at(9)).toISOString() },
      ],
      unnamed: [{ ...numbers, at: new Date(at(6)).toISOString(), carrierRef: other.sid }],
    });
    expect(asked.filter((request) => request.includes("Events"))).toHaveLength(3);
  });

  it("takes an address for ours only where our name of the call follows at once", async () => {
    answers["/Calls.json"] = { status: 200, body: { calls: [listed(late, 1)] } };
    answers[`/Calls/${late}/Events.json`] = events(`${host.publicUrl}/carrier/twilio/x/call_late`);
    expect(await carrier().callsSince(SINCE)).toMatchObject({ calls: [], unnamed: [{ carrierRef: late }] });
  });

  it.each<readonly [string, Answer, string]>([
    ["refused", code(20003, 401), "Twilio answered 401"],
    ["cut off", { status: "cut" }, "UND_ERR_SOCKET"],
  ])("are not known when the question is %s", async (_, answer, cause) => {
    answers["/Calls.json"] = answer;
    expect(await carrier().callsSince(SINCE)).toEqual({ kind: "unavailable", cause });
  });
});

describe("a recording at Twilio", () => {
  const REF = `RE${"c".repeat(32)}`;
  it.each<readonly [Answer, string, string]>([
    [{ status: 404 }, "absent", "done"],
    [{ status: 410 }, "absent", "unavailable"],
    [{ status: 500 }, "unavailable", "unavailable"],
    [{ status: "cut" }, "unavailable", "unavailable"],
  ])("after %o is %s, and its deletion %s", async (answer, found, deleted) => {
    answers[`/Recordings/${REF}.wav`] = answer;
    answers[`/Recordings/${REF}.json`] = answer;
    expect((await carrier().recording(REF)).kind).toBe(found);
    expect(await carrier().deleteRecording(REF)).toBe(deleted);
  });

  it("is never asked for by a name that is none of Twilio's", async () => {
    for (const ref of ["../Calls", `${REF}/../..`, `x${REF}`, "rec_1"]) {
      expect((await carrier().recording(ref)).kind).toBe("absent");
      expect(await carrier().deleteRecording(ref)).toBe("done");
    }
    expect(asked).toEqual([]);
  });

  it("comes with the kind of sound that Twilio names, and is gone once it was deleted", async () => {
    answers[`/Recordings/${REF}.wav`] = {
      status: 200,
      body: "RIFF",
      headers: { "content-type": "audio/wave" },
    };
    answers[`/Recordings/${REF}.json`] = { status: 204, body: "" };
    expect(await carrier().recording(REF)).toMatchObject({ kind: "found", contentType: "audio/wave" });
    expect(await carrier().deleteRecording(REF)).toBe("done");
  });
});

describe("the check of a connection to Twilio", () => {
  const HEALTHY = { status: 200, body: { sid: ACCOUNT.accountSid, status: "active" } };
  const wrong = async () =>
    (await host.open().check()).flatMap(({ name, ok, detail }) => (ok ? [] : [`${name}: ${detail}`]));
  beforeEach(() => {
    answers[".json"] = HEALTHY;
    answers["/IncomingPhoneNumbers.json"] = {
      status: 200,
      body: { incoming_phone_numbers: [{ phone_number: "+15005550100" }] },
    };
  });

  it("finds nothing where all is well, and names the first five numbers", async () => {
    const numbers = [1, 2, 3, 4, 5, 6].map((digit) => ({ phone_number: `+1500555010${digit}` }));
    answers["/IncomingPhoneNumbers.json"] = { status: 200, body: { incoming_phone_numbers: numbers } };
    expect(await wrong()).toEqual([]);
    const details = (await host.open().check()).map(({ detail }) => detail);
    expect(details).toContain(
      "The account owns +15005550101, +15005550102, +15005550103, +15005550104, +15005550105 and more",
    );
    expect(await carrier().available()).toBe(true);
  });

  it.each<readonly [string, Record<string, Answer>, string]>([
    [
      "an account that is suspended",
      { ".json": { status: 200, body: { status: "suspended" } } },
      "account: The account is suspended: Twilio dials for active accounts only",
    ],
    [
      "an account that Twilio does not know",
      { ".json": code(20404, 404) },
      "credentials: Twilio does not take the account SID and auth token together: copy both from the Console, without spaces",
    ],
    [
      "an account that is refused",
      { ".json": code(20006, 403) },
      "credentials: Twilio refused the account with status 403",
    ],
    [
      "an account without a number",
      { "/IncomingPhoneNumbers.json": { status: 200, body: { incoming_phone_numbers: [] } } },
      "numbers: The account owns no telephone number: buy one, or calls are refused with 21210 or 21212",
    ],
    [
      "numbers that Twilio does not tell",
      { "/IncomingPhoneNumbers.json": code(20500, 500) },
      "numbers: Twilio does not tell the numbers of the account",
    ],
    [
      "a way that is cut off",
      { ".json": { status: "cut" } },
      "reachable: Twilio cannot be reached (UND_ERR_SOCKET): is the way out of this machine open?",
    ],
  ])("names %s", async (_, changed, detail) => {
    Object.assign(answers, changed);
    expect(await wrong()).toEqual([detail]);
    if (".json" in changed) expect(await carrier().available()).toBe(false);
  });

  it.each([
    [-60, "ahead of"],
    [60, "behind"],
  ])("names a clock that differs: Twilio's is moved by %i s", async (seconds, how) => {
    const date = new Date(systemClock.nowMillis() + seconds * 1_000).toUTCString();
    answers[".json"] = { ...HEALTHY, headers: { date } };
    const [found, ...others] = await wrong();
    expect(others).toEqual([]);
    expect(found).toMatch(
      new RegExp(`^clock: The clock of this machine is \\d+ s ${how} Twilio's: set it by NTP`),
    );
  });

  it.each(["no date", "Thu, 99 Foo 2026"])("takes a time that cannot be read for none: %s", async (date) => {
    answers[".json"] = { ...HEALTHY, headers: { date } };
    expect(await wrong()).toEqual([]);
  });
});

describe("a callback of Twilio", () => {
  const tell = async (kind: string, fields: Record<string, string>, query = "") => {
    const url = `${host.publicUrl}/carrier/twilio/call_1/${kind}${query}`;
    const given = { CallSid: SID, ...fields };
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "x-twilio-signature": webhooks.getExpectedTwilioSignature(ACCOUNT.authToken, url, given),
      },
      body: new URLSearchParams(given),
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const [event] = host.events.splice(0);
    return event;
  };

  it.each<readonly [string, Record<string, string>, object]>([
    ["initiated", { SequenceNumber: "0" }, { type: "accepted", dedupeKey: `${SID}/initiated`, sequence: 1 }],
    ["queued", {}, { type: "accepted", dedupeKey: `${SID}/initiated`, sequence: 0 }],
    ["ringing", { SequenceNumber: "1" }, { type: "ringing", dedupeKey: `${SID}/ringing`, sequence: 2 }],
    ["ringing", { SequenceNumber: "x" }, { type: "ringing", sequence: 0 }],
    ["ringing", { SequenceNumber: "-9" }, { type: "ringing", sequence: 0 }],
    ["in-progress", {}, { type: "answered", answeredBy: "unknown", dedupeKey: `${SID}/answered` }],
    [
      "busy",
      { SipResponseCode: "486" },
      { endReason: "busy", carrierCode: "486", answeredAt: null, answeredBy: null },
    ],
    ["failed", { ErrorCode: "13224" }, { endReason: "carrier_error", carrierCode: "13224" }],
    [
      "no-answer",
      { SipResponseCode: "603" },
      { endReason: "declined", endedBy: "customer", recordingExpected: false },
    ],
  ])("that says %s with %o", async (CallStatus, fields, told) => {
    const Timestamp = START;
    expect(await tell("status", { CallStatus, Timestamp, ...fields }, "?recorded=1")).toMatchObject({
      callId: "call_1",
      carrierRef: SID,
      occurredAt: "2026-09-01T10:00:00.999Z",
      ...told,
    });
  });

  it("that says completed implies the answer, so much earlier as the talk took, and a recording where one was asked for", async () => {
    const ended = { CallStatus: "completed", Timestamp: END, CallDuration: "42", AnsweredBy: "human" };
    const told = { type: "ended", answeredAt: "2026-09-01T10:00:23.000Z", answeredBy: "human" };
    expect(await tell("status", ended, "?recorded=1")).toMatchObject({ ...told, recordingExpected: true });
    expect(await tell("status", { ...ended, CallSid: someSid("CA") })).toMatchObject({
      ...told,
      recordingExpected: false,
    });
    for (const CallDuration of ["", "long"])
      expect(await tell("status", { ...ended, CallSid: someSid("CA"), CallDuration })).toMatchObject({
        answeredAt: "2026-09-01T10:01:05.000Z",
      });
  });

  it.each([
    ["status", { CallStatus: "dreaming" }],
    ["status", { CallStatus: "" }],
    ["status", { CallStatus: "ringing", CallSid: "CA1" }],
    ["machine", {}],
    ["machine", { AnsweredBy: "human", CallSid: "" }],
    ["recording", { RecordingStatus: "in-progress" }],
    ["recording", { RecordingStatus: "completed", CallSid: "" }],
  ])("to %s that says nothing of use tells nothing: %o", async (kind, fields) => {
    expect(await tell(kind, fields)).toBeUndefined();
  });

  it.each([
    ["human", "human", false],
    ["machine_start", "machine", false],
    ["machine_end_beep", "machine", true],
    ["machine_end_silence", "machine", true],
    ["fax", "machine", false],
    ["unknown", "unknown", false],
  ])(
    "judges who answered: %s is %s, its greeting over: %s",
    async (AnsweredBy, answeredBy, greetingEnded) => {
      expect(await tell("machine", { AnsweredBy })).toMatchObject({
        type: "machine_judged",
        answeredBy,
        greetingEnded,
        dedupeKey: `${SID}/machine/${AnsweredBy}`,
      });
    },
  );

  it.each([
    ["completed", "RE1", { status: "available", recordingRef: "RE1" }],
    ["completed", "", { status: "failed", recordingRef: null }],
    ["absent", "RE2", { status: "failed", recordingRef: null }],
    ["failed", "RE3", { status: "failed", recordingRef: null }],
  ])("of a recording that is %s (%s)", async (RecordingStatus, RecordingSid, told) => {
    expect(await tell("recording", { RecordingStatus, RecordingSid })).toMatchObject({
      type: "recording",
      ...told,
    });
  });
});
