import { expect, it } from "vitest";
import { speakingNow } from "../../../application/conversation/speaking-now.ts";
import type { CallHandedOver } from "../../../domain/call/conversation-events.ts";
import { SPEAKER } from "../../support/conversation/conversation-world.ts";

const ADA = { ...SPEAKER, memberId: "mbr_a", voice: "alloy" } as const;
const BOB = { ...SPEAKER, memberId: "mbr_b", assistantId: "ast_2", voice: "onyx" } as const;

const HANDOVER: CallHandedOver["data"] = {
  callId: "call_1",
  at: "2026-09-01T10:00:00.000Z",
  epoch: 1,
  turn: 1,
  messageIndex: 1,
  offsetMs: 1_000,
  from: "ast_1",
  to: "ast_2",
  toAssistantVersion: 1,
  toMemberId: "mbr_b",
  toolCallId: "tc_1",
  toolName: "handoff_to_bob",
  variables: {},
  reason: null,
};

function handedTo(toMemberId: CallHandedOver["data"]["toMemberId"]): CallHandedOver {
  return { type: "CallHandedOver", data: { ...HANDOVER, toMemberId } };
}

it.for([
  ["nobody was handed over to", [], ADA],
  ["it was handed over", [handedTo("mbr_b")], BOB],
  ["it was handed back", [handedTo("mbr_b"), handedTo("mbr_a")], ADA],
  ["the one it was handed to is not known", [handedTo("mbr_gone")], ADA],
] as const)("who speaks when %s", ([, events, expected]) => {
  expect(speakingNow(events, [ADA, BOB])).toBe(expected);
});

it("is nobody where nobody is pinned", () => {
  expect(speakingNow([], [])).toBeNull();
});
