import type { CarrierEvent, PlaceCall } from "../../../application/ports/telephony.ts";
import { between, type SeededRandom } from "./seeded-random.ts";

type Message = Extract<CarrierEvent, { type: "message" }>;
export type SpokenLine = { readonly pauseMs: number } & Pick<
  Message,
  "role" | "assistantId" | "content" | "toolName" | "arguments" | "result"
>;

const CUSTOMER_REPLIES = [
  "Yes, speaking.",
  "Hello, who is this?",
  "Yes, go on, please.",
  "I have a minute, yes.",
];
const CUSTOMER_QUESTIONS = [
  "Could you tell me more?",
  "What do I have to do?",
  "Is that all?",
  "When would that be?",
];
const ASSISTANT_ANSWERS = [
  "Of course. You will get a message with all the details.",
  "Nothing else, I only wanted to let you know.",
  "I have noted that for you.",
];
const GOODBYES = ["Thank you, goodbye.", "Good, thanks. Bye.", "All right, have a nice day."];

function pick(lines: readonly string[], random: SeededRandom): string {
  return lines[Math.floor(random() * lines.length)] ?? "";
}

/**
 * What is said on an answered call: the rendered greeting first; with a squad one handoff (a tool message) after which the second assistant
 * speaks on. Pauses are in simulator time, before each line.
 */
export function conversationOf(call: PlaceCall, random: SeededRandom): SpokenLine[] {
  const speaker = call.assistant.assistantId;
  const opening: SpokenLine[] = [
    { role: "assistant", assistantId: speaker, content: call.greeting, pauseMs: 500 },
    {
      role: "customer",
      assistantId: speaker,
      content: pick(CUSTOMER_REPLIES, random),
      pauseMs: between(random, 2_000, 6_000),
    },
  ];
  const handoff = handoffOf(call);
  const successor = handoff.at(-1)?.assistantId ?? speaker;
  return [
    ...opening,
    ...handoff,
    {
      role: "customer",
      assistantId: successor,
      content: pick(CUSTOMER_QUESTIONS, random),
      pauseMs: between(random, 2_000, 8_000),
    },
    {
      role: "assistant",
      assistantId: successor,
      content: pick(ASSISTANT_ANSWERS, random),
      pauseMs: between(random, 1_000, 3_000),
    },
    {
      role: "customer",
      assistantId: successor,
      content: pick(GOODBYES, random),
      pauseMs: between(random, 3_000, 20_000),
    },
  ];
}

function handoffOf(call: PlaceCall): SpokenLine[] {
  const link = call.squad?.handoffs.find((handoff) => handoff.fromAssistantId === call.assistant.assistantId);
  const successor = call.squad?.members.find((member) => member.assistantId === link?.toAssistantId);
  if (link === undefined || successor === undefined) return [];
  const spokenBefore: SpokenLine[] =
    link.message === null
      ? []
      : [{ role: "assistant", assistantId: link.fromAssistantId, content: link.message, pauseMs: 1_000 }];
  return [
    ...spokenBefore,
    {
      role: "tool",
      assistantId: link.fromAssistantId,
      content: `Handed over to ${successor.name}`,
      toolName: link.toolName,
      arguments: {},
      result: { assistantId: successor.assistantId, assistantVersion: successor.assistantVersion },
      pauseMs: 500,
    },
    {
      role: "assistant",
      assistantId: successor.assistantId,
      content: successor.greetingMessage,
      pauseMs: 1_500,
    },
  ];
}
