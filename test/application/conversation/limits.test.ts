import { expect, it } from "vitest";
import type { LanguageModels, ModelRequest } from "../../../application/ports/language-model.ts";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import { estimatedTokens } from "../../../domain/conversation/prompt.ts";
import {
  type ConversationWorld,
  conversationWorld,
  SPEAKER,
} from "../../support/conversation/conversation-world.ts";
import type { LineSession } from "../../support/conversation/line-session.ts";

const NAMES = ["ada", "bob", "cem", "dil", "eva"] as const;

/** Each of them can hand over to all others. */
const SQUAD: readonly PinnedSpeaker[] = NAMES.map((name, place) => ({
  ...SPEAKER,
  memberId: `mbr_${place}`,
  assistantId: `ast_${place + 1}`,
  name,
  handoffs: NAMES.flatMap((other, otherPlace) =>
    other === name
      ? []
      : [
          {
            toMemberId: `mbr_${otherPlace}` as const,
            toolName: `handoff_to_${other}`,
            description: "when asked",
            message: null,
            contextMode: "none" as const,
            contextMaxMessages: null,
            variables: [],
          },
        ],
  ),
}));

const handoffsOf = (world: ConversationWorld) =>
  world.types().filter((type) => type === "CallHandedOver").length;
const refusalsOf = (world: ConversationWorld) =>
  world
    .events()
    .flatMap((event) =>
      event.type === "CallToolEnded" && event.data.outcome === "refused" ? [event.data.shown] : [],
    );

async function turn(world: ConversationWorld, line: LineSession, words: string): Promise<void> {
  line.say(words);
  await world.pass(3_000);
}

it("hands a call over at most three times between two turns of the customer", async () => {
  let asked = 0;
  const world = await conversationWorld({
    speakers: SQUAD,
    answer: () => {
      asked += 1;
      const next = NAMES[asked];
      return next === undefined ? [{ text: "Here I am." }] : [{ call: `handoff_to_${next}` }];
    },
  });
  const line = await world.connect();
  await world.pass(3_000);
  await turn(world, line, "Somebody else, please.");
  expect([handoffsOf(world), refusalsOf(world)]).toEqual([
    3,
    ["The call was handed over too often since the customer spoke. Go on yourself."],
  ]);
  expect(world.transcript().at(-1)).toBe("answer: Here I am.");
});

it("hands a call over at most twenty times", async () => {
  const world = await conversationWorld({
    speakers: SQUAD.slice(0, 2),
    call: { maxDurationSeconds: 3_600 },
    answer: ({ messages, tools }) => {
      const handoff = tools.find(({ name }) => name.startsWith("handoff_to_"))?.name ?? "";
      // Who was handed to knows nothing of the call, and speaks.
      const isNew = messages.length === 1;
      const isTold = messages.at(-1)?.role === "tool";
      return isNew || isTold ? [{ text: "Yes?" }] : [{ call: handoff }];
    },
  });
  const line = await world.connect();
  await world.pass(3_000);
  for (let said = 1; said <= 21; said += 1) await turn(world, line, `Not you. (${said})`);
  expect([handoffsOf(world), refusalsOf(world)]).toEqual([
    20,
    ["The call was handed over too often. Go on yourself."],
  ]);
});

const tokensOf = ({ messages }: ModelRequest) =>
  messages.slice(1).reduce((sum, { content }) => sum + estimatedTokens(content), 0);

it("gives the model at most 24,000 tokens of history: the oldest turns go, the last words stay", async () => {
  const world = await conversationWorld({
    call: { maxDurationSeconds: 3_600 },
    answer: () => [{ text: "Go on." }],
  });
  const line = await world.connect();
  await world.pass(3_000);
  for (let said = 1; said <= 30; said += 1) await turn(world, line, `${said}:${"w".repeat(3_900)}`);
  const sizes = world.requests.map(tokensOf);
  expect([world.requests.length, Math.max(...sizes) <= 24_000, Math.max(...sizes) > 22_000]).toEqual([
    30,
    true,
    true,
  ]);
  const last = world.requests.at(-1)?.messages ?? [];
  expect(last.at(-1)?.content.startsWith("30:")).toBe(true);
  // It begins with a turn of the customer, and none is missing after it.
  const turns = last
    .filter(({ role }) => role === "user")
    .map(({ content }) => Number(content.split(":")[0]));
  expect(last[1]?.role).toBe("user");
  expect(turns).toEqual(Array.from({ length: turns.length }, (_, place) => 31 - turns.length + place));
});

/** A model that counts so many tokens for each answer. */
const dear =
  (inputTokens: number) =>
  (models: LanguageModels): LanguageModels => ({
    open: async (...given) => {
      const model = await models.open(...given);
      return {
        respond: async function* (...asked) {
          for await (const part of model.respond(...asked))
            yield part.kind === "end" ? { ...part, inputTokens } : part;
        },
      };
    },
  });

it("ends a call that has used 200,000 tokens with the fallback line", async () => {
  const world = await conversationWorld({ models: dear(60_000), answer: () => [{ text: "Yes." }] });
  const line = await world.connect();
  await world.pass(3_000);
  for (let said = 1; said <= 4; said += 1) await turn(world, line, `Turn ${said}`);
  expect(world.requests).toHaveLength(4);
  await turn(world, line, "Turn 5");
  await world.pass(15_000);
  expect(world.requests).toHaveLength(4);
  expect(world.types()).toContain("CallTurnFailed");
  expect(world.transcript().at(-1)).toMatch(/^fallback: /);
  expect(world.wishes).toEqual([{ by: "system", reason: "assistant_error" }]);
});
