import { describe, expect, it } from "vitest";
import { audioCall } from "../../../support/speech/audio-call.ts";
import { likeness, soundOf } from "../../../support/speech/scripted-voice.ts";
import { joined, noise, silence, speech } from "../../../support/speech/sounds.ts";

const PLAIN = { interruptible: true, voice: null, language: null };
/** Four seconds, of two sentences. */
const TEXT = "Your invoice is due tomorrow. Please pay it by Friday night.";

describe("an assistant on an audio line", () => {
  it("is heard sentence by sentence, in its own words", async () => {
    const call = await audioCall();
    for (const token of TEXT.split(/(?<= )/)) call.session.say(1, token, false, PLAIN);
    call.session.say(1, "", true, PLAIN);
    await call.pass(4_300);
    expect(call.voice.asked).toEqual(["Your invoice is due tomorrow.", "Please pay it by Friday night."]);
    for (const word of ["invoice", "tomorrow.", "Please", "night."])
      expect(likeness(word, call.heard())).toBeGreaterThan(0.9);
    expect(call.told()).toEqual(["heard 1"]);
  });

  it("speaks each utterance with the voice of whoever says it", async () => {
    const call = await audioCall();
    call.session.say(1, "One moment, please.", true, { ...PLAIN, voice: "ada" });
    call.session.say(2, "Hello, this is Billing.", true, { ...PLAIN, voice: "ben" });
    call.session.say(3, "Goodbye.", true, PLAIN);
    await call.pass(6_000);
    expect(call.voice.voices).toEqual(["ada", "ben", null]);
  });

  it("begins with the first clause, while the model is still writing", async () => {
    const call = await audioCall({ voiceMillis: 100 });
    call.session.say(1, "Good morning Ada, this is", false, PLAIN);
    await call.pass(220);
    expect(call.voice.asked).toEqual(["Good morning Ada,"]);
    expect(likeness("Good", call.heard())).toBeLessThan(0.3);
    await call.pass(400);
    expect(likeness("Good", call.heard())).toBeGreaterThan(0.9);
  });

  it("leaves no gap between sentences when the voice is as slow as speech allows", async () => {
    const call = await audioCall({ voiceMillis: 300 });
    call.say(1, TEXT);
    await call.pass(4_600);
    const frames = call.line.heard.map((frame) => frame.some((sample) => sample !== 0xff));
    const [first, last] = [frames.indexOf(true), frames.lastIndexOf(true)];
    expect((last - first) * 20).toBeLessThanOrEqual(TEXT.length * (1_000 / 15) + 60);
    expect(call.told()).toEqual(["heard 1"]);
  });

  it("leaves no gap between utterances", async () => {
    const call = await audioCall();
    call.say(1, "Hello.");
    call.say(2, "Goodbye.");
    await call.pass(1_200);
    const frames = call.line.heard.map((frame) => frame.some((sample) => sample !== 0xff));
    const [first, last] = [frames.indexOf(true), frames.lastIndexOf(true)];
    expect(last - first).toBeGreaterThan(40);
    expect(frames.slice(first, last)).not.toContain(false);
    expect(call.told()).toEqual(["heard 1", "heard 2"]);
  });

  it("speaks a word behind a space that is longer than any piece", async () => {
    const call = await audioCall();
    const word = "a".repeat(300);
    call.say(1, ` ${word}`);
    await call.pass(25_000);
    expect(call.voice.asked.join("")).toBe(word);
    expect(call.told()).toEqual(["heard 1"]);
  });

  it("asks for no more than a quarter of a minute ahead", async () => {
    const call = await audioCall();
    const sentence = "This is a sentence of three seconds, as it were. ";
    call.say(1, sentence.repeat(40));
    await call.pass(1_000);
    expect(call.voice.asked.length).toBeLessThanOrEqual(9);
    expect(call.line.far.dropped()).toBe(0);
    await call.pass(140_000);
    expect(call.voice.asked.length).toBe(41);
    expect(call.told()).toEqual(["heard 1"]);
  });
});

