import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { encodeMuLaw } from "../../application/voice/audio/mu-law.ts";
import { type DrillClient, drillClient } from "../../simulation/drills/drill-client.ts";
import { type DrillFolder, makeDrillFolder } from "../../simulation/drills/drill-folder.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { anything, outboundStart, withId } from "../../simulation/drills/shapes.ts";
import {
  type FakeSpeechServer,
  fakeSpeechServer,
  OK,
  transcript,
} from "../support/speech/fake-speech-server.ts";
import { likeness, soundOf } from "../support/speech/scripted-voice.ts";
import { joined } from "../support/speech/sounds.ts";
import { type AsteriskServer, startAsterisk } from "../support/telephony/asterisk-server.ts";
import { type Callees, startCallees } from "../support/telephony/callee/callees.ts";
import { silentAt, soundMillis, stretchesOf } from "../support/telephony/callee/recording.ts";

const KEY = createHash("sha256").update("the key of a telephone").digest("hex");
const LONG = 180_000;
const VOICE_MILLIS = 100;
const GREETED_WITHIN_MILLIS = 1_500;
const SILENT_WITHIN_MILLIS = 400;
const RECORDED_WITHIN_MILLIS = 20_000;
const GREETING = "Wonderful morning, this is Ada from the library about the borrowed books.";
/** All but the first word come when we are silent already. */
const CUSTOMER = "Please stop talking to me now";
/** Of words that were brought through filters and codecs, and of those that were not said. */
const ALIKE = 0.6;
const UNLIKE = 0.3;
const MISJUDGED_MILLIS = 200;
const SWEPT_WITHIN_MILLIS = 10_000;
const WAV_HEADER_BYTES = 44;
const event = z.object({ type: z.string(), data: z.unknown() });
const cuts = z.object({ heard: z.string(), heardMillis: z.number() });
const digits = z.object({ digits: z.string(), count: z.number() });

let folder: DrillFolder;
let callees: Callees;
let asterisk: AsteriskServer;
let speechServer: FakeSpeechServer;
let service: Program;
let client: DrillClient;

beforeAll(async () => {
  folder = makeDrillFolder();
  callees = await startCallees();
  asterisk = await startAsterisk([{ context: "ringfold-dial", name: "trunk", port: callees.port }]);
  speechServer = await fakeSpeechServer(({ path }) =>
    path.endsWith("/speech") ? { ...OK, firstAfterMillis: VOICE_MILLIS } : transcript({ text: "One moment" }),
  );
  service = startProgram(
    SERVICE,
    {
      PORT: "0",
      DATA_DIR: join(folder.path, "data"),
      BOOTSTRAP_API_KEY: KEY,
      DASHBOARD: "off",
      CARRIER: "asterisk",
      ASTERISK_URL: asterisk.url,
      ASTERISK_USER: asterisk.user,
      ASTERISK_PASSWORD: asterisk.password,
      SPEECH_BASE_URL: speechServer.url,
      SPEECH_TTS_MODEL: "tts-1",
      SPEECH_STT_MODEL: "whisper-1",
    },
    join(folder.path, "service.log"),
  );
  client = drillClient(() => service.listening, KEY);
  await service.listening;
}, LONG);
afterAll(async () => {
  await service?.stop();
  await asterisk?.close();
  await callees?.close();
  await speechServer?.close();
  await folder?.remove();
}, LONG);

/** What the log tells of a call by events of this type; null: nothing yet. */
async function told<T>(schema: z.ZodType<T>, callId: string, type: string): Promise<readonly T[] | null> {
  const events = await client.all(event, `/api/v1/calls/${callId}/events`);
  const found = events.flatMap((each) => (each.type === type ? [schema.parse(each.data)] : []));
  return found.length === 0 ? null : found;
}

/** null: not yet. */
async function recordingOf(callId: string): Promise<Uint8Array | null> {
  const url = `${await service.listening}/api/v1/calls/${callId}/recording`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
  if (!answer.ok) return null;
  const samples = new Int16Array((await answer.arrayBuffer()).slice(WAV_HEADER_BYTES));
  return encodeMuLaw(samples);
}

