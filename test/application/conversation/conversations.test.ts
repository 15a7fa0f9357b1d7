import { describe, expect, it } from "vitest";
import { conversationWorld } from "../../support/conversation/conversation-world.ts";

describe("a conversation", () => {
  it("greets, answers a turn, and ends when the customer hangs up", async () => {
    const world = await conversationWorld();
    const line = await world.connect();
    await world.pass(3_000);
    line.say("How are you?");
    await world.pass(4_000);
    line.close("hung_up");
    await world.pass(1_000);
    expect(world.transcript()).toEqual([
      "greeting: Hello, this is Ada.",
      "customer: How are you?",
      "answer: Fine, thank you.",
    ]);
    expect(world.types().slice(4)).toEqual([
      "CallSessionBegan",
      "CallConversationStarted",
      "CallMessageAdded",
      "CallMessageAdded",
      "CallMessageAdded",
      "CallSessionEnded",
    ]);
  });
});