describe("what is taken back", () => {
  it("before any of it was given is cut at once, without asking the line", async () => {
    const call = await audioCall({ voiceMillis: 500 });
    call.say(1, TEXT);
    call.session.clear(1);
    expect(call.told()).toEqual(['cut 1 "" 0 exact']);
    await call.pass(2_000);
    expect(call.line.told).toEqual([]);
    expect(call.told()).toHaveLength(1);
  });

  it("within its first word was heard of no word", async () => {
    const call = await audioCall();
    call.say(1, "Unquestionably, it is.");
    await call.pass(400);
    call.session.clear(1);
    await call.pass(40);
    expect(call.told()).toEqual([expect.stringMatching(/^cut 1 "" (3|4)\d\d estimated$/)]);
  });

  it("was heard by its share of the audio, also of a voice that is faster than others", async () => {
    const speaker = {
      async *speak({ text }: { readonly text: string }) {
        yield soundOf(text.slice(0, Math.ceil(text.length / 2)));
      },
    };
    const call = await audioCall({ speaker });
    call.say(1, "Your invoice is due tomorrow.");
    await call.pass(560);
    call.session.clear(1);
    await call.pass(40);
    expect(call.told()).toEqual([expect.stringMatching(/^cut 1 "Your invoice is" 5\d\d estimated$/)]);
  });

  it("is told of before what comes behind it", async () => {
    const call = await audioCall({ flushMillis: 50 });
    call.say(1, TEXT);
    await call.pass(1_000);
    call.session.clear(1);
    call.say(2, "");
    expect(call.told()).toEqual([]);
    await call.pass(100);
    expect(call.told()).toEqual([expect.stringMatching(/^cut 1 "Your/), "heard 2"]);
  });
});

/** Without what is silent in it. */
const sounding = (audio: Buffer) => audio.filter((sample) => sample !== 0xff && sample !== 0x7f);

describe("an interruption", () => {
  it("silences us within 240 ms of the first sound, and cuts what was not heard", async () => {
    const call = await audioCall({ flushMillis: 20 });
    call.say(1, TEXT);
    await call.pass(1_000);
    call.line.speak(joined(speech(1_200, -20), silence(2_000)));
    const began = call.clock.elapsed();
    await call.pass(3_000);
    const [pause, flush] = call.line.told;
    expect(pause?.what).toBe("pause");
    expect((pause?.at ?? 0) - began).toBeLessThanOrEqual(240);
    expect(flush?.what).toBe("flush");
    expect((flush?.at ?? 0) - began).toBeLessThanOrEqual(420);
    expect(call.told()).toEqual([
      expect.stringMatching(/^cut 1 "Your invoice is" 1[12]\d\d estimated$/),
      "speech",
      "said words",
    ]);
    const after = call.line.heard.slice(Math.floor(((pause?.at ?? 0) + 40) / 20));
    expect(after.every((frame) => frame.every((sample) => sample === 0xff))).toBe(true);
  });

  it("is told, and asked for at the line, at the moment of the decision", async () => {
    const call = await audioCall({ flushMillis: 50 });
    call.say(1, TEXT);
    await call.pass(1_000);
    call.line.speak(joined(speech(1_200, -20), silence(2_000)));
    await call.pass(600);
    const flush = call.line.told.find(({ what }) => what === "flush");
    expect(call.toldAt("speech") - (flush?.at ?? 0)).toBeLessThanOrEqual(60);
  });

  it("of less than 160 ms changes nothing", async () => {
    const call = await audioCall();
    call.say(1, TEXT);
    await call.pass(1_000);
    call.line.speak(joined(noise(140, -12), silence(500), noise(100, -12)));
    await call.pass(3_500);
    expect(call.line.told).toEqual([]);
    expect(call.told()).toEqual(["heard 1"]);
  });

  it("that was none pauses us, and we go on where we were: nothing is lost", async () => {
    const call = await audioCall({ transcribe: async () => ({ text: "", language: null }) });
    call.say(1, TEXT);
    await call.pass(1_000);
    call.line.speak(joined(noise(220, -15), silence(3_000)));
    await call.pass(4_500);
    expect(call.line.told.map(({ what }) => what)).toEqual(["pause", "resume"]);
    const [pause, resume] = call.line.told;
    expect((resume?.at ?? 0) - (pause?.at ?? 0)).toBeLessThanOrEqual(400);
    expect(sounding(call.heard())).toEqual(sounding(Buffer.concat(call.voice.asked.map(soundOf))));
    expect(call.told()).toEqual(["heard 1"]);
  });

  it("of a short word is one, once the word is known", async () => {
    const call = await audioCall({ transcribe: async () => ({ text: "yes", language: null }) });
    call.say(1, TEXT);
    await call.pass(1_000);
    call.line.speak(joined(noise(220, -15), silence(3_000)));
    await call.pass(2_000);
    expect(call.told()).toEqual([expect.stringMatching(/^cut 1 "Your invoice/), "speech", "said yes"]);
  });

  it("drops what waited behind, and what is still coming of it", async () => {
    const call = await audioCall();
    call.session.say(1, "I was just about to tell you everything. ", false, PLAIN);
    call.say(2, "And this.");
    await call.pass(1_000);
    call.line.speak(joined(speech(800, -20), silence(2_000)));
    await call.pass(500);
    call.session.say(1, "And that.", true, PLAIN);
    await call.pass(4_000);
    expect(call.told()[1]).toBe('cut 2 "" 0 exact');
    expect(call.told().filter((each) => each.startsWith("cut"))).toHaveLength(2);
    expect(call.voice.asked.join(" ")).not.toContain("that");
  });

  it("stops nothing that must be heard, and lets it be heard whole", async () => {
    const call = await audioCall();
    call.say(1, "This call is recorded.", false);
    call.say(2, TEXT);
    await call.pass(500);
    call.line.speak(joined(speech(600, -20), silence(8_000)));
    await call.pass(300);
    call.session.clear(2);
    await call.pass(4_000);
    expect(call.told().toSorted()).toEqual(['cut 2 "" 0 exact', "heard 1", "said words", "speech"]);
    expect(likeness("recorded.", call.heard())).toBeGreaterThan(0.6);
    expect(likeness("invoice", call.heard())).toBeLessThan(0.4);
  });

  it("stops nothing where nobody understands words", async () => {
    const call = await audioCall({ transcribe: null });
    call.say(1, TEXT);
    await call.pass(1_000);
    call.line.speak(joined(speech(1_200, -20), silence(2_000)));
    await call.pass(3_500);
    call.line.digit("5");
    expect(call.line.told).toEqual([]);
    expect(call.told()).toEqual(["heard 1", "digit 5"]);
  });
});

describe("the customer", () => {
  it("is heard when a turn is over, by the assistant's silence", async () => {
    const call = await audioCall({ endSilenceMillis: 800 });
    call.line.speak(joined(silence(400), speech(1_000, -20), silence(3_000)));
    await call.pass(3_000);
    expect(call.told()).toEqual(["speech", "said words"]);
    expect(call.toldAt("speech")).toBeLessThanOrEqual(660);
    expect(call.toldAt("said") - 1_400).toBeGreaterThanOrEqual(760);
    expect(call.toldAt("said") - 1_400).toBeLessThanOrEqual(860);
  });

  it("has said nothing when the recogniser hears no words, or fails", async () => {
    for (const transcribe of [
      async () => ({ text: " ", language: null }),
      () => Promise.reject(new Error("no")),
    ]) {
      const call = await audioCall({ transcribe });
      call.line.speak(joined(silence(400), speech(1_000, -20), silence(3_000)));
      await call.pass(3_000);
      expect(call.told()).toEqual(["speech", "said "]);
    }
  });

  it("who never stops is told of again and again", async () => {
    const call = await audioCall();
    call.line.speak(speech(20_000, -20));
    await call.pass(12_000);
    expect(call.told()).toEqual(["speech", "machine speaks", "speech"]);
  });

  it("who says nothing is told of, once for each time of silence", async () => {
    const call = await audioCall({ silenceTimeoutMillis: 8_000 });
    call.say(1, "Hello there.");
    await call.pass(8_500);
    expect(call.told()).toEqual(["heard 1"]);
    await call.pass(600);
    expect(call.told()).toEqual(["heard 1", "silence"]);
    call.line.digit("1");
    await call.pass(7_900);
    expect(call.told()).toEqual(["heard 1", "silence", "digit 1"]);
    await call.pass(200);
    expect(call.told().at(-1)).toBe("silence");
  });
});

describe("a voice that fails", () => {
  it("ends the utterance where it failed, and the customer may speak", async () => {
    const call = await audioCall();
    call.voice.fail(1);
    call.say(1, TEXT);
    await call.pass(1_000);
    expect(call.told()).toEqual(['cut 1 "" 0 exact', "said "]);
    call.say(2, "Hello there.");
    await call.pass(1_000);
    expect(call.told().at(-1)).toBe("heard 2");
  });

  it("as often, but not in a row, loses no session", async () => {
    const call = await audioCall();
    for (const id of [1, 2, 3, 4, 5, 6]) {
      if (id % 3 !== 0) call.voice.fail(1);
      call.say(id, "Hello there.");
      await call.pass(1_000);
    }
    expect(call.told().filter((line) => line.startsWith("cut"))).toHaveLength(4);
    expect(call.told().filter((line) => line.startsWith("heard"))).toEqual(["heard 3", "heard 6"]);
    expect(call.told().some((line) => line.startsWith("closed"))).toBe(false);
  });

  it("three times in a row loses the session", async () => {
    const call = await audioCall();
    call.voice.fail(6);
    for (const id of [1, 2, 3]) {
      call.say(id, TEXT);
      await call.pass(500);
    }
    expect(call.told().at(-1)).toBe("closed session_lost");
    call.say(4, TEXT);
    await call.pass(1_000);
    expect(call.told().at(-1)).toBe("closed session_lost");
  });
});

it("an audio line that no conversation takes is left as it is", async () => {
  const call = await audioCall({ refuses: true });
  expect(call.outcome).toBe("refused");
  expect(call.line.hungUp()).toBe(false);
});

it("the line is hung up when the conversation is finished", async () => {
  const call = await audioCall();
  call.say(1, "Goodbye.");
  call.session.finish(10_000);
  await call.pass(700);
  expect(call.told()).toEqual(["heard 1", "closed finished"]);
  expect(call.line.hungUp()).toBe(true);
});
