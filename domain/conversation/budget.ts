import { utf8Length } from "../shared/utf8.ts";
import { HISTORY_TOKENS } from "./limits.ts";
import type { Entry } from "./past.ts";

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
export function withinBudget(entries: readonly Entry[], limit = HISTORY_TOKENS): readonly Entry[] {
  let used = 0;
  let from = entries.length;
  while (from > 0) {
    const entry = entries[from - 1];
    if (entry === undefined || used + tokensOf(entry) > limit) break;
    used += tokensOf(entry);
    from -= 1;
  }
  if (from === 0) return entries;
  const turn = entries[from]?.turn;
  const isInside = entries[from - 1]?.turn === turn;
  const next = isInside ? entries.findIndex((entry, index) => index > from && entry.turn !== turn) : from;
  return entries.slice(next < 0 ? from : next);
}
