import { clearTimer, type Move } from "./move.ts";
import { completeUtterance } from "./speaking.ts";

/**
 * Ends the answer in progress, if there is one. Its spoken part stays open until the session
 * reports what was heard.
 */
export function stopGeneration(move: Move): void {
  const { live, past } = move;
  const { generation } = live;
  clearTimer(move, "filler", "first_part", "retry");
  if (generation === null) return;
  live.generation = null;
  past.tokens += generation.estimatedTokens;
  move.out.push({ type: "abort", generation: generation.id });
  const { utterance } = generation;
  if (utterance === null || utterance.startedMono !== null) return;
  const at = live.speaking.indexOf(utterance);
  if (at >= 0) live.speaking.splice(at, 1);
}

/** As `stopGeneration`, but the spoken part is complete. */
export function endAnswer(move: Move): void {
  stopGeneration(move);
  for (const utterance of move.live.speaking) {
    if (!utterance.complete && utterance.clearedAtLine === null) completeUtterance(move, utterance);
  }
}
