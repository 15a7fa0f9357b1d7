import { describe, expect, it } from "vitest";
import { clocksApart, millisOfAri } from "../../../../infrastructure/carriers/asterisk/ari/asterisk-clock.ts";
import { isNewEnough } from "../../../../infrastructure/carriers/asterisk/ari/version.ts";
import { carrierCodeOf, endReasonOf } from "../../../../infrastructure/carriers/asterisk/dial/end-reasons.ts";
import { type NoteEnd, parseNote } from "../../../../infrastructure/carriers/asterisk/dial/note.ts";

describe("a note of the dialplan", () => {
  it.each([
    ["1795359229 ANSWER 4 16 SIP 200 OK", ["ANSWER", 4, 16, 200]],
    ["1795458678 NOANSWER  19 SIP 180 Ringing", ["NOANSWER", null, 19, 180]],
    ["1795458678 BUSY  17 SIP 486 Gone: 1 fishing", ["BUSY", null, 17, 486]],
    ["1795458678 CHANUNAVAIL  3 ", ["CHANUNAVAIL", null, 3, null]],
    ["1795458678   0 ", ["", null, 0, null]],
  ])("%j says how it ended", (text, [status, talkedSeconds, cause, sipCode]) => {
    expect(parseNote(text)?.end).toEqual({ status, talkedSeconds, cause, sipCode });
  });

  it("without an end is a dial that is not over", () => {
    expect(parseNote("1795359229")).toEqual({ dialledAtMillis: 1_795_359_229_000, end: null });
  });

  it.each(["", "yes", "12 ANSWER 1 16", "1795359229ANSWER"])("is not %j", (text) => {
    expect(parseNote(text)).toBeNull();
  });
});

describe("the end reason", () => {
  const end = (changes: Partial<NoteEnd>): NoteEnd => ({
    status: "CONGESTION",
    talkedSeconds: null,
    cause: 0,
    sipCode: null,
    ...changes,
  });

  it.each([
    [17, "busy"],
    [18, "unreachable"],
    [19, "no_answer"],
    [21, "declined"],
    [1, "invalid_number"],
    [28, "invalid_number"],
    [3, "carrier_error"],
    [34, "carrier_error"],
    [127, "carrier_error"],
  ] as const)("of cause %i without a final answer is %s", (cause, reason) => {
    expect(endReasonOf(end({ cause, sipCode: 100 }), false)).toBe(reason);
  });

  it("is the SIP answer's before the cause's", () => {
    expect(endReasonOf(end({ cause: 21, sipCode: 403 }), false)).toBe("permission_denied");
    expect(carrierCodeOf(end({ cause: 21, sipCode: 403 }))).toBe("403");
    expect(carrierCodeOf(end({ cause: 3 }))).toBe("Q.850 3");
  });

  it("of a call that is sent elsewhere is carrier_error, with its code or, where nobody read it, 3xx", () => {
    const moved = end({ status: "BUSY", cause: 17, sipCode: 302 });
    expect([endReasonOf(moved, true), carrierCodeOf(moved)]).toEqual(["carrier_error", "302"]);
    const unread = end({ status: "BUSY", cause: 16, sipCode: 180 });
    expect([endReasonOf(unread, true), carrierCodeOf(unread)]).toEqual(["carrier_error", "3xx"]);
    const busy = end({ status: "BUSY", cause: 17 });
    expect([endReasonOf(busy, true), carrierCodeOf(busy)]).toEqual(["busy", "Q.850 17"]);
  });

  it("of a time-out is no_answer when a telephone rang, else unreachable", () => {
    expect(endReasonOf(end({ cause: 18, sipCode: 408 }), true)).toBe("no_answer");
    expect(endReasonOf(end({ cause: 18, sipCode: 408 }), false)).toBe("unreachable");
  });

  it("after the answer is the customer's for a hang-up, else a lost line", () => {
    expect(endReasonOf(end({ status: "ANSWER", talkedSeconds: 4, cause: 16 }), true)).toBe("customer_ended");
    expect(endReasonOf(end({ status: "ANSWER", talkedSeconds: 4, cause: 44 }), true)).toBe("connection_lost");
  });
});

describe("Asterisk", () => {
  it.each(["22.8.0", "22.10.1+dfsg~x", "20.18.0", "23.2.1", "24.0.0", "certified-22.8-cert3"])(
    "%s is new enough",
    (version) => {
      expect(isNewEnough(version)).toBe(true);
    },
  );

  it.each(["22.7.9", "20.17.0", "21.12.3", "23.1.0", "18.26.4", "certified-20.7-cert9", "GIT-master"])(
    "%s is too old",
    (version) => {
      expect(isNewEnough(version)).toBe(false);
    },
  );

  it("may be 2 s from our clock, either way", () => {
    expect([2_000, -2_000].map(clocksApart)).toEqual([null, null]);
    expect(clocksApart(2_001)).toContain("ahead of ours");
    expect(clocksApart(-60_000)).toContain("60.0 s behind ours");
  });

  it("tells the time with its zone", () => {
    expect(millisOfAri("2026-11-23T18:31:18.218+0000")).toBe(Date.parse("2026-11-23T18:31:18.218Z"));
    expect(millisOfAri("2026-11-23T19:31:18.218+0100")).toBe(Date.parse("2026-11-23T18:31:18.218Z"));
  });
});
