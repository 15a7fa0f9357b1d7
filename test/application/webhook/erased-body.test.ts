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
      erased: true,
    },
  });
});

it("changes nothing the second time", () => {
  const once = erasedBody(JSON.stringify(body));
  expect(erasedBody(once)).toBe(once);
});
