import { utf8Length } from "../shared/utf8.ts";
import { visibleEntries } from "./context.ts";
import type { Prompt, PromptMessage } from "./effects.ts";
import { ANSWER_TOKENS, HISTORY_TOKENS, TOOL_ROUNDS } from "./limits.ts";
import type { Move } from "./move.ts";
import { promptTools } from "./offered-tools.ts";
import type { Entry, SaidEntry, ToolEntry } from "./past.ts";
import { speakerNow } from "./state.ts";
import { systemPrompt } from "./system-prompt.ts";

/** What the speaker's model is asked now. */
export function promptNow(move: Move): Prompt {
  const { script, past, live, toolArguments } = move;
  const speaker = speakerNow(move);
  const history = latestThatFit(visibleEntries(script, past.entries), tokensOf, HISTORY_TOKENS);
  const system = systemPrompt(script, speaker, past.variables, move.now);
  return {
    messages: [{ role: "system", content: system }, ...asMessages(history)],
    tools: live.counts.rounds >= TOOL_ROUNDS ? [] : promptTools(speaker, toolArguments),
    model: speaker.model,
    language: speaker.language,
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

const BYTES_A_TOKEN = 4;
const TOKENS_A_MESSAGE = 4;

export function estimatedTokens(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_A_TOKEN) + TOKENS_A_MESSAGE;
}

function tokensOf(entry: Entry): number {
  if (entry.kind === "handover") return 0;
  if (entry.kind === "said") return estimatedTokens(entry.heard);
  return (
    estimatedTokens(JSON.stringify(entry.began.arguments ?? {})) + estimatedTokens(entry.result?.shown ?? "")
  );
}

/**
 * The latest part of the history that fits: whole turns where possible, else whole entries (a tool call and
 * its result are one entry).
 */
export function latestThatFit<Each extends { readonly turn: number }>(
  entries: readonly Each[],
  tokensOf: (entry: Each) => number,
  limit: number,
): readonly Each[] {
  let used = 0;
  let from = entries.length;
  while (from > 0) {
    const entry = entries[from - 1];
    if (entry === undefined) break;
    used += tokensOf(entry);
    if (used > limit) break;
    from -= 1;
  }
  if (from === 0) return entries;
  const turn = entries[from]?.turn;
  const isInside = entries[from - 1]?.turn === turn;
  const next = isInside ? entries.findIndex((entry, index) => index > from && entry.turn !== turn) : from;
  return entries.slice(next < 0 ? from : next);
}
