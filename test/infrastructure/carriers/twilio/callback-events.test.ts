import { describe, expect, it } from "vitest";
import { machineEvent, statusEvent } from "../../../../infrastructure/carriers/twilio/callback-events.ts";

const FIELDS = {
  CallSid: `CA${"0".repeat(32)}`,
  CallStatus: "completed",
  Timestamp: "Tue, 01 Sep 2026 10:00:20 +0000",
};
const NOW = Date.parse("2026-09-01T10:00:30.000Z");

function told(fields: Readonly<Record<string, string>>) {
  return { callId: "call_1", fields: { ...FIELDS, ...fields }, query: {}, nowMillis: NOW } as const;
}

describe("a callback with values that no log reads back", () => {
  it.each(["1e300", "9007199254740993", "-5", "0.5", "x"])(
    "SequenceNumber=%s is no number",
    (SequenceNumber) => {
      expect(statusEvent(told({ SequenceNumber }))).toMatchObject({ type: "ended", sequence: 0 });
    },
  );

  it.each(["1e300", "-1e300", "-1", "x", "Infinity"])("CallDuration=%s is no duration", (CallDuration) => {
    expect(statusEvent(told({ CallDuration }))).toMatchObject({ answeredAt: "2026-09-01T10:00:20.000Z" });
  });

  it("has its texts without NUL and halves of characters, at most 256 long", () => {
    expect(statusEvent(told({ ErrorCode: "1\u00003\ud83d" }))).toMatchObject({
      carrierCode: "1\ufffd3\ufffd",
    });
    const event = machineEvent(told({ AnsweredBy: `machine_${"😀".repeat(1_000)}` }));
    expect(event?.dedupeKey.isWellFormed()).toBe(true);
    expect(event?.dedupeKey.length).toBeLessThan(300);
  });
});
