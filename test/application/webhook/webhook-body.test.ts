import { describe, expect, it } from "vitest";
import { addEvent, beginCallFacts, type CallFacts } from "../../../application/webhook/call-facts.ts";
import { endedEntry, SINGLE_CALL_OUTCOME, startedEntry } from "../../../application/webhook/webhook-body.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import { createSimulatedIds } from "../../../simulation/campaigns/simulated-ids.ts";

const callId = "call_1";
const at = "2026-09-01T10:00:00.000Z";
const heard = { callId, at, carrierRef: "ref", sequence: 1 } as const;
const deps = { ids: createSimulatedIds(), publicUrl: () => "https://calls.example" };

const request: CallRequested["data"] = {
  callId,
  owner: "usr_1",
  from: "+15005550000",
  to: "+12025550100",
  phoneNumberId: "pn_1",
  assistant: { assistantId: "ast_1", assistantVersion: 3, name: "Ada", greetingMessage: "Hello" },
  squad: null,
  campaignId: null,
  contactId: null,
  contactName: null,
  customData: null,
  attempt: 1,
  greetingMessage: "Hello",
  specialInstructions: null,
  metadata: { order: 7 },
  voicemailPolicy: "hang_up",
  voicemailMessage: null,
  ringTimeoutSeconds: 60,
  maxDurationSeconds: 600,
  pricePerMinute: 10_000,
  dialAt: at,
  dialBy: at,
  at,
};

function storyOf(...events: readonly CallEvent[]): CallFacts {
  const story = beginCallFacts(request);
  for (const event of events) addEvent(story, event);
  return story;
}

const connected: CallEvent = { type: "CallConnected", data: { ...heard, answeredBy: "human" } };
const completed: CallEvent = {
  type: "CallCompleted",
  data: {
    ...heard,
    endReason: "customer_ended",
    endedBy: "customer",
    durationSeconds: 30,
    cost: 5_000,
    recordingStatus: "pending",
  },
};

function message(index: number, content: string): CallEvent {
  const said = { index, role: "customer", assistantId: null, content, at, offsetMs: 0 } as const;
  return { type: "CallMessageAdded", data: { ...heard, message: said } };
}

function dataOf(entry: { readonly body: string } | null): Record<string, unknown> {
  return JSON.parse(entry?.body ?? "{}").data;
}

describe("call.started", () => {
  it("has exactly the fields of its contract", () => {
    expect(Object.keys(dataOf(startedEntry(deps, storyOf(connected)))).toSorted()).toEqual(
      "answeredBy assistantId assistantVersion attempt callId campaignId contactId createdAt eventId from metadata occurredAt phoneNumberId sequence squadId startedAt status to type".split(
        " ",
      ),
    );
  });

  it("is not told of a call that nobody answered", () => {
    expect(startedEntry(deps, storyOf())).toBeNull();
  });

  it("has the same event id whenever it is made", () => {
    expect(startedEntry(deps, storyOf(connected))?.eventId).toBe(
      startedEntry(deps, storyOf(connected))?.eventId,
    );
  });
});

describe("call.ended", () => {
  it("tells what was said, what it cost, and that a single call is not called again", () => {
    const data = dataOf(
      endedEntry(deps, storyOf(connected, message(0, "Hi"), completed), SINGLE_CALL_OUTCOME),
    );
    expect(data).toMatchObject({ sequence: 2, status: "completed", cost: 0.5, durationSeconds: 30 });
    expect(data).toMatchObject({
      maxAttempts: 1,
      isFinalAttempt: true,
      nextAttemptAt: null,
      metadata: { order: 7 },
    });
    expect(data["messages"]).toHaveLength(1);
    expect(data).not.toHaveProperty("messagesTruncated");
  });

  it("names the recording once there is one", () => {
    const available = { ...heard, status: "available", recordingRef: "rec" } as const;
    const story = storyOf(connected, completed, { type: "CallRecordingAvailable", data: available });
    const data = dataOf(endedEntry(deps, story, SINGLE_CALL_OUTCOME));
    expect(data["recordingUrl"]).toBe("https://calls.example/api/v1/calls/call_1/recording");
    expect(data["recordingStatus"]).toBe("available");
  });

  it.each([
    { letter: "x", times: 8_000, kept: 32 },
    { letter: "ü", times: 4_000, kept: 32 },
    { letter: "€", times: 1_100, kept: 76 },
  ])(
    "stays under 256 KiB of $letter: the first messages, and a mark that some are left out",
    ({ letter, times, kept }) => {
      const long = Array.from({ length: 100 }, (_, index) => message(index, letter.repeat(times)));
      const entry = endedEntry(deps, storyOf(connected, ...long, completed), SINGLE_CALL_OUTCOME);
      expect(Buffer.byteLength(entry?.body ?? "")).toBeLessThanOrEqual(256 * 1024);
      const data = dataOf(entry);
      expect(data["messagesTruncated"]).toBe(true);
      expect(data["messages"]).toHaveLength(kept);
    },
  );
});
