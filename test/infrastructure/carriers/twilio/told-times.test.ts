import { expect, it } from "vitest";
import { statusEvent } from "../../../../infrastructure/carriers/twilio/callback-events.ts";
import { foundCall } from "../../../../infrastructure/carriers/twilio/twilio-carrier.ts";

const SID = `CA${"a".repeat(32)}` as const;
const END = "2026-09-01T10:05:00.000Z";
const NOW = Date.parse(END) + 3_000;

const ended = (fields: Readonly<Record<string, string>>) =>
  statusEvent({
    callId: "call_1",
    fields: {
      CallSid: SID,
      CallStatus: "completed",
      SequenceNumber: "3",
      Timestamp: "Tue, 01 Sep 2026 10:05:00 +0000",
      ...fields,
    },
    query: {},
    nowMillis: NOW,
  });

it("a call was answered as long before its end as Twilio says that it took, whoever missed the answer", () => {
  expect(ended({ CallDuration: "42", Duration: "1" })).toMatchObject({
    type: "ended",
    answeredAt: "2026-09-01T10:04:18.000Z",
  });
});

it("a call whose duration is none was answered at its end, and one that nobody answered never", () => {
  expect(ended({ CallDuration: "soon" })).toMatchObject({ answeredAt: END });
  expect(ended({ CallStatus: "no-answer", CallDuration: "42" })).toMatchObject({ answeredAt: null });
});

it("a call that is found by a look-up talked as long as Twilio's record says", () => {
  const record = { sid: SID, startTime: new Date(END), endTime: new Date(END), answeredBy: "human" };
  const found = (status: "completed" | "busy", duration: string) =>
    foundCall({ ...record, status, duration }, { recordingRef: null, sipCode: null }, NOW);
  expect(found("completed", "75")).toMatchObject({
    status: "ended",
    answeredAt: "2026-09-01T10:03:45.000Z",
    answeredBy: "human",
  });
  expect(found("busy", "75").answeredAt).toBeNull();
});
