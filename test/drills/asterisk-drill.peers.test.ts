import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { type DrillFolder, makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import {
  anything,
  call,
  campaignAnswer,
  contact,
  outboundStart,
  withId,
} from "../../simulation/drills/shapes.ts";
import { type SupervisedService, superviseService } from "../../simulation/drills/supervised-service.ts";
import {
  type FakeSpeechServer,
  fakeSpeechServer,
  OK,
  transcript,
} from "../support/speech/fake-speech-server.ts";
import { type AsteriskServer, startAsterisk } from "../support/telephony/asterisk-server.ts";
import { type SippTrunk, startSipp } from "../support/telephony/sipp-trunk.ts";

const KEY = createHash("sha256").update("the key of this drill").digest("hex");
/**
 * Crash points of the service's runs, instead of one SIGKILL during the campaign, in the form of CRASH_AT:
 * `ASTERISK_CRASH_POINTS=carrier.placeCall.before:3,carrier.placeCall.after:3 npx vitest run asterisk-drill`.
 */
const POINTS = (process.env["ASTERISK_CRASH_POINTS"] ?? "").split(",").filter((point) => point !== "");
const DEATHS = Math.max(1, POINTS.length);
const LONG = 240_000 * DEATHS;
/**
 * The time that the rules allow for a dial interrupted by the kill: 30 s until the carrier is asked, 30 s
 * until a dial that was not placed is repeated, and its call.
 */
const OVER_WITHIN_MILLIS = 120_000 * DEATHS;
/** The trunk's answer, and the end reason of such a call: only those that a campaign does not retry. */
const ENDS: Readonly<Record<string, string>> = { "201": "customer_ended", "404": "invalid_number" };
const contacts = Object.keys(ENDS).flatMap((code) =>
  Array.from({ length: 5 + 5 * DEATHS }, (_, at) => ({
    phoneNumber: `+1500${code}${String(100 + at).padStart(4, "0")}`,
  })),
);
const codeOf = (number: string) => number.slice(5, 8);
const event = z.object({ type: z.string() });
const finding = z.object({
  ok: z.boolean(),
  findings: z.array(z.object({ name: z.string(), ok: z.boolean() })),
});

describe("a service on a real Asterisk that is killed in mid-campaign and in mid-call", () => {
  let folder: DrillFolder;
  let trunk: SippTrunk;
  let asterisk: AsteriskServer;
  let speech: FakeSpeechServer;
  let service: SupervisedService;
  let client: DrillClient;
  const start = () =>
    superviseService({
      env: {
        PORT: "0",
        DATA_DIR: join(folder.path, "data"),
        BOOTSTRAP_API_KEY: KEY,
        DASHBOARD: "off",
        CARRIER: "asterisk",
        ASTERISK_URL: asterisk.url,
        ASTERISK_USER: asterisk.user,
        ASTERISK_PASSWORD: asterisk.password,
        SPEECH_BASE_URL: speech.url,
        SPEECH_TTS_MODEL: "tts-1",
      },
      crashAt: POINTS,
      logFile: join(folder.path, "service.log"),
    });
  beforeAll(async () => {
    folder = makeDrillFolder();
    trunk = await startSipp();
    asterisk = await startAsterisk([{ context: "ringfold-dial", name: "trunk", port: trunk.port }]);
    speech = await fakeSpeechServer(({ path }) =>
      path.endsWith("/speech") ? OK : transcript({ text: "yes" }),
    );
    service = start();
    client = drillClient(() => service.url(), KEY);
    await service.url();
  }, LONG);
  afterAll(async () => {
    await service?.stop();
    await asterisk?.close();
    await trunk?.close();
    await speech?.close();
    await folder?.remove();
  }, LONG);

  it("nobody is rung twice, and every contact and call ends with the truth", { timeout: LONG }, async () => {
    const check = "/api/v1/connections/conn_default_asterisk/check";
    await eventually("a check without a finding", async () => (await client.post(finding, check)).ok, 15_000);
    const assistant = {
      name: "Ada",
      greetingMessage: "Hello, this is Ada.",
      systemPrompt: "Be brief.",
      silenceTimeoutSeconds: 60,
      maxDurationSeconds: 3_600,
    };
    const { id: assistantId } = await client.post(withId, "/api/v1/assistants", assistant);
    await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
    const number = { phoneNumber: "+15005550199", label: "Drill" };
    const { id: phoneNumberId } = await client.post(withId, "/api/v1/phone-numbers", number);
    const to = "+15002000001";
    const single = { phoneNumberId, assistantId, to };
    const { callId } = await client.post(outboundStart, "/api/v1/calls/outbound", single, "the-call");
    const theCall = () => client.get(call, `/api/v1/calls/${callId}`);
    await eventually("the call to be answered", async () => (await theCall()).connectedAt !== null, 10_000);

    const wanted = {
      name: "Drill",
      phoneNumberId,
      assistantId,
      maxRetries: 1,
      ringTimeoutSeconds: 10,
      retryIntervalMins: 1,
      contacts,
    };
    const { campaign } = await client.post(campaignAnswer, "/api/v1/campaigns", wanted, "the-campaign");
    await client.post(anything, `/api/v1/campaigns/${campaign.id}/start`);
    if (POINTS.length === 0) {
      await eventually("half a campaign of INVITEs", () => trunk.journal().size > 6, 15_000);
      service.signal("SIGKILL");
    }
    await eventually("a death", () => service.deaths() > 0);
    expect(trunk.journal().size).toBeLessThan(contacts.length);
    const theCampaign = () => client.get(campaignAnswer, `/api/v1/campaigns/${campaign.id}`);
    const isOver = async () => (await theCampaign()).campaign.status === "COMPLETED";
    await eventually("the campaign to be over", isOver, OVER_WITHIN_MILLIS);
    expect(service.deaths()).toBe(DEATHS);
    await client.remove(anything, `/api/v1/calls/outbound/${callId}`);
    await eventually("the call to be over", async () => (await theCall()).endedAt !== null, 10_000);

    const rows = await client.all(contact, `/api/v1/campaigns/${campaign.id}/contacts`);
    expect(rows).toHaveLength(contacts.length);
    for (const { phoneNumber, attempts } of rows) {
      const reasons = attempts.map(({ endReason }) => endReason);
      // A dial that never left Asterisk is repeated; it rang nobody.
      expect(
        reasons.filter((reason) => reason !== "not_placed"),
        phoneNumber,
      ).toEqual([ENDS[codeOf(phoneNumber)]]);
      expect(trunk.journal().get(phoneNumber), phoneNumber).toBe(1);
    }
    expect(trunk.journal().get(to)).toBe(1);
    // The line survived: the conversation continued in a session of the new process, until
    // an end was requested.
    expect((await theCall()).endReason).toBe("api_ended");
    const told = await client.all(event, `/api/v1/calls/${callId}/events`);
    const sessions = told.filter(({ type }) => type === "CallSessionBegan");
    expect(sessions.length).toBeGreaterThanOrEqual(2);
    // The service may be killed before it had a session on the line.
    expect(sessions.length).toBeLessThanOrEqual(1 + DEATHS);
    expect(told.filter(({ type }) => type === "CallEndRequested")).toHaveLength(1);
  });
});
