import { estimatedTokens, withinBudget } from "./budget.ts";
import { visibleEntries } from "./context.ts";
import type { Prompt, PromptMessage } from "./effects.ts";
import { ANSWER_TOKENS, TOOL_ROUNDS } from "./limits.ts";
import type { Move } from "./move.ts";
import { promptTools } from "./offered-tools.ts";
import type { Entry, SaidEntry, ToolEntry } from "./past.ts";
import { speakerNow } from "./state.ts";
import { systemPrompt } from "./system-prompt.ts";

/** What the speaker's model is asked now. */
export function promptNow(move: Move): Prompt {
  const { script, past, live, toolArguments } = move;
  const speaker = speakerNow(move);
  const history = withinBudget(visibleEntries(script, past.entries));
  const system = systemPrompt(script, speaker, past.variables, move.now);
  return {
    messages: [{ role: "system", content: system }, ...asMessages(history)],
    tools: live.counts.rounds >= TOOL_ROUNDS ? [] : promptTools(speaker, toolArguments),
    model: speaker.model,
    temperature: speaker.temperature,
    maxTokens: ANSWER_TOKENS,
  };
}

export function promptTokens({ messages, tools }: Prompt): number {
  let tokens = estimatedTokens(JSON.stringify(tools));
  for (const message of messages) tokens += estimatedTokens(message.content);
  return tokens;
}

type Mutable = PromptMessage[];

/** All words of one turn of the customer are one message. */
function asMessages(entries: readonly Entry[]): readonly PromptMessage[] {
  const messages: Mutable = [];
  const usedIds = new Set<string>();
  let turnOfLast: number | null = null;
  for (const entry of entries) {
    const isCustomers = entry.kind === "said" && entry.message.role === "customer";
    if (isCustomers) {
      addWords(messages, entry.heard, turnOfLast === entry.turn);
      turnOfLast = entry.turn;
      continue;
    }
    const others = entry.kind === "said" ? saidMessages(entry) : toolMessages(entry, usedIds);
    if (others.length > 0) turnOfLast = null;
    messages.push(...others);
  }
  return messages;
}

function addWords(messages: Mutable, words: string, joins: boolean): void {
  const last = joins ? messages.pop() : undefined;
  messages.push({ role: "user", content: last === undefined ? words : `${last.content} ${words}` });
}

function saidMessages({ message, heard }: SaidEntry): readonly PromptMessage[] {
  if (message.role !== "assistant" || heard.trim() === "") return [];
  return [{ role: "assistant", content: heard }];
}

/** The model's own id goes back to it, ours where it repeats its ids. */
function toolMessages(entry: Exclude<Entry, SaidEntry>, usedIds: Set<string>): readonly PromptMessage[] {
  if (entry.kind === "handover") return [];
  const { toolCallId, toolName, modelCallId = toolCallId, modelFields } = entry.began;
  const id = usedIds.has(modelCallId) ? toolCallId : modelCallId;
  usedIds.add(id);
  const call = {
    id,
    name: toolName,
    arguments: JSON.stringify(entry.began.arguments ?? {}),
    ...(modelFields === undefined ? {} : { fields: modelFields }),
  };
  return [
    { role: "assistant", content: "", toolCalls: [call] },
    { role: "tool", toolCallId: id, content: resultOf(entry) },
  ];
}

function resultOf({ result }: ToolEntry): string {
  return result?.shown ?? "There is no result.";
}
