import { describe, expect, it } from "vitest";
import { createCarrierEventSink } from "../../../application/call/carrier-events.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  conversationWorld,
  SPEAKER,
  until,
  type WorldSettings,
} from "../../support/conversation/conversation-world.ts";

const LISTENS = { ...SPEAKER, optOut: "listen", optOutDigit: "9" } as const;
const CONFIRMED = "answer: I understand. We will not call you again. Goodbye.";
const ENDED = [{ by: "assistant", reason: "assistant_ended" }];

/** After the greeting. */
async function greeted(settings: WorldSettings = {}) {
  const world = await conversationWorld({ speakers: [LISTENS], ...settings });
  const line = await world.connect();
  await world.pass(2_000);
  return { ...world, line };
}

describe("words that ask never to be called again", () => {
  it("are confirmed without asking the model, and the call ends when that was heard", async () => {
    const world = await greeted();
    world.line.say("Never call me again.");
    await world.pass(1_000);
    expect(world.transcript().slice(1)).toEqual(["customer: Never call me again.", CONFIRMED]);
    expect(world.wishes).toEqual([]);
    await world.pass(4_000);
    expect(world.wishes).toEqual(ENDED);
    expect(world.line.said().at(-1)?.heard).toBe("I understand. We will not call you again. Goodbye.");
    expect(world.requests).toEqual([]);
  });

  it("may be spread over the messages of one turn, and no answer that was being made is spoken", async () => {
    const world = await greeted({ answer: () => [{ wait: 2_000 }, { text: "Pardon?" }] });
    world.line.say("Please never");
    await world.pass(800);
    world.line.say("call me again.");
    await world.pass(6_000);
    expect(world.transcript().slice(1)).toEqual([
      "customer: Please never",
      "customer: call me again.",
      CONFIRMED,
    ]);
    expect(world.wishes).toEqual(ENDED);
  });

  it("are not judged while the turn continues", async () => {
    const world = await greeted();
    world.line.startSpeaking();
    world.line.finishSpeaking("Never call me again", true);
    await world.pass(1_000);
    expect(world.transcript()).toHaveLength(1);
    world.line.finishSpeaking("before five o'clock.");
    await world.pass(2_000);
    expect(world.transcript().slice(1)).toEqual([
      "customer: Never call me again before five o'clock.",
      "answer: Fine, thank you.",
    ]);
  });

  it("are confirmed in the assistant's own words, which nothing interrupts, however long they are", async () => {
    const optOutMessage = `${"All right, we take your number off our list. ".repeat(9)}Goodbye.`;
    const world = await greeted({ speakers: [{ ...LISTENS, optOutMessage }] });
    world.line.say("Never call me again.");
    await world.pass(500);
    world.line.say("Wait!");
    await world.pass(optOutMessage.length * 70);
    expect(world.line.said().at(-1)).toMatchObject({ text: optOutMessage, heard: optOutMessage });
    expect(world.wishes).toEqual(ENDED);
  });

  it("are confirmed in the assistant's language", async () => {
    const world = await greeted({ speakers: [{ ...LISTENS, language: "tr-TR" }] });
    world.line.say("Beni bir daha aramayın.");
    await world.pass(1_000);
    expect(world.transcript().at(-1)).toBe("answer: Anladım. Sizi bir daha aramayacağız. İyi günler.");
  });

  it("are words like any others where nobody listens", async () => {
    for (const speaker of [SPEAKER, { ...LISTENS, optOut: "off" as const }]) {
      const world = await greeted({ speakers: [speaker] });
      world.line.say("Never call me again.");
      world.line.press("9");
      await world.pass(4_000);
      expect(world.transcript().at(-1)).toBe("answer: Fine, thank you.");
      expect(world.requests[0]?.tools.map(({ name }) => name)).toEqual(["end_call"]);
    }
  });

  it("are no opt-out on a call without a pinned conversation: nobody would list it", async () => {
    const world = await greeted({ speakers: [{ ...LISTENS, assistantId: "ast_other" }] });
    world.line.say("Never call me again.");
    await world.pass(2_000);
    expect(world.transcript().at(-1)).toBe("answer: Fine, thank you.");
  });

  it("are durable before the confirmation is spoken", async () => {
    let holds = false;
    const gate = Promise.withResolvers<void>();
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: async (...given) => {
        if (holds) await gate.promise;
        return store.append(...given);
      },
    });
    const world = await greeted({ wrapStore });
    holds = true;
    world.line.say("Never call me again.");
    await world.pass(1_500);
    expect(world.line.said()).toHaveLength(1);
    gate.resolve();
    await world.pass(1_000);
    expect(world.transcript().at(-1)).toBe(CONFIRMED);
  });
});

