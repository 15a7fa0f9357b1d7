import { describe, expect, it } from "vitest";
import { createListening } from "../../../../application/voice/audio/listening.ts";
import { decodeMuLaw, levelOf, QUIETEST_DB } from "../../../../application/voice/audio/mu-law.ts";
import { framesOf, joined, mixed, noise, silence, speech, tone } from "../../../support/speech/sounds.ts";

/** What was told of a sound, with the milliseconds at which it was. */
function told(sound: Uint8Array, { endSilence = 500, weSpeak = false } = {}): [string, number][] {
  const events: [string, number][] = [];
  let at = 0;
  const tell = (what: string) => () => void events.push([what, at]);
  const listening = createListening(endSilence, {
    began: tell("began"),
    certain: tell("certain"),
    ended: tell("ended"),
    announcement: tell("announcement"),
    beep: tell("beep"),
    frame: () => undefined,
  });
  for (const frame of framesOf(sound)) {
    at += 20;
    listening.take(frame, weSpeak);
  }
  return events;
}

const kinds = (sound: Uint8Array, options = {}) => told(sound, options).map(([what]) => what);
const over = (background: (millis: number) => Uint8Array, sound: Uint8Array) =>
  mixed(background(sound.length / 8), sound, decodeMuLaw);
const QUIET = silence(600);

describe("listening to a line", () => {
  it.each([-15, -25, -35])(
    "hears speech of %i dB begin within 240 ms of its first sound, and end after the silence",
    (level) => {
      const events = told(joined(QUIET, speech(2_000, level), silence(800)));
      expect(events.map(([what]) => what)).toEqual(["began", "certain", "ended"]);
      const [[, began], , [, ended]] = events as [[string, number], [string, number], [string, number]];
      expect(began).toBeGreaterThanOrEqual(760);
      expect(began).toBeLessThanOrEqual(840);
      expect(ended).toBeGreaterThanOrEqual(3_020);
      expect(ended).toBeLessThanOrEqual(3_120);
    },
  );

  it("ends a turn after the silence that is asked for", () => {
    const sound = joined(QUIET, speech(1_000, -20), silence(400), speech(1_000, -20), silence(1_300));
    expect(kinds(sound, { endSilence: 1_000 })).toEqual(["began", "certain", "ended"]);
    expect(kinds(sound, { endSilence: 200 })).toEqual([
      "began",
      "certain",
      "ended",
      "began",
      "certain",
      "ended",
    ]);
  });

  it("hears nothing in a click, a cough or a knock of less than 160 ms", () => {
    const sounds = [20, 60, 120, 140].flatMap((millis) => [noise(millis, -12), silence(700)]);
    expect(kinds(joined(QUIET, ...sounds))).toEqual([]);
  });

  it("is certain only after 300 ms", () => {
    expect(kinds(joined(QUIET, noise(240, -15), silence(800)))).toEqual(["began", "ended"]);
    expect(kinds(joined(QUIET, speech(600, -15), silence(800)))).toEqual(["began", "certain", "ended"]);
  });

  it("takes no audio at all for the quietest", () => {
    expect(levelOf(new Uint8Array(0))).toBe(QUIETEST_DB);
    expect(levelOf(silence(20))).toBe(QUIETEST_DB);
  });

  it("is certain of as much sound with a short pause in it", () => {
    const words = joined(noise(200, -15), silence(100), noise(160, -15));
    expect(kinds(joined(QUIET, words, silence(800)))).toEqual(["began", "certain", "ended"]);
  });

  it.each([-60, -50, -40])("hears nothing in %i dB of noise that is there from the beginning", (level) => {
    expect(kinds(noise(20_000, level))).toEqual([]);
  });

  it("takes noise that sets in for the floor within 1.5 s", () => {
    const events = told(joined(QUIET, noise(10_000, -38)));
    expect(events.map(([what]) => what)).toEqual(["began", "certain", "ended"]);
    expect(events.at(-1)?.[1]).toBeLessThanOrEqual(600 + 1_500);
  });

  it.each([-50, -42])("hears speech over %i dB of noise, and its end", (level) => {
    const sound = joined(silence(1_500), speech(1_500, -22), silence(1_500));
    expect(kinds(over((millis) => noise(millis, level, 3), sound))).toEqual(["began", "certain", "ended"]);
  });

  it.each([50, 60, 100])("hears no speech in a hum of %i Hz, and speech over it", (hertz) => {
    expect(kinds(tone(10_000, -30, hertz))).toEqual([]);
    expect(kinds(joined(QUIET, tone(5_000, -30, hertz)))).toEqual([]);
    const sound = joined(silence(1_500), speech(1_500, -20), silence(1_500));
    expect(kinds(over((millis) => tone(millis, -40, hertz), sound))).toEqual(["began", "certain", "ended"]);
  });

  it("hears no echo of ourselves while we speak, but whoever speaks louder", () => {
    const echo = joined(QUIET, speech(3_000, -40), silence(800));
    expect(kinds(echo)).toContain("began");
    expect(kinds(echo, { weSpeak: true })).toEqual([]);
    expect(kinds(joined(QUIET, speech(1_000, -25), silence(800)), { weSpeak: true })).toEqual([
      "began",
      "certain",
      "ended",
    ]);
  });

  it.each([425, 800, 1_000, 1_400])("hears the beep of %i Hz behind an announcement", (hertz) => {
    const greeting = joined(QUIET, speech(3_000, -20), silence(300), tone(400, -15, hertz), silence(900));
    expect(kinds(greeting).filter((what) => what === "beep")).toEqual(["beep"]);
  });

  it("takes neither voices nor keys nor ringing for a beep", () => {
    const key = over(() => tone(400, -18, 770), tone(400, -18, 1_336));
    const ringing = over(() => tone(2_000, -20, 440), tone(2_000, -20, 480));
    const voices = [1, 2, 3, 4, 5].map((seed) => speech(4_000, -20, seed));
    expect(kinds(joined(QUIET, key, QUIET, ringing, QUIET, ...voices, silence(900)))).not.toContain("beep");
  });

  it("tells of an announcement after 2.5 s without a pause, not of sentences with pauses", () => {
    expect(kinds(joined(QUIET, speech(4_000, -20)))).toContain("announcement");
    const sentences = [1, 2, 3].flatMap((seed) => [speech(1_500, -20, seed), silence(400)]);
    expect(kinds(joined(QUIET, ...sentences))).not.toContain("announcement");
  });

  it("takes audio in pieces of any length", () => {
    const sound = joined(QUIET, speech(1_000, -20), silence(800));
    const events: string[] = [];
    const listening = createListening(500, {
      began: () => events.push("began"),
      certain: () => events.push("certain"),
      ended: () => events.push("ended"),
      announcement: () => undefined,
      beep: () => undefined,
      frame: () => undefined,
    });
    for (let at = 0; at < sound.length; at += 133) listening.take(sound.subarray(at, at + 133), false);
    expect(events).toEqual(["began", "certain", "ended"]);
  });
});
