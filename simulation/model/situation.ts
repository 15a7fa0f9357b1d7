import type { ModelMessage, ModelRequest, ModelToolCall } from "../../application/ports/language-model.ts";
import type { SpokenIntent } from "../../domain/conversation/intents/intent-words.ts";
import { asksNotToBeCalled } from "../../domain/conversation/intents/opt-out.ts";
import { spokenIntents } from "../../domain/conversation/intents/spoken-intents.ts";
import { endOf } from "../../domain/shared/storable-text.ts";
import type { SpokenLanguage } from "./phrases.ts";
import { languageOf } from "./words.ts";

export type AnsweredCall = { readonly name: string; readonly content: string };

/** The state of a conversation, as far as a scripted answer depends on it. */
export type Situation = {
  readonly language: SpokenLanguage;
  /** The customer's last words as one text, the end of it if it is long; empty: nothing yet. */
  readonly turn: string;
  readonly meant: ReadonlySet<SpokenIntent>;
  /** They ask never to be called again. */
  readonly optsOut: boolean;
  /** How often the customer has spoken. */
  readonly turns: number;
  /** What was said to the customer before these words, in order. */
  readonly saidBefore: readonly string[];
  /** The instructions, with the data of the call. */
  readonly system: string;
  /** Answered tool calls of this turn, in order. */
  readonly answered: readonly AnsweredCall[];
  /** Something was said after the customer's last words already; the answer continues it. */
  readonly hasSpoken: boolean;
};

/** A turn may be thousands of characters long; its latest words count. */
const LONGEST_TURN = 1_000;

export function situationOf({
  messages,
  language = null,
}: Pick<ModelRequest, "messages" | "language">): Situation {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const firstOfTurn = messages.findLastIndex(({ role }, index) => index < lastUser && role !== "user") + 1;
  const after = messages.slice(lastUser + 1);
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  const saidTexts =
    lastUser < 0 ? [] : messages.slice(firstOfTurn, lastUser + 1).map(({ content }) => content);
  const whole = saidTexts.join(" ");
  const turn = endOf(whole, LONGEST_TURN);
  const spoken = language === null ? languageOf(newestFirst(messages)) : spokenLanguage(language);
  return {
    language: spoken,
    turn,
    meant: spokenIntents(turn),
    optsOut: asksNotToBeCalled(whole, language ?? spoken),
    turns: messages.filter(({ role }, index) => role === "user" && messages[index - 1]?.role !== "user")
      .length,
    saidBefore: messages
      .slice(0, Math.max(0, lastUser))
      .filter(isSpoken)
      .map(({ content }) => content),
    system: messages[0]?.role === "system" ? messages[0].content : "",
    answered: after.flatMap((message) => answeredCall(message, calls)),
    hasSpoken: after.some(isSpoken),
  };
}

function isSpoken({ role, content }: ModelMessage): boolean {
  return role === "assistant" && content !== "";
}

/** Of a BCP 47 tag: English where there are no words in the language. */
export function spokenLanguage(tag: string): SpokenLanguage {
  return tag.toLowerCase().split("-")[0] === "tr" ? "tr" : "en";
}

function answeredCall(message: ModelMessage, calls: readonly ModelToolCall[]): AnsweredCall[] {
  if (message.role !== "tool") return [];
  const call = calls.findLast(({ id }) => id === message.toolCallId);
  return [{ name: call?.name ?? "", content: message.content }];
}

/** The customer's words show the language best, then what was said to them, then the instructions. */
function newestFirst(messages: readonly ModelMessage[]): string[] {
  const rank = { user: 0, assistant: 1, system: 2, tool: 3 } as const;
  return messages
    .toReversed()
    .filter(({ role }) => role !== "tool")
    .toSorted((one, other) => rank[one.role] - rank[other.role])
    .map(({ content }) => content);
}
