import { expect, it } from "vitest";
import type {
  PinnedConversation,
  PinnedConversations,
} from "../../../application/ports/pinned-conversations.ts";
import { DEFAULT_CONVERSATION } from "../../../application/settings.ts";

export const CONVERSATION: PinnedConversation = {
  version: 1,
  owner: "usr_1",
  squadId: null,
  squadName: null,
  speakers: [
    {
      memberId: null,
      assistantId: "ast_1",
      assistantVersion: 3,
      name: "Ada ünlü",
      greetingMessage: "Hello {{name}}",
      systemPrompt: "Be brief.",
      ...DEFAULT_CONVERSATION,
      temperature: 0.1,
      language: "tr-TR",
      tools: [
        {
          toolId: "tool_1",
          name: "Order",
          functionName: "order",
          type: "API_REQUEST",
          description: "",
          config: { z: 1, url: "https://a.example/{id}", a: { d: [1, null], c: "" }, "10": 1, "9": 2 },
        },
      ],
      handoffs: [],
    },
  ],
};

/** What holds of every store of conversations. `again`: another process on the same store. */
export function pinnedConversationsContract(
  open: () => { readonly first: PinnedConversations; readonly again: PinnedConversations },
): void {
  it("gives back what was stored, under its SHA-256, to every process", async () => {
    const { first, again } = open();
    const key = await first.store(CONVERSATION);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect([await first.read(key), await again.read(key)]).toEqual([CONVERSATION, CONVERSATION]);
  });

  it("has one key for the same conversation, in whatever order its fields stand", async () => {
    const { first, again } = open();
    const [speaker] = CONVERSATION.speakers;
    const turned = Object.fromEntries(Object.entries(speaker ?? {}).toReversed()) as typeof speaker;
    const same = { ...CONVERSATION, speakers: turned === undefined ? [] : [turned] };
    const keys = await Promise.all([
      first.store(CONVERSATION),
      first.store(CONVERSATION),
      again.store(same),
      again.store(structuredClone(CONVERSATION)),
    ]);
    expect(new Set(keys).size).toBe(1);
  });

  it("has another key for anything else", async () => {
    const { first } = open();
    const others = [
      { ...CONVERSATION, owner: "usr_2" as const },
      { ...CONVERSATION, speakers: CONVERSATION.speakers.map((each) => ({ ...each, temperature: 0.2 })) },
      { ...CONVERSATION, speakers: [] },
    ];
    const keys = await Promise.all([CONVERSATION, ...others].map((each) => first.store(each)));
    expect(new Set(keys).size).toBe(4);
  });

  it("knows nothing of another key", async () => {
    expect(await open().first.read("0".repeat(64))).toBeNull();
  });
}
