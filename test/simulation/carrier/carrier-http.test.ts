import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../infrastructure/clock.ts";
import { simulatedRecording } from "../../../simulation/carrier/recording.ts";
import { signCallback } from "../../../simulation/http/callback-signature.ts";
import { createCarrierCallbacks } from "../../../simulation/http/carrier-callbacks.ts";
import { createHttpTelephony } from "../../../simulation/http/http-telephony.ts";
import { askedAbout, dialRequest, LATEST } from "./carrier-harness.ts";

const EVENT = {
  type: "ringing",
  dedupeKey: "k",
  callId: "call_1",
  carrierRef: "sim_1",
  sequence: 1,
  occurredAt: "2026-09-01T10:00:00.000Z",
};

function callback(stored: boolean) {
  const callbacks = createCarrierCallbacks({
    clock: systemClock,
    sink: async () => (stored ? undefined : Promise.reject(new Error("not stored"))),
  });
  const send = (secret: string, body: string, timestamp = String(Date.now())) =>
    callbacks.receive(
      { "x-carrier-timestamp": timestamp, "x-carrier-signature": signCallback(secret, timestamp, body) },
      body,
    );
  return { callbacks, send };
}

describe("callbacks of the carrier program", () => {
  it("are taken when they are signed with the registered secret", async () => {
    const { callbacks, send } = callback(true);
    expect((await send(callbacks.secret, JSON.stringify({ events: [EVENT] }))).status).toBe(204);
  });

  it("are 401 without that signature, or with an old timestamp", async () => {
    const { callbacks, send } = callback(true);
    const body = JSON.stringify({ events: [EVENT] });
    expect((await send("another secret", body)).status).toBe(401);
    expect((await callbacks.receive({}, body)).status).toBe(401);
    expect((await send(callbacks.secret, body, String(Date.now() - 400_000))).status).toBe(401);
  });

  it("are 400 when they are signed but no carrier events", async () => {
    const { callbacks, send } = callback(true);
    expect((await send(callbacks.secret, "{}")).status).toBe(400);
    expect((await send(callbacks.secret, "not json")).status).toBe(400);
  });

  it("are 503 when they could not be stored, so that the carrier repeats them", async () => {
    const { callbacks, send } = callback(false);
    expect((await send(callbacks.secret, JSON.stringify({ events: [EVENT] }))).status).toBe(503);
  });
});

describe("a carrier that is not there", () => {
  it("has certainly not dialled", async () => {
    const telephony = createHttpTelephony({
      url: "http://127.0.0.1:9",
      clock: systemClock,
      installation: "here",
      token: null,
    });
    expect(await telephony.placeCall(dialRequest("+15005550006"), LATEST)).toMatchObject({
      kind: "rejected",
      endReason: "not_placed",
      noAnswerAtAll: true,
    });
    expect(await telephony.lookup(askedAbout("call_1"))).toMatchObject({
      kind: "unavailable",
    });
    expect(await telephony.available()).toBe(false);
    expect(await telephony.refuses()).toBeNull();
    await expect(telephony.register("http://127.0.0.1:9/", "secret")).rejects.toThrow("ECONNREFUSED");
    expect(await telephony.refuses()).toBe("The simulated carrier does not answer");
    await telephony.close();
  });
});

type Scripted = { readonly status: number | "cut"; readonly body?: unknown };