describe("the assistant's key", () => {
  it("alone is confirmed; with others, or another, it is not", async () => {
    const world = await greeted();
    for (const digit of "99#") world.line.press(digit);
    await world.pass(2_000);
    expect(world.transcript().at(-1)).toBe("answer: Fine, thank you.");
    world.line.press("9");
    await world.pass(8_000);
    expect(world.transcript().slice(-2)).toEqual(["customer: [keys: 9]", CONFIRMED]);
    expect(world.wishes).toEqual(ENDED);
  });
});

describe("stop_calling", () => {
  it("is offered beside end_call, goes before everything else of the answer, and is confirmed", async () => {
    const tool = {
      toolId: "tool_1",
      name: "Book",
      functionName: "book",
      type: "API_REQUEST",
      description: "books",
      config: { method: "POST" },
    } as const;
    const answer = () => [{ call: "book" }, { call: "end_call" }, { call: "stop_calling", with: "no JSON" }];
    const world = await greeted({ speakers: [{ ...LISTENS, tools: [tool] }], answer });
    world.line.say("I have had enough of this.");
    await world.pass(8_000);
    expect(world.requests).toHaveLength(1);
    expect(world.requests[0]?.tools.map(({ name }) => name)).toEqual(["book", "end_call", "stop_calling"]);
    expect(world.toolRuns).toEqual([]);
    const tools = world
      .events()
      .flatMap(({ type, data }) => (type === "CallToolBegan" ? [[data.toolName, data.toolId]] : []));
    expect(tools).toEqual([
      ["stop_calling", null],
      ["book", "tool_1"],
      ["end_call", null],
    ]);
    expect(world.transcript().at(-1)).toBe(CONFIRMED);
    expect(world.wishes).toEqual(ENDED);
  });
});

describe("what the log says", () => {
  it("decides: under a verdict that this session did not know the model answers", async () => {
    const world = await greeted({ answeredBy: "unknown", call: { voicemailPolicy: "ignore" } });
    const now = world.clock.now();
    const sink = createCarrierEventSink({
      calls: world.aggregates.calls,
      clock: world.clock,
      logger: silentLogger,
      carriers: { dialledOn: async () => null },
    });
    const judged = { type: "machine_judged", answeredBy: "machine", greetingEnded: false } as const;
    const event = { callId: world.request.callId, carrierRef: "ref", sequence: 0, occurredAt: now };
    await until(world.clock, sink({ ...judged, ...event, dedupeKey: "verdict" }));
    world.line.say("Never call me again.");
    await world.pass(2_000);
    expect(world.transcript().at(-1)).toBe("answer: Fine, thank you.");
    world.line.press("9");
    await world.pass(4_000);
    expect(world.transcript().at(-1)).toBe(CONFIRMED);
  });

  it("promises nothing when it cannot be read", async () => {
    let isAway = false;
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      read: (...given) => (isAway ? Promise.reject(new Error("away")) : store.read(...given)),
    });
    const world = await greeted({ wrapStore });
    isAway = true;
    world.line.say("Never call me again.");
    await world.pass(10_000);
    expect(world.transcript().at(-1)).toContain("I am sorry, something does not work");
    expect(world.wishes).toEqual([{ by: "system", reason: "assistant_error" }]);
  });

  it("brings a session after a crash to confirm and end", async () => {
    const world = await conversationWorld({ speakers: [LISTENS] });
    let isDead = false;
    const line = await world.connect(
      {},
      world.startProcess(() => isDead),
    );
    await world.pass(2_000);
    line.say("Never call me again.");
    await world.pass(200);
    isDead = true;
    line.die();
    await world.pass(500);
    const next = await world.connect();
    await world.pass(8_000);
    expect(next.said().map(({ heard }) => heard)).toEqual([
      "I understand. We will not call you again. Goodbye.",
    ]);
    expect(world.wishes).toEqual(ENDED);
    expect(world.requests).toEqual([]);
  });
});
