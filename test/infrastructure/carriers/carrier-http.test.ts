import { describe, expect, it } from "vitest";
import { signCallback } from "../../../infrastructure/carriers/simulated/http/callback-signature.ts";
import { createCarrierCallbacks } from "../../../infrastructure/carriers/simulated/http/carrier-callbacks.ts";
import { createHttpTelephony } from "../../../infrastructure/carriers/simulated/http/http-telephony.ts";
import { simulatedRecording } from "../../../infrastructure/carriers/simulated/recording.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
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

describe("a simulated recording", () => {
  it("is a WAV file at 8 kHz with half a second for each message", () => {
    const wav = Buffer.from(simulatedRecording([{ role: "assistant" }, { role: "customer" }]));
    expect(wav.toString("ascii", 0, 4) + wav.toString("ascii", 8, 12)).toBe("RIFFWAVE");
    expect(wav.readUInt32LE(24)).toBe(8_000);
    expect(wav.length).toBe(44 + 2 * 0.5 * 8_000 * 2);
  });
});
