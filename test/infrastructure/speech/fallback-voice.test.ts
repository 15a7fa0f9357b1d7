import { describe, expect, it } from "vitest";
import type { TextToSpeech } from "../../../application/ports/speech.ts";
import { withFallback } from "../../../infrastructure/speech/open-speech.ts";

const UTTERANCE = { text: "Hello there.", voice: "nova", language: "en" };

/** Says these sounds, then fails if it is to. */
function voiceOf(sounds: readonly (readonly number[])[], fails: boolean) {
  const asked: unknown[] = [];
  const voice: TextToSpeech = {
    async *speak(utterance) {
      asked.push(utterance);
      for (const sound of sounds) yield Uint8Array.from(sound);
      if (fails) throw new Error("the voice is away");
    },
  };
  return { voice, asked };
}

/** What is on the line, and how it ended. */
async function spoken(first: TextToSpeech, second: TextToSpeech, signal = new AbortController().signal) {
  const line: number[] = [];
  try {
    for await (const sound of withFallback(first, second).speak(UTTERANCE, signal)) line.push(...sound);
    return { line, end: "spoken" };
  } catch (error) {
    return { line, end: String(error) };
  }
}

describe("the second voice", () => {
  const second = () => voiceOf([[7], [8]], false);

  it("never repeats what is on the line: a voice that fails after its first sound has failed", async () => {
    const other = second();
    const { voice } = voiceOf([[1, 2], [3]], true);
    expect(await spoken(voice, other.voice)).toEqual({ line: [1, 2, 3], end: "Error: the voice is away" });
    expect(other.asked).toEqual([]);
  });

  it.each([
    ["nothing", []],
    ["no sound", [[], []]],
  ])("says the whole when the first gave %s, with a voice of its own", async (_what, sounds) => {
    const other = second();
    expect(await spoken(voiceOf(sounds, true).voice, other.voice)).toEqual({ line: [7, 8], end: "spoken" });
    expect(other.asked).toEqual([{ ...UTTERANCE, voice: null }]);
  });

  it("is not asked when the first has said it, or when it is not wanted any more", async () => {
    const other = second();
    expect(await spoken(voiceOf([[1]], false).voice, other.voice)).toEqual({ line: [1], end: "spoken" });
    const away = voiceOf([], true).voice;
    expect(await spoken(away, other.voice, AbortSignal.abort())).toMatchObject({ line: [] });
    expect(other.asked).toEqual([]);
  });
});
