import { beforeEach, describe, expect, it } from "vitest";
import type { FromPhone } from "../../contract/phone.ts";
import { type TerminalPhone, terminalPhone } from "../../programs/phone/terminal-phone.ts";

const callId = "call_1";

describe("the terminal's phone", () => {
  let written: string;
  let sent: FromPhone[];
  let phone: TerminalPhone;
  beforeEach(() => {
    written = "";
    sent = [];
    phone = terminalPhone({
      write: (text) => {
        written += text;
      },
      send: (frame) => sent.push(frame),
      answersAtOnce: false,
    });
  });
  const connected = () => {
    phone.receive({ type: "ringing", callId, from: "+15005550100", assistantName: "Ada" });
    phone.typed("");
    phone.receive({ type: "answered", callId });
    written = "";
    sent = [];
  };

  it("says who calls, and answers with Enter", () => {
    phone.receive({ type: "ringing", callId, from: "+15005550100", assistantName: "Ada" });
    expect(written).toContain("Ada calls from +15005550100");
    phone.typed("");
    expect(sent).toEqual([{ type: "answer", callId }]);
  });

  it("declines once", () => {
    phone.receive({ type: "ringing", callId, from: "+15005550100", assistantName: "Ada" });
    phone.typed("/decline");
    phone.typed("/decline");
    expect(sent).toEqual([{ type: "decline", callId }]);
    expect(written).toContain("Nobody calls now");
  });

  it("shows what is said bit by bit, each utterance on a line of its own", () => {
    connected();
    phone.receive({ type: "text", callId, token: "Good ", last: false });
    phone.receive({ type: "text", callId, token: "day", last: true });
    phone.receive({ type: "text", callId, token: "Well?", last: true });
    phone.show(6);
    expect(written).toBe("Good d");
    phone.show(4);
    expect(written).toBe("Good day\nWe");
  });

  it("interrupts with what was shown so far", () => {
    connected();
    phone.receive({ type: "text", callId, token: "Good day", last: true });
    phone.show(4);
    phone.typed("Who is this?");
    phone.receive({ type: "cleared", callId });
    phone.show(10);
    expect(sent).toEqual([
      { type: "speaking", callId, heard: "Good" },
      { type: "said", callId, text: "Who is this?" },
    ]);
    expect(written).toBe("Good …\n");
  });

  it("just says it when everything was shown", () => {
    connected();
    phone.receive({ type: "text", callId, token: "Good day", last: true });
    phone.show(8);
    phone.typed("Hello");
    expect(sent).toEqual([{ type: "said", callId, text: "Hello" }]);
  });

  it("presses keys, hangs up, and explains what it does not know", () => {
    connected();
    phone.typed("/digits 1#");
    phone.typed("/hangup");
    phone.typed("/what");
    expect(sent).toEqual([
      { type: "digit", callId, digit: "1" },
      { type: "digit", callId, digit: "#" },
      { type: "hang_up", callId },
    ]);
    expect(written).toContain("/hangup");
  });

  it("says how the call ended, after the words that were still to be shown", () => {
    connected();
    phone.receive({ type: "text", callId, token: "Goodbye", last: true });
    phone.receive({ type: "ended", callId, endReason: "assistant_ended" });
    expect(written).toBe("Goodbye\nThe call is over: assistant_ended\n");
  });
});
