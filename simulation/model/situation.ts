import type { ModelMessage, ModelRequest, ModelToolCall } from "../../application/ports/language-model.ts";
import type { SpokenLanguage } from "./phrases.ts";
import { languageOf } from "./words.ts";

export type AnsweredCall = { readonly name: string; readonly content: string };

/** The state of a conversation, as far as a scripted answer depends on it. */
export type Situation = {
  readonly language: SpokenLanguage;
  /** The customer's last words as one text; empty: nothing yet. */
  readonly turn: string;
  /** How often the customer has spoken. */
  readonly turns: number;
  /** Answered tool calls of this turn, in order. */
  readonly answered: readonly AnsweredCall[];
  /** Something was said after the customer's last words already; the answer continues it. */
  readonly hasSpoken: boolean;
};

export function situationOf({ messages }: Pick<ModelRequest, "messages">): Situation {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const firstOfTurn = messages.findLastIndex(({ role }, index) => index < lastUser && role !== "user") + 1;
  const after = messages.slice(lastUser + 1);
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  const saidTexts =
    lastUser < 0 ? [] : messages.slice(firstOfTurn, lastUser + 1).map(({ content }) => content);
  return {
    language: languageOf(newestFirst(messages)),
    turn: saidTexts.join(" "),
    turns: messages.filter(({ role }, index) => role === "user" && messages[index - 1]?.role !== "user")
      .length,
    answered: after.flatMap((message) => answeredCall(message, calls)),
    hasSpoken: after.some(({ role, content }) => role === "assistant" && content !== ""),
  };
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
