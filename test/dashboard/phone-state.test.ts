import { describe, expect, it } from "vitest";
import type { ToPhone } from "../../contract/phone.ts";
import {
  disconnected,
  heardOf,
  lost,
  type PhoneState,
  readFrame,
  received,
  SILENT,
  shown,
  withWords,
} from "../../dashboard/src/phone/phone-state.ts";

const callId = "call_1";
const RINGING: ToPhone = { type: "ringing", callId, from: "+15005550000", assistantName: "Ada" };
const stateAfter = (...frames: readonly ToPhone[]): PhoneState =>
  frames.reduce((state, frame) => received(state, frame, 0), SILENT);
const text = (token: string, last: boolean): ToPhone => ({ type: "text", callId, token, last });
const talking = (...frames: readonly ToPhone[]) =>
  stateAfter(RINGING, { type: "answered", callId }, ...frames);
const texts = ({ talk, over }: PhoneState) => (talk ?? over)?.lines.map((line) => line.text);

describe("the state of the browser's phone", () => {
  it("rings once, also when it is told twice", () => {
    expect(stateAfter(RINGING, RINGING).ringing).toEqual([
      { callId, from: "+15005550000", assistantName: "Ada" },
    ]);
  });

  it("tells apart that another phone has the call and that it ended", () => {
    expect(stateAfter(RINGING, { type: "ended", callId, endReason: null }).over).toMatchObject({
      why: "taken",
    });
    expect(stateAfter(RINGING, { type: "ended", callId, endReason: "no_answer" }).over).toMatchObject({
      why: "ended",
      endReason: "no_answer",
    });
    expect(talking({ type: "ended", callId, endReason: "customer_ended" }).over?.call.assistantName).toBe(
      "Ada",
    );
  });

  it("shows what is said little by little, and tells how much was heard", () => {
    const state = shown(talking(text("Good ", false), text("morning", true), text("Next", true)), 4);
    expect(texts(state)).toEqual(["Good morning", "Next"]);
    expect(state.talk && heardOf(state.talk)).toBe("Good");
    const all = shown(shown(state, 100), 100);
    expect(all.talk && heardOf(all.talk)).toBeNull();
  });

  it("keeps of what was cut only what was shown", () => {
    const state = shown(talking(text("Good morning", false), text("!", true), text("Next", true)), 4);
    const cut = received(withWords(state, "customer", "Stop"), { type: "cleared", callId }, 0);
    expect(cut.talk?.lines.map((line) => [line.role, line.text, line.cut])).toEqual([
      ["assistant", "Good", true],
      ["customer", "Stop", false],
    ]);
  });

  it("joins digits that are pressed one after the other", () => {
    expect(texts(withWords(withWords(talking(), "digits", "1"), "digits", "#"))).toEqual(["1#"]);
  });

  it("keeps the talk over a break of the connection, and names a call that ended meanwhile", () => {
    const broken = disconnected(talking(text("Hello", true)));
    const back = received(broken, { type: "answered", callId }, 9);
    expect(texts(back)).toEqual(["Hello"]);
    expect(lost(broken).over).toMatchObject({ why: "lost", lines: [{ shown: 5 }] });
  });

  it("ignores what it does not know", () => {
    expect([readFrame("no JSON"), readFrame('{"type":"new","callId":"call_1"}')]).toEqual([null, null]);
    expect(readFrame('{"type":"cleared","callId":"call_1"}')).toEqual({ type: "cleared", callId });
  });
});
