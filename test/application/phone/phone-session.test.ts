import { beforeEach, describe, expect, it } from "vitest";
import { type PhoneSession, phoneSession } from "../../../application/phone/phone-session.ts";
import type { ToPhone } from "../../../contract/phone.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import { listenerThatTells } from "./told-sessions.ts";

const INTERRUPTIBLE = { interruptible: true, voice: null, language: null };
/** 30 characters: two seconds. */
const SENTENCE = "Good morning, this is Ringfold";

describe("a call on a phone", () => {
  let clock: MovingClock;
  let frames: ToPhone[];
  let told: unknown[][];
  let phone: PhoneSession;
  beforeEach(() => {
    clock = movingClock();
    frames = [];
    phone = phoneSession(clock, "call_1", (frame) => frames.push(frame));
    const listening = listenerThatTells();
    told = listening.told;
    phone.listen(listening.listener);
  });
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const pass = async (millis: number) => {
    clock.advance(millis);
    await settle();
  };

  it("shows words as they come, and tells when they were read", async () => {
    phone.session.say(1, "Good morning, ", false, INTERRUPTIBLE);
    phone.session.say(1, "this is Ringfold", true, INTERRUPTIBLE);
    expect(frames).toEqual([
      { type: "text", callId: "call_1", token: "Good morning, ", last: false },
      { type: "text", callId: "call_1", token: "this is Ringfold", last: true },
    ]);
    await pass(1_999);
    expect(told).toEqual([]);
    await pass(1);
    expect(told).toEqual([["heardWhole", 1]]);
  });

  it("reads one utterance after the other", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    phone.session.say(2, SENTENCE, true, INTERRUPTIBLE);
    await pass(2_000);
    await pass(1_999);
    expect(told).toEqual([["heardWhole", 1]]);
    await pass(1);
    expect(told).toEqual([
      ["heardWhole", 1],
      ["heardWhole", 2],
    ]);
  });

  it("stops in mid-sentence when the customer speaks, and says how far the phone came", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    await pass(1_000);
    phone.speaking("Good morning,");
    expect(told).toEqual([["speechStarted"], ["cut", 1, "Good morning,", 1_000, "exact"]]);
    expect(frames.at(-1)).toEqual({ type: "cleared", callId: "call_1" });
    phone.session.say(1, "too late", true, INTERRUPTIBLE);
    expect(frames.at(-1)).toEqual({ type: "cleared", callId: "call_1" });
  });

  it("tells by the time how far it came when the phone does not", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    await pass(1_000);
    phone.said("Stop!");
    expect(told).toEqual([
      ["cut", 1, SENTENCE.slice(0, 15), 1_000, "estimated"],
      ["customerSaid", "Stop!", null, false],
    ]);
  });

  it("is not stopped where it may not be interrupted", async () => {
    phone.session.say(1, SENTENCE, true, { interruptible: false, voice: null, language: null });
    phone.speaking(null);
    phone.said("But");
    await pass(2_000);
    expect(told).toEqual([
      ["customerSaid", "But", null, false],
      ["heardWhole", 1],
    ]);
  });

  it("closes when the last word was read, or the drain is over", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    phone.session.finish(10_000);
    await pass(1_999);
    expect(told).toEqual([]);
    await pass(1);
    expect(told).toEqual([
      ["heardWhole", 1],
      ["closed", "finished"],
    ]);
  });

  it("cuts what is being said when it closes, and tells nothing afterwards", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    await pass(400);
    phone.close("hung_up");
    phone.close("session_lost");
    phone.said("Hello?");
    await pass(5_000);
    expect(told).toEqual([
      ["cut", 1, "Good m", 400, "estimated"],
      ["closed", "hung_up"],
    ]);
  });

  it("drops what waits behind an utterance that is cut: none of its words is heard, late ones neither", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    phone.session.say(2, "And another", false, INTERRUPTIBLE);
    await pass(1_000);
    phone.speaking("Good");
    expect(told).toEqual([
      ["speechStarted"],
      ["cut", 1, "Good", 1_000, "exact"],
      ["cut", 2, "", 0, "estimated"],
    ]);
    const shown = frames.length;
    phone.session.say(2, " thing", true, INTERRUPTIBLE);
    await pass(10_000);
    expect([frames.length, told.length]).toEqual([shown, 3]);
    phone.session.say(3, "Yes?", true, INTERRUPTIBLE);
    expect(frames.at(-1)).toEqual({ type: "text", callId: "call_1", token: "Yes?", last: true });
  });

  it("lets nothing be interrupted while something waits that may not be", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    phone.session.say(2, SENTENCE, true, { interruptible: false, voice: null, language: null });
    phone.speaking(null);
    expect(told).toEqual([]);
    await pass(2_000);
    await pass(2_000);
    phone.speaking(null);
    expect(told.map(([name]) => name)).toEqual(["heardWhole", "heardWhole", "speechStarted"]);
  });

  it("drops only what it is told to clear, and nothing when that was heard", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    phone.session.say(2, SENTENCE, true, INTERRUPTIBLE);
    await pass(500);
    phone.session.clear(2);
    phone.session.clear(7);
    expect(told).toEqual([["cut", 2, "", 0, "estimated"]]);
    expect(frames.filter(({ type }) => type === "cleared")).toHaveLength(1);
    await pass(1_500);
    phone.session.clear(1);
    expect(told.at(-1)).toEqual(["heardWhole", 1]);
  });

  it("tells whoever listens later what happened before, in order", async () => {
    const early = phoneSession(clock, "call_2", (frame) => frames.push(frame));
    early.digit("5");
    early.said("Hello?");
    const listening = listenerThatTells();
    early.listen(listening.listener);
    early.digit("#");
    expect(listening.told).toEqual([
      ["digit", "5"],
      ["customerSaid", "Hello?", null, false],
      ["digit", "#"],
    ]);
  });

  it("cuts what is left when the drain is over, also what its speaker never ended", async () => {
    phone.session.say(1, SENTENCE, false, INTERRUPTIBLE);
    phone.session.finish(3_000);
    await pass(2_999);
    expect(told).toEqual([]);
    await pass(1);
    expect(told).toEqual([
      ["cut", 1, SENTENCE, 2_000, "estimated"],
      ["closed", "finished"],
    ]);
    phone.session.say(2, "Too late", true, INTERRUPTIBLE);
    expect(frames.at(-1)).toEqual({ type: "cleared", callId: "call_1" });
  });

  it("closes at once when nothing is left to be read, and transfers no call", async () => {
    expect(phone.session.transfer("+15005550006")).toBe("unsupported");
    phone.session.finish(10_000);
    await settle();
    expect(told).toEqual([["closed", "finished"]]);
  });

  it("reads the next utterance to its end when its words come only after its turn has begun", async () => {
    phone.session.say(1, SENTENCE, true, INTERRUPTIBLE);
    phone.session.say(2, "Good morning, ", false, INTERRUPTIBLE);
    await pass(2_000);
    phone.session.say(2, "this is Ringfold", true, INTERRUPTIBLE);
    await pass(1_999);
    expect(told).toEqual([["heardWhole", 1]]);
    await pass(1);
    expect(told.at(-1)).toEqual(["heardWhole", 2]);
  });
});
