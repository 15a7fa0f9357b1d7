import { afterEach, describe, expect, it } from "vitest";
import { SpeechFailure } from "../../../infrastructure/speech/speech-failure.ts";
import type { SpeechAnswer } from "../../support/speech/fake-speech-server.ts";
import { OK } from "../../support/speech/fake-speech-server.ts";
import { likeness } from "../../support/speech/scripted-voice.ts";
import { KEY, type SpeechOverFake, speechOverFake } from "../../support/speech/speech-over-fake.ts";

let open: SpeechOverFake | null = null;
afterEach(() => open?.close());

const TEXT = "Good morning to you.";

async function speaker(...answers: SpeechAnswer[]): Promise<SpeechOverFake> {
  open = await speechOverFake((_asked, count) => answers[Math.min(count, answers.length) - 1] ?? OK);
  return open;
}

async function said({ voice }: SpeechOverFake, signal = new AbortController().signal): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const words = { text: TEXT, voice: null, language: "en" };
  for await (const part of voice.speak(words, signal)) parts.push(part);
  return Buffer.concat(parts);
}

const failed = (speech: SpeechOverFake, signal?: AbortSignal) =>
  said(speech, signal).then(
    () => "spoke",
    (error: unknown) => (error instanceof SpeechFailure ? `${error.kind}: ${error.message}` : String(error)),
  );

describe("the voice of a speech server", () => {
  it("says the words, at the pace of a telephone", async () => {
    const speech = await speaker(OK);
    const sound = await said(speech);
    expect(sound.length / 8).toBeCloseTo((TEXT.length / 15) * 1_000, -1);
    for (const word of ["Good", "morning", "you."]) expect(likeness(word, sound)).toBeGreaterThan(0.8);
    expect(likeness("evening", sound)).toBeLessThan(0.3);
    const [asked] = speech.server.asked;
    expect(asked?.path).toBe("/v1/audio/speech");
    expect(asked?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(asked?.body.toString() ?? "")).toEqual({
      model: "tts-1",
      input: TEXT,
      voice: "alloy",
      response_format: "pcm",
    });
    expect(speech.counted()).toEqual(["voice ok"]);
  });

  it("gives the first sound while the rest is still being made", async () => {
    const { voice } = await speaker({ kind: "speaks", ends: "stall" });
    const left = new AbortController();
    const words = { text: TEXT, voice: "nova", language: null };
    for await (const part of voice.speak(words, left.signal)) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    expect(JSON.parse(open?.server.asked[0]?.body.toString() ?? "").voice).toBe("nova");
    await open?.server.asked[0]?.leftByClient;
  });

  it("lets the server go when the words are no longer wanted", async () => {
    const speech = await speaker({ kind: "silent" });
    const left = new AbortController();
    const outcome = failed(speech, left.signal);
    setTimeout(() => left.abort(), 50);
    expect(await outcome).toMatch(/^aborted/);
    await speech.server.asked[0]?.leftByClient;
    expect(speech.counted()).toEqual(["voice aborted"]);
  });

  it.each([
    ["a 429", { kind: "status", status: 429 }],
    ["a 429 that names a moment", { kind: "status", status: 429, headers: { "retry-after": "0.2" } }],
    ["a 503", { kind: "status", status: 503 }],
  ] as const)("asks once more after %s", async (_name, first) => {
    const speech = await speaker(first, OK);
    expect((await said(speech)).length).toBeGreaterThan(8_000);
    expect(speech.server.asked).toHaveLength(2);
    expect(speech.counted()).toEqual(["voice retried"]);
  });

  it.each([
    ["throttled", { kind: "status", status: 429 }, 2],
    ["throttled", { kind: "status", status: 429, headers: { "retry-after": "60" } }, 1],
    ["unavailable", { kind: "status", status: 500 }, 2],
    ["refused", { kind: "status", status: 401 }, 1],
    ["refused", { kind: "status", status: 404 }, 1],
    ["refused", { kind: "status", status: 307, headers: { location: "http://127.0.0.1:1/" } }, 1],
    ["garbage", { kind: "document", contentType: "text/html", body: "<html>sk-secret</html>" }, 1],
    ["garbage", { kind: "document", contentType: "application/json", body: '{"error":"sk-secret"}' }, 1],
    ["garbage", { kind: "document", contentType: "audio/mpeg", body: "ID3" }, 1],
    ["garbage", { kind: "document", contentType: "application/octet-stream", body: "RIFF1234WAVEfmt " }, 1],
    ["garbage", { kind: "document", contentType: "audio/pcm", body: "" }, 1],
  ] as const)("is %s by %j, and says nothing of what the server said", async (kind, answer, asked) => {
    const speech = await speaker(answer);
    const outcome = await failed(speech);
    expect(outcome).toMatch(new RegExp(`^${kind}: `));
    expect(outcome).not.toContain("secret");
    expect(speech.server.asked).toHaveLength(asked);
    expect(speech.counted()).toEqual(["voice failed"]);
  });

  it("does not say words twice when the server dies in the middle of them", async () => {
    const speech = await speaker({ kind: "speaks", ends: "die" }, OK);
    expect(await failed(speech)).toMatch(/^unavailable/);
    expect(speech.server.asked).toHaveLength(1);
  });

  it("waits 3 s for a server that stops in the middle", async () => {
    const speech = await speaker({ kind: "speaks", ends: "stall" });
    const began = performance.now();
    expect(await failed(speech)).toMatch(/^stalled/);
    expect(performance.now() - began).toBeGreaterThan(2_900);
    await speech.server.asked[0]?.leftByClient;
  });
});
