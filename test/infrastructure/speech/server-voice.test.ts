import { afterEach, describe, expect, it } from "vitest";
import { decodeMuLaw } from "../../../application/voice/audio/mu-law.ts";
import { SpeechFailure } from "../../../infrastructure/speech/speech-failure.ts";
import { OK, type SpeechAnswer } from "../../support/speech/fake-speech-server.ts";
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
    ["garbage", { kind: "document", contentType: "audio/pcm;rate=17", body: "1234" }, 1],
    ["garbage", { kind: "document", contentType: "audio/pcm; rate=24000; channels=2", body: "1234" }, 1],
    ["garbage", { kind: "document", contentType: "audio/aac", body: "1234" }, 1],
  ] as const)("is %s by %j, and says nothing of what the server said", async (kind, answer, asked) => {
    const speech = await speaker(answer);
    const outcome = await failed(speech);
    expect(outcome).toMatch(new RegExp(`^${kind}: `));
    expect(outcome).not.toContain("secret");
    expect(speech.server.asked).toHaveLength(asked);
    expect(speech.counted()).toEqual(["voice failed"]);
  });

  it.each([
    ["MP3 without a tag", [0xff, 0xfb, 0x90, 0x64]],
    ["MP3 of MPEG 2", [0xff, 0xf3, 0x84, 0xc4]],
    ["AAC", [0xff, 0xf1, 0x50, 0x80]],
    ["MP4", [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70, 0x4d, 0x34, 0x41, 0x20]],
    ["WebM", [0x1a, 0x45, 0xdf, 0xa3]],
    ["Ogg", [0x4f, 0x67, 0x67, 0x53]],
    ["AIFF", [0x46, 0x4f, 0x52, 0x4d]],
  ])("%s in place of samples is garbage, although the server does not say so", async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from(bytes), Buffer.alloc(4_000, 0x55)]);
    const outcome = await failed(
      await speaker({ kind: "document", contentType: "application/octet-stream", body }),
    );
    expect(outcome).toBe("garbage: The speech server sent a file in place of samples");
  });

  it.each([
    ["silence", [0, 0, 0, 0]],
    ["a quiet negative sample", [0xff, 0xff, 0x10, 0x00]],
    ["a sample of 123", [0x7b, 0x00, 0x7c, 0x00]],
  ])("samples that begin with %s are sound", async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from(bytes), Buffer.alloc(4_800)]);
    const sound = await said(
      await speaker({ kind: "document", contentType: "application/octet-stream", body }),
    );
    expect(sound.length).toBeGreaterThan(700);
  });

  it("fewer bytes than tell a file are sound as well", async () => {
    const body = Buffer.alloc(6);
    expect(await failed(await speaker({ kind: "document", contentType: "audio/pcm", body }))).toBe("spoke");
  });

  it.each([8_000, 16_000, 22_050, 24_000, 44_100, 48_000])(
    "samples of %i a second, as the content type says, keep their pitch and their length",
    async (rate) => {
      const body = Buffer.alloc(2 * rate);
      for (let at = 0; at < rate; at += 1)
        body.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / rate)), 2 * at);
      const sound = await said(
        await speaker({ kind: "document", contentType: `audio/pcm;rate=${rate}`, body }),
      );
      expect(sound.length / 8_000).toBeCloseTo(1, 1);
      const samples = [...decodeMuLaw(sound)];
      const rising = samples.filter((each, at) => each >= 0 && (samples[at - 1] ?? 0) < 0).length;
      expect(Math.abs(rising - 440)).toBeLessThan(9);
    },
  );

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
