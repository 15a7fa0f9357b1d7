import { expect, it } from "vitest";
import { addEvent, beginCallFacts } from "../../application/webhook/call-facts.ts";
import { callMessage, conversation } from "../../contract/conversation.ts";
import { conversationRecord, NOTHING_SAID, tallyAfter } from "../../projections/calls/conversation-tally.ts";
import { randomConversation } from "../projections/random-conversation.ts";

const ID = "01k4b2s9h3e8t9v0w1x2y3z4a5";

/** Ids of examples are short; those of answers are not. */
function withIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"(ast|tool)_\d"/g, `"$1_${ID}"`));
}

it("documents every field that a message and the figures of a conversation have", () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 50; seed += 1) {
    const [request, ...events] = randomConversation(seed, `call_${seed}`, "usr_1", 40);
    if (request?.type !== "CallRequested") throw new Error("no request");
    const story = beginCallFacts(request.data);
    for (const event of events) addEvent(story, event);
    for (const message of story.messages) {
      const shown = withIds(message);
      expect(callMessage.strict().parse(shown)).toEqual(shown);
      for (const name of Object.keys(message)) seen.add(name);
    }
    const figures = conversationRecord(events.reduce(tallyAfter, NOTHING_SAID));
    expect(conversation.strict().parse(figures)).toEqual(figures);
  }
  const never = Object.keys(callMessage.shape).filter((name) => !seen.has(name));
  expect(never).toEqual(["language"]);
});
