import { describe, expect, it } from "vitest";
import { loadConversation } from "../../../application/conversation/load-conversation.ts";
import type { PinnedConversation, PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { conversationWorld, SPEAKER, until } from "../../support/conversation/conversation-world.ts";

const speaker = (assistantId: `ast_${string}`, memberId: `mbr_${string}`): PinnedSpeaker => ({
  ...SPEAKER,
  assistantId,
  memberId,
});
const BOB = speaker("ast_2", "mbr_b");
const ADA = speaker("ast_1", "mbr_a");
const CEM = speaker("ast_3", "mbr_c");

/** What is loaded of a call; "call_2" is from before conversations were pinned. */
async function loaded(
  pinned: Pick<PinnedConversation, "speakers" | "squadName"> | null,
  callId: CallId = "call_1",
) {
  const world = await conversationWorld({ call: { customData: { note: "x" } } });
  const { eventStore, codec, clock, aggregates, origin } = world;
  const old = { type: "StartCall", request: { ...REQUEST, callId: "call_2" } } as const;
  await until(clock, aggregates.calls.handle("call-call_2", [old], origin));
  const asked: string[] = [];
  const pinnedConversations = {
    read: async (name: string) => {
      asked.push(name);
      return pinned === null ? null : ({ version: 1, owner: "usr_1", squadId: null, ...pinned } as const);
    },
  };
  const deps = { eventStore, codec, pinnedConversations };
  return { world, asked, conversation: await until(clock, loadConversation(deps, callId)) };
}

describe("the conversation of a call", () => {
  it("is what its events and its pinned conversation say; its own assistant speaks first", async () => {
    const { world, asked, conversation } = await loaded({ squadName: "Team", speakers: [BOB, ADA, CEM] });
    const { request } = world;
    expect(asked).toEqual(["sha"]);
    expect(conversation?.request).toMatchObject({ callId: "call_1", owner: "usr_1" });
    expect(conversation?.speakers).toEqual([ADA, BOB, CEM]);
    expect(conversation?.script).toEqual({
      callId: "call_1",
      campaignId: request.campaignId,
      to: request.to,
      from: request.from,
      contactName: request.contactName,
      customData: request.customData,
      greetingMessage: request.greetingMessage,
      specialInstructions: request.specialInstructions,
      voicemailPolicy: request.voicemailPolicy,
      voicemailMessage: request.voicemailMessage,
      maxDurationSeconds: request.maxDurationSeconds,
      squadName: "Team",
      callback: null,
      agreedBefore: null,
      speakers: [ADA, BOB, CEM],
    });
    expect(conversation?.past).toMatchObject({ answeredBy: "human", epoch: 0, started: false });
  });

  it("is none when there is no such call", async () => {
    const { asked, conversation } = await loaded({ squadName: null, speakers: [ADA] }, "call_3");
    expect([conversation, asked]).toEqual([null, []]);
  });
});

/** Who speaks when no conversation is there: name and greeting are the call's, all else is usual. */
const PLAIN: PinnedSpeaker = {
  memberId: null,
  assistantId: "ast_1",
  assistantVersion: 1,
  name: "Ada",
  greetingMessage: "Hello",
  systemPrompt: "You are Ada. You are on the phone: answer in one or two short sentences.",
  model: null,
  modelConnectionId: null,
  temperature: null,
  voice: null,
  language: null,
  fallbackMessage: null,
  silenceTimeoutSeconds: 8,
  endSilenceMs: 500,
  interruptible: true,
  recording: null,
  recordingNotice: null,
  optOut: "off",
  optOutDigit: null,
  optOutMessage: null,
  outcome: null,
  callback: null,
  tools: [],
  handoffs: [],
};

describe("a call without a conversation that was pinned", () => {
  it("has its own assistant as it was requested, with usual values, and nobody is asked", async () => {
    const { asked, conversation } = await loaded(null, "call_2");
    expect([asked, conversation?.speakers]).toEqual([[], [{ ...PLAIN, assistantVersion: 2 }]]);
    expect(conversation?.script).toMatchObject({ squadName: null, speakers: [{ name: "Ada" }] });
  });

  it("or whose conversation is gone goes on in the same way", async () => {
    const { asked, conversation } = await loaded(null);
    expect([asked, conversation?.speakers]).toEqual([["sha"], [PLAIN]]);
  });

  it("and whose assistant is not among those pinned speaks first all the same", async () => {
    const { conversation } = await loaded({ squadName: "Team", speakers: [BOB, CEM] });
    expect(conversation?.speakers).toEqual([PLAIN, BOB, CEM]);
  });
});
