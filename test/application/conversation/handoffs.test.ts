import { describe, expect, it } from "vitest";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { ContextMode } from "../../../domain/squad/events.ts";
import { conversationWorld, SPEAKER } from "../../support/conversation/conversation-world.ts";
import type { Answer } from "../../support/conversation/scripted-models.ts";

const look = {
  toolId: "tool_1",
  name: "look",
  functionName: "look",
  type: "API_REQUEST",
  description: "looks",
  config: { method: "GET" },
} as const;

function squad(contextMode: ContextMode, contextMaxMessages: number | null = null): readonly PinnedSpeaker[] {
  const link = { description: "when asked", contextMode, contextMaxMessages };
  const day = { name: "day", type: "string", description: "which day", required: true } as const;
  return [
    {
      ...SPEAKER,
      memberId: "mbr_a",
      tools: [look],
      handoffs: [
        {
          ...link,
          toMemberId: "mbr_b",
          toolName: "handoff_to_bob",
          message: "Bob helps you.",
          variables: [day],
        },
      ],
    },
    {
      ...SPEAKER,
      memberId: "mbr_b",
      assistantId: "ast_2",
      name: "Bob",
      systemPrompt: "You are Bob.",
      handoffs: [{ ...link, toMemberId: "mbr_a", toolName: "handoff_to_ada", message: null, variables: [] }],
    },
  ];
}

const TO_BOB: Answer = [{ call: "handoff_to_bob", with: '{"day":"Friday","reason":"tables"}' }];

/** Ada answers, uses a tool, then hands over to Bob in the second turn. */
async function handedOver(speakers: readonly PinnedSpeaker[], later: Answer = [{ text: "Bob here." }]) {
  const answers: readonly Answer[] = [[{ text: "Fine." }], [{ call: "look" }], TO_BOB, later];
  const world = await conversationWorld({
    speakers,
    answer: (_request, number) => answers[number - 1] ?? [{ text: "Yes." }],
  });
  const line = await world.connect();
  await world.pass(3_000);
  line.say("How are you?");
  await world.pass(2_000);
  line.say("A table, please.");
  await world.pass(5_000);
  return { ...world, line };
}

describe("a handoff", () => {
  it("says its message, lets the new member speak at once, and gives the variables as data", async () => {
    const world = await handedOver(squad("all"));
    expect(world.transcript().slice(-2)).toEqual(["handoff: Bob helps you.", "answer: Bob here."]);
    const event = world.events().find(({ type }) => type === "CallHandedOver");
    expect(event?.data).toMatchObject({
      from: "ast_1",
      to: "ast_2",
      variables: { day: "Friday" },
      reason: "tables",
    });
    const system = world.requests.at(-1)?.messages[0]?.content ?? "";
    expect(system.startsWith("You are Bob.")).toBe(true);
    expect(system.split("<data>")[1]).toContain('"day":"Friday"');
  });

  it("is heard in the voice of whoever speaks, the message of the handoff in that of the one before", async () => {
    const [ada, bob] = squad("all");
    if (ada === undefined || bob === undefined) throw new Error("the squad has two members");
    const world = await handedOver([
      { ...ada, voice: "alloy" },
      { ...bob, voice: "onyx" },
    ]);
    expect(
      world.line
        .said()
        .slice(-2)
        .map(({ text, voice }) => [text, voice]),
    ).toEqual([
      ["Bob helps you.", "alloy"],
      ["Bob here.", "onyx"],
    ]);
  });

  it.each([
    ["all", null, ["assistant", "user", "assistant", "user", "assistant", "tool", "assistant"]],
    ["user_and_assistant", null, ["assistant", "user", "assistant", "user", "assistant"]],
    ["last_n", 2, ["user", "assistant"]],
    ["previous", null, ["assistant", "user", "assistant", "user", "assistant", "tool", "assistant"]],
    ["none", null, []],
  ] as const)("with the context %s tells the new member so much", async (mode, max, roles) => {
    const world = await handedOver(squad(mode, max));
    const [, ...history] = world.requests.at(-1)?.messages ?? [];
    expect(history.map(({ role }) => role)).toEqual(roles);
  });

  it("back to who has just handed over is refused until the customer speaks", async () => {
    const world = await handedOver(squad("all"), [{ call: "handoff_to_ada" }]);
    const refused = world
      .events()
      .filter((event) => event.type === "CallToolEnded" && event.data.outcome === "refused");
    expect(refused).toHaveLength(1);
    expect(world.types().filter((type) => type === "CallHandedOver")).toHaveLength(1);
    expect(world.transcript().at(-1)).toBe("answer: Yes.");
  });
});
