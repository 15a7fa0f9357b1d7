import { beforeEach, describe, expect, it } from "vitest";
import { type PhoneSession, phoneSession } from "../../../application/phone/phone-session.ts";
import type { ToPhone } from "../../../application/ports/phones.ts";
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
});
