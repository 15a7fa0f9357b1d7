import { agreeingBeginning, beginningByTime, speechMillis } from "./heard.ts";
import { SETTLE_MILLIS } from "./limits.ts";
import { clearTimer, type Move, setTimer } from "./move.ts";
import { record } from "./recording.ts";
import { estimatedHeard, messageOf, watchHearing } from "./speaking.ts";
import type { Utterance } from "./state.ts";

export type Cut = {
  /** In the carrier's words; null: not told. */
  readonly heard: string | null;
  readonly heardMillis: number | null;
  readonly precision: "exact" | "estimated";
};

/** An utterance was heard to its end: nothing is left to be told of it. */
export function heardWhole(move: Move, utteranceId: number): void {
  const utterance = openUtterance(move, utteranceId);
  if (utterance === null) return;
  // Heard as far as it was given: an answer that is still being made goes on.
  if (!utterance.complete && utterance.clearedMono === null) return;
  if (utterance.index === null) {
    settleCut(move, utterance, wholly(utterance));
    return;
  }
  close(move, utterance);
}

/** What we still say is dropped. What cannot be interrupted goes on. */
export function stopSpeaking(move: Move, all = false): void {
  for (const utterance of [...move.live.speaking]) {
    if ((!all && !utterance.interruptible) || utterance.clearedMono !== null) continue;
    if (utterance.startedMono === null) {
      forget(move, utterance);
      continue;
    }
    utterance.clearedMono = move.mono;
    move.out.push({ type: "clear", utteranceId: utterance.id });
    setTimer(move, "settle", SETTLE_MILLIS);
  }
}

/** The session told what was heard of an utterance. */
export function wasCut(move: Move, utteranceId: number, cut: Cut): Utterance | null {
  const utterance = openUtterance(move, utteranceId);
  if (utterance !== null) settleCut(move, utterance, cut);
  return utterance;
}

/** Nobody told in time what was heard: by the time that passed. */
export function settleByTime(move: Move): void {
  for (const utterance of [...move.live.speaking]) {
    if (utterance.clearedMono !== null) settleCut(move, utterance, byTime);
  }
}

/** The line is gone: whatever is being said was cut, unless its time was over. */
export function cutAllByTime(move: Move): void {
  for (const utterance of [...move.live.speaking]) settleCut(move, utterance, byTime);
}

/** Session tells nothing of it any more, and it is long over. */
export function takeForHeard(move: Move): void {
  const first = move.live.speaking.find((each) => each.startedMono !== null && each.complete);
  if (first !== undefined) heardWhole(move, first.id);
}

const byTime: Cut = { heard: null, heardMillis: null, precision: "estimated" };

function wholly({ text }: Utterance): Cut {
  return { heard: text, heardMillis: speechMillis(text), precision: "exact" };
}

/** Message (when it was not complete) and cut are one append; a cut behind the last word is none. */
function settleCut(move: Move, utterance: Utterance, cut: Cut): void {
  if (utterance.startedMono === null) {
    forget(move, utterance);
    return;
  }
  const { text, index } = utterance;
  const heardMillis = Math.round(cut.heardMillis ?? estimatedHeard(move, utterance));
  const given = text.slice(0, utterance.given);
  const told = cut.heard === null ? null : agreeingBeginning(given, cut.heard);
  const heard = told ?? beginningByTime(given, heardMillis);
  const precision = told === null && cut.heard !== null ? "estimated" : cut.precision;
  const message = index === null ? [messageOf(utterance)] : [];
  const isWhole = heard.trimEnd() === text.trimEnd();
  utterance.index ??= move.past.nextIndex;
  const { index: messageIndex } = utterance;
  const words = { type: "CutSpeech", messageIndex, heard, heardMillis, precision } as const;
  if (message.length > 0 || !isWhole) record(move, ...message, ...(isWhole ? [] : [words]));
  close(move, utterance);
}

function openUtterance({ live }: Move, utteranceId: number): Utterance | null {
  return live.speaking.find(({ id }) => id === utteranceId) ?? null;
}

/** Nothing of it ever left. */
function forget(move: Move, utterance: Utterance): void {
  remove(move, utterance);
}

function close(move: Move, utterance: Utterance): void {
  utterance.complete = true;
  remove(move, utterance);
  if (!move.live.speaking.some(({ clearedMono }) => clearedMono !== null)) clearTimer(move, "settle");
  watchHearing(move);
}

function remove({ live }: Move, utterance: Utterance): void {
  const at = live.speaking.indexOf(utterance);
  if (at >= 0) live.speaking.splice(at, 1);
  if (live.generation?.utterance === utterance) live.generation.utterance = null;
}