/** Of the word that was found best: a packet that was late spoils a word. */
function likenessOfAny(words: string, sound: Uint8Array): number {
  return Math.max(...words.split(" ").map((word) => likeness(word, sound)));
}

/** No channel, no bridge, no recording. */
async function isSwept(): Promise<boolean> {
  const lists = ["/channels", "/bridges", "/recordings/stored"];
  const answers = await Promise.all(lists.map((path) => asterisk.ari("GET", path)));
  return answers.every(({ body }) => Array.isArray(body) && body.length === 0);
}

it("a callee is greeted soon, silences us by speaking, and is understood by its keys", {
  timeout: LONG,
}, async () => {
  const check = z.object({ ok: z.boolean() });
  const checked = "/api/v1/connections/conn_default_asterisk/check";
  await eventually("the way to Asterisk", async () => (await client.post(check, checked)).ok, 15_000);
  const { id: assistantId } = await client.post(withId, "/api/v1/assistants", {
    name: "Ada",
    greetingMessage: GREETING,
    systemPrompt: "Be brief.",
    recording: "on",
  });
  await client.post(anything, `/api/v1/assistants/${assistantId}/publish`);
  const from = { phoneNumber: "+15005550198", label: "Telephone" };
  const { id: phoneNumberId } = await client.post(withId, "/api/v1/phone-numbers", from);
  const wanted = { phoneNumberId, assistantId, to: "+15002000001" };
  const { callId } = await client.post(outboundStart, "/api/v1/calls/outbound", wanted, "the-call");

  const { line, answeredAt } = await eventually("the answer", () =>
    callees.calls.find((callee) => callee.answeredAt !== null),
  );
  await eventually("the greeting", () => soundMillis(line.heard) > 1_000);
  const greeted = (stretchesOf(line.heard)[0]?.from ?? Number.POSITIVE_INFINITY) - (answeredAt ?? 0);
  expect(greeted).toBeLessThanOrEqual(GREETED_WITHIN_MILLIS);

  const spoke = await line.speak(soundOf(CUSTOMER));
  const [cut] = await eventually("the cut", () => told(cuts, callId, "CallSpeechCut"));
  const first = stretchesOf(line.heard)[0]?.from ?? Number.NaN;
  const silent = silentAt(line.heard, spoke) ?? Number.POSITIVE_INFINITY;
  process.stdout.write(
    `greeted ${Math.round(greeted)} ms after the answer; silent ${Math.round(silent - spoke)} ms after the first sound\n`,
  );
  expect(silent - spoke).toBeLessThanOrEqual(SILENT_WITHIN_MILLIS);
  const heard = joined(...line.heard.map(({ audio }) => audio));
  expect(likenessOfAny("Wonderful morning,", heard)).toBeGreaterThan(ALIKE);
  expect(likenessOfAny("borrowed books.", heard)).toBeLessThan(UNLIKE);
  expect(GREETING.startsWith(cut?.heard ?? "nothing")).toBe(true);
  expect(Math.abs((cut?.heardMillis ?? Number.NaN) - (silent - first))).toBeLessThanOrEqual(MISJUDGED_MILLIS);

  for (const digit of "15#") line.press(digit);
  const [keys] = await eventually("the keys", () => told(digits, callId, "CallDigitsReceived"));
  expect(keys).toEqual({ digits: "15", count: 2 });

  await client.remove(anything, `/api/v1/calls/outbound/${callId}`);
  const recording = await eventually("the recording", () => recordingOf(callId), RECORDED_WITHIN_MILLIS);
  expect(likenessOfAny("Wonderful morning,", recording)).toBeGreaterThan(ALIKE);
  expect(likenessOfAny("stop talking to me now", recording)).toBeGreaterThan(ALIKE);
  await eventually("nothing of ours to be left at Asterisk", isSwept, SWEPT_WITHIN_MILLIS);
});
