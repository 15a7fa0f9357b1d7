import { expect, it } from "vitest";
import { erasedBody } from "../../../application/webhook/erased-body.ts";

const body = {
  event: "call.ended",
  data: {
    eventId: "e",
    callId: "call_1",
    durationSeconds: 42,
    messages: [{ content: "a secret" }],
    greetingMessage: "a secret",
    recordingUrl: "http://x/recording",
    recordingStatus: "available",
    metadata: { big: 1e21 },
    callback: { at: "2026-09-08T07:00:00.000Z", note: "a secret" },
  },
};

it("keeps what happened, and takes every word", () => {
  expect(JSON.parse(erasedBody(JSON.stringify(body)))).toEqual({
    event: "call.ended",
    data: {
      eventId: "e",
      callId: "call_1",
      durationSeconds: 42,
      messages: [],
      greetingMessage: null,
      recordingUrl: null,
      recordingStatus: "none",
      metadata: { big: 1e21 },
      callback: { at: "2026-09-08T07:00:00.000Z", note: null },
      erased: true,
    },
  });
});

it("changes nothing the second time", () => {
  const once = erasedBody(JSON.stringify(body));
  expect(erasedBody(once)).toBe(once);
});

it("of a call that agreed no callback says so still", () => {
  const none = { ...body, data: { ...body.data, callback: null } };
  expect(JSON.parse(erasedBody(JSON.stringify(none)))).toMatchObject({
    data: { callback: null, erased: true },
  });
});
