import { describe, expect, it } from "vitest";
import type { SpeechHeard, SpeechToText } from "../../../../application/ports/speech.ts";
import { audioCall } from "../../../support/speech/audio-call.ts";
import { joined, noise, silence, speech, tone } from "../../../support/speech/sounds.ts";

/** Four seconds. */
const TEXT = "Your invoice is due tomorrow. Please pay it by Friday night.";

/** A call whose recogniser is the test: it says what it hears, and keeps what it was given. */
async function callWithEar() {
  const given: Uint8Array[] = [];
  let closed = 0;
  const recogniser = Promise.withResolvers<SpeechHeard>();
  const ear: SpeechToText = {
    listen: (_options, heard) => {
      recogniser.resolve(heard);
      return {
        push: (audio) => void given.push(audio),
        close: () => {
          closed += 1;
        },
      };
    },
  };
  const call = await audioCall({ ear });
  return { ...call, given, hears: await recogniser.promise, closed: () => closed };
}

describe("the recogniser", () => {
  it("gets nothing of the echo of what we say, and 360 ms before the customer's first sound", async () => {
    const { line, given, pass, say } = await callWithEar();
    // Between two frames of the line.
    await pass(1_010);
    say(1, TEXT);
    await pass(100);
    given.splice(0);
    await pass(900);
    expect(given).toEqual([]);
    const words = speech(1_000, -20);
    line.speak(words);
    await pass(100);
    const frames = given.map((frame) => frame.length / 160).reduce((sum, each) => sum + each, 0);
    expect(frames).toBeGreaterThan(18);
    expect(frames).toBeLessThanOrEqual(18 + 5);
    const spoken = Buffer.concat(given).subarray(-5 * 160);
    expect(spoken.equals(Buffer.from(words.subarray(0, 5 * 160)))).toBe(true);
    expect(
      Buffer.concat(given)
        .subarray(0, -5 * 160)
        .every((sample) => sample === 0xff),
    ).toBe(true);
  });

  it("gets everything while we are silent", async () => {
    const { given, pass } = await callWithEar();
    await pass(2_000);
    expect(given.length).toBeGreaterThanOrEqual(99);
  });

  it("that finds no words in a part of a turn has not ended it", async () => {
    const { line, hears, pass, told } = await callWithEar();
    line.speak(joined(silence(400), speech(1_000, -20), silence(3_000)));
    await pass(3_000);
    hears.said(" ", null, false);
    expect(told()).toEqual(["speech"]);
    hears.said(" ", null, true);
    expect(told()).toEqual(["speech", "said "]);
    hears.said(" ", null, true);
    expect(told()).toHaveLength(2);
  });

  it("that never says anything ends the turn after ten seconds", async () => {
    const { line, pass, told } = await callWithEar();
    line.speak(joined(silence(400), speech(1_000, -20)));
    await pass(11_900);
    expect(told()).toEqual(["speech"]);
    await pass(400);
    expect(told()).toEqual(["speech", "said "]);
  });

  it("that fails while nobody speaks ends no turn, and is written to the log", async () => {
    const { hears, pass, told, warned } = await callWithEar();
    await pass(1_000);
    hears.failed("no connection");
    await pass(20_000);
    expect(told()).toEqual([]);
    expect(warned).toEqual([{ callId: "call_1", cause: "no connection" }]);
  });

  it("is closed with the session, once", async () => {
    const { session, line, closed, pass } = await callWithEar();
    await pass(1_000);
    expect(closed()).toBe(0);
    session.finish(0);
    line.close("hung_up");
    expect(closed()).toBe(1);
  });
});

describe("an interruption is counted", () => {
  const interruptions = (counted: readonly unknown[]) =>
    counted.filter((each) => JSON.stringify(each).includes("ringfold_interruptions_total"));

  it("as real where it cuts what we say, and not where nothing is said", async () => {
    const { line, say, pass, counted } = await audioCall();
    line.speak(joined(speech(800, -20), silence(2_000)));
    await pass(3_000);
    expect(interruptions(counted)).toEqual([]);
    say(1, TEXT);
    await pass(1_000);
    line.speak(joined(speech(800, -20), silence(2_000)));
    await pass(3_000);
    expect(interruptions(counted)).toEqual([{ name: "ringfold_interruptions_total", kind: "real" }]);
  });

  it("as false where we go on", async () => {
    const { line, say, pass, counted } = await audioCall({
      transcribe: async () => ({ text: "", language: null }),
    });
    say(1, TEXT);
    await pass(1_000);
    line.speak(joined(noise(220, -15), silence(3_000)));
    await pass(4_000);
    expect(interruptions(counted)).toEqual([{ name: "ringfold_interruptions_total", kind: "false" }]);
  });
});

it("a machine is told of by its announcement, and by its beep when it takes a message", async () => {
  const { line, pass, told } = await audioCall();
  line.speak(joined(silence(600), speech(3_000, -20), silence(300), tone(400, -15, 1_000), silence(900)));
  await pass(4_000);
  expect(told()).toEqual(["speech", "machine speaks"]);
  await pass(1_000);
  expect(told().filter((each) => each.startsWith("machine"))).toEqual(["machine speaks", "machine ended"]);
});