describe("a carrier over HTTP that answers otherwise than it should", () => {
  let server: Server;
  let asked: string[];
  let answer: Scripted;
  let telephony: ReturnType<typeof createHttpTelephony>;
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on("end", () => {
        if (answer.status === "cut") response.socket?.destroy();
        else if (answer.body instanceof Uint8Array) response.writeHead(answer.status).end(answer.body);
        else response.writeHead(answer.status, { "content-type": "application/json" }).end(text(answer.body));
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    telephony = createHttpTelephony({
      url: `http://127.0.0.1:${port}`,
      clock: systemClock,
      installation: "here",
      token: null,
    });
  });
  afterEach(async () => {
    await telephony.close();
    server.close();
    server.closeAllConnections();
  });
  const text = (body: unknown) => (body === undefined ? "" : JSON.stringify(body));
  const REFUSED = { endReason: "busy", carrierCode: "SIM-1", message: "no" };

  it.each([
    [
      "taken, with its name",
      { status: 201, body: { carrierRef: "sim_1" } },
      { kind: "accepted", carrierRef: "sim_1" },
    ],
    ["refused", { status: 422, body: REFUSED }, { kind: "rejected", ...REFUSED, noAnswerAtAll: false }],
    [
      "not taken, nor would the next be, without the carrier's token",
      { status: 401, body: {} },
      { kind: "rejected", endReason: "not_placed", carrierCode: "401", noAnswerAtAll: true },
    ],
    [
      "not taken where another carrier answers than was meant, which the next one finds out",
      { status: 409, body: {} },
      { kind: "rejected", endReason: "not_placed", carrierCode: "409", noAnswerAtAll: false },
    ],
    [
      "unknown after an error of the carrier",
      { status: 500, body: {} },
      { kind: "unknown", noAnswerAtAll: false },
    ],
    [
      "unknown after an answer that means nothing",
      { status: 201, body: { no: "name" } },
      { kind: "unknown" },
    ],
    ["unknown after a refusal that means nothing", { status: 422, body: {} }, { kind: "unknown" }],
    ["unknown when its answer was cut off", { status: "cut" }, { kind: "unknown", noAnswerAtAll: true }],
  ] as const)("a dial is %s, and is not sent again", async (_, scripted, result) => {
    answer = scripted;
    expect(await telephony.placeCall(dialRequest("+15005550006"), LATEST)).toMatchObject(result);
    expect(asked).toEqual(["POST /calls"]);
  });

  it("no dial is sent after its time", async () => {
    answer = { status: 201, body: { carrierRef: "sim_1" } };
    const late = systemClock.monotonicMillis() - 1;
    expect((await telephony.placeCall(dialRequest("+15005550006"), late)).kind).not.toBe("accepted");
    expect(asked).toEqual([]);
  });

  it.each([
    ["an error", { status: 500 }],
    ["an answer that means nothing", { status: 200, body: {} }],
    ["an answer that was cut off", { status: "cut" }],
  ] as const)(
    "%s proves nothing of a call: neither that it is absent, nor that it has ended",
    async (_, scripted) => {
      answer = scripted;
      expect((await telephony.lookup(askedAbout("call_1"))).kind).toBe("unavailable");
      expect(await telephony.hangUp(askedAbout("call_1"))).toBe("unknown");
      expect((await telephony.callsSince("2026-09-01T10:00:00.000Z")).kind).toBe("unavailable");
    },
  );

  it.each([
    [404, "absent", "done"],
    [500, "unavailable", "unavailable"],
    [204, "unavailable", "done"],
    ["cut", "unavailable", "unavailable"],
  ] as const)("a recording after %s is %s, and its deletion %s", async (status, found, deleted) => {
    answer = { status };
    expect((await telephony.recording("rec/1")).kind).toBe(found);
    expect(await telephony.deleteRecording("rec/1")).toBe(deleted);
    expect(asked).toEqual(["GET /recordings/rec%2F1", "DELETE /recordings/rec%2F1"]);
  });

  it("a recording comes with its bytes and the kind of sound", async () => {
    answer = { status: 200, body: Uint8Array.of(1, 2, 3) };
    const recording = await telephony.recording("rec_1");
    if (recording.kind !== "found") throw new Error("no recording");
    const pieces: Uint8Array[] = [];
    for await (const piece of recording.bytes) pieces.push(piece);
    expect([recording.contentType, [...Buffer.concat(pieces)]]).toEqual(["audio/wav", [1, 2, 3]]);
  });
});

describe("a simulated recording", () => {
  it("is a WAV file at 8 kHz with half a second for each message", () => {
    const wav = Buffer.from(simulatedRecording([{ role: "assistant" }, { role: "customer" }]));
    expect(wav.toString("ascii", 0, 4) + wav.toString("ascii", 8, 12)).toBe("RIFFWAVE");
    expect(wav.readUInt32LE(24)).toBe(8_000);
    expect(wav.length).toBe(44 + 2 * 0.5 * 8_000 * 2);
  });
});
