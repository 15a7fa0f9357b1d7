import { describe, expect, it } from "vitest";
import {
  addEvent,
  awaitsLastWord,
  awaitsRecording,
  beginCallFacts,
} from "../../../application/webhook/call-facts.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import {
  callEnd,
  callRequest,
  connected,
  cut,
  handedOver,
  judged,
  sessionBegan,
  sessionEnded,
  spoken,
  toolBegan,
  toolEnded,
} from "../../projections/example-events.ts";

const callId = "call_1";
const at = "2026-09-01T10:00:00.000Z";
const place = { callId, at, epoch: 1 } as const;
const { data: request } = callRequest({
  callId,
  owner: "usr_1",
  campaignId: null,
  contactId: null,
  attempt: 1,
  at,
});
const greeting = spoken(place, { index: 0, role: "assistant", content: "Hello there", turn: 0 });
const end = callEnd(callId, at, "customer_ended", 5);
const erased: CallEvent = {
  type: "CallContentErased",
  data: { callId, at, erasureId: "ers_1" },
};

function storyOf(...events: readonly CallEvent[]) {
  const story = beginCallFacts(request);
  for (const event of events) addEvent(story, event);
  return story;
}

describe("the messages of a story", () => {
  it("show of a speech that was cut what was heard of it, however often that is told", () => {
    const [message] = storyOf(greeting, cut(place, 0, "Hello"), cut(place, 0, "Hel")).messages;
    expect(message).toMatchObject({ content: "Hello", interrupted: true, intended: "Hello there" });
  });

  it("leave a cut aside of a speech that is not known", () => {
    expect(storyOf(greeting, cut(place, 4, "Hello")).messages).toEqual(storyOf(greeting).messages);
  });

  it("show a tool when it is asked, and its result when it answers, once", () => {
    const began = toolBegan(place, { n: 1, index: 1, turn: 1 });
    expect(storyOf(greeting, began).messages[1]).toMatchObject({
      role: "tool",
      content: "look_up was asked",
      result: null,
    });
    const answered = storyOf(greeting, began, toolEnded(place, 1, "answered", "on its way"));
    expect(answered.messages[1]).toMatchObject({ content: "look_up answered", result: "on its way" });
    addEvent(answered, toolEnded(place, 1, "failed", null));
    expect(answered.messages[1]).toMatchObject({ content: "look_up answered", result: "on its way" });
  });

  it.each([
    ["failed", "look_up failed"],
    ["timed_out", "look_up did not answer in time"],
    ["refused", "look_up was not asked: refused"],
    ["unknown", "look_up: whether it was carried out is unknown"],
  ] as const)("say of a tool that %s: %s", (outcome, words) => {
    const began = toolBegan(place, { n: 1, index: 0, turn: 1 });
    expect(storyOf(began, toolEnded(place, 1, outcome, null)).messages[0]).toMatchObject({
      content: words,
      isError: true,
    });
  });

  it("show to whom the call was handed over", () => {
    expect(storyOf(handedOver(place, { n: 1, index: 0, turn: 2 })).messages).toMatchObject([
      {
        role: "tool",
        assistantId: "ast_1",
        content: "Handed over to ast_2",
        toolName: "to_sales",
        result: { assistantId: "ast_2", assistantVersion: 3 },
        isError: false,
      },
    ]);
  });

  it("name a tool only where it has an id", () => {
    const [named, ownName] = storyOf(
      toolBegan(place, { n: 1, index: 0, turn: 1 }),
      toolBegan(place, { n: 2, index: 1, turn: 1 }),
    ).messages;
    expect([named?.toolId, ownName !== undefined && "toolId" in ownName]).toEqual(["tool_1", false]);
  });

  it("hold each once, whatever is told again", () => {
    expect(storyOf(greeting, greeting).messages).toHaveLength(1);
  });
});

describe("a story", () => {
  it("keeps the first answer and the first end, and the last verdict", () => {
    const later = "2026-09-01T10:00:09.000Z";
    const story = storyOf(
      connected(callId, at, "a"),
      connected(callId, later, "b"),
      end,
      callEnd(callId, later, "busy", null),
    );
    expect([story.answer?.at, story.end?.data.endReason]).toEqual([at, "customer_ended"]);
    addEvent(story, judged(place, "machine"));
    addEvent(story, judged(place, "human"));
    expect(story.judgedAs).toBe("human");
  });

  it("that is erased has no words any more, and takes none that come later", () => {
    const began = toolBegan(place, { n: 1, index: 1, turn: 1 });
    const story = storyOf(greeting, began, erased, greeting, toolEnded(place, 1, "answered", "a secret"));
    expect([story.erased, story.messages, story.toolsAsked.size]).toEqual([true, [], 0]);
    expect(story.request).toMatchObject({
      greetingMessage: null,
      specialInstructions: null,
      voicemailMessage: null,
      to: request.to,
    });
  });

  it("waits for a recording that was promised, until it is told or the words are gone", () => {
    const data = {
      callId,
      at,
      carrierRef: "ref",
      sequence: 9,
      status: "failed",
      recordingRef: null,
    } as const;
    expect(awaitsRecording(storyOf())).toBe(false);
    expect(awaitsRecording(storyOf(end))).toBe(true);
    expect(awaitsRecording(storyOf(callEnd(callId, at, "busy", null)))).toBe(false);
    expect(awaitsRecording(storyOf(end, { type: "CallRecordingAvailable", data }))).toBe(false);
    expect(awaitsRecording(storyOf(end, erased))).toBe(false);
  });

  it("waits for the last word of its latest session, whatever older ones say", () => {
    const second = { ...place, epoch: 2 };
    const both = [sessionBegan(place, null), sessionBegan(second, 5)];
    expect(awaitsLastWord(storyOf())).toBe(false);
    expect(awaitsLastWord(storyOf(...both, sessionEnded(place, "session_lost")))).toBe(true);
    expect(
      awaitsLastWord(storyOf(...both, sessionEnded(second, "hung_up"), sessionEnded(place, "session_lost"))),
    ).toBe(false);
    expect(awaitsLastWord(storyOf(...both.toReversed(), sessionEnded(place, "session_lost")))).toBe(true);
  });
});
