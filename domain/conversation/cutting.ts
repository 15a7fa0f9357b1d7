import { agreeingBeginning, beginningByTime, speechMillis } from "./heard.ts";
import { SETTLE_MILLIS } from "./limits.ts";
import { clearTimer, type Move, setTimer } from "./move.ts";
import { record } from "./recording.ts";
import { estimatedHeard, messageOf, watchHearing } from "./speaking.ts";
import type { Utterance } from "./state.ts";

export type Cut = {
  /** In the carrier's words; null: not reported. */
  readonly heard: string | null;
  readonly heardMillis: number | null;
  readonly precision: "exact" | "estimated";
};

/** An utterance was heard completely, so nothing more will be reported of it. */
export function heardWhole(move: Move, utteranceId: number): void {
  const utterance = openUtterance(move, utteranceId);
  if (utterance === null) return;
  // Everything given so far was heard; the answer is still being made.
  if (!utterance.complete && utterance.clearedAtLine === null) return;
  if (utterance.index === null) {
    settleCut(move, utterance, wholly(utterance));
    return;
  }
  close(move, utterance);
}

/** Stops what is being spoken, except what may not be interrupted. */
export function stopSpeaking(move: Move, all = false): void {
  for (const utterance of [...move.live.speaking]) {
    if ((!all && !utterance.interruptible) || utterance.clearedAtLine !== null) continue;
    if (utterance.startedMono === null) {
      forget(move, utterance);
      continue;
    }
    utterance.clearedAtLine = move.line;
    move.out.push({ type: "clear", utteranceId: utterance.id });
    setTimer(move, "settle", SETTLE_MILLIS);
  }
}

/** The session reported how much of an utterance was heard. */
export function wasCut(move: Move, utteranceId: number, cut: Cut): Utterance | null {
  const utterance = openUtterance(move, utteranceId);
  if (utterance !== null) settleCut(move, utterance, cut);
  return utterance;
}

/** The session did not report in time how much was heard: estimate it by time. */
export function settleByTime(move: Move): void {
  for (const utterance of [...move.live.speaking]) {
    if (utterance.clearedAtLine !== null) settleCut(move, utterance, byTime);
  }
}

/** The line is lost: everything that is being spoken was cut, unless its time was over. */
export function cutAllByTime(move: Move): void {
  for (const utterance of [...move.live.speaking]) settleCut(move, utterance, byTime);
}

/** The session does not report it, and its estimated end is long over. */
export function takeForHeard(move: Move): void {
  const first = move.live.speaking.find((each) => each.startedMono !== null && each.complete);
  if (first !== undefined) heardWhole(move, first.id);
}

const byTime: Cut = { heard: null, heardMillis: null, precision: "estimated" };

function wholly({ text }: Utterance): Cut {
  return { heard: text, heardMillis: speechMillis(text), precision: "exact" };
}

/**
 * The message (if it was not complete) and its cut are one append. A cut after the last word is not recorded.
 */
function settleCut(move: Move, utterance: Utterance, cut: Cut): void {
  if (utterance.startedMono === null) {
    forget(move, utterance);
    return;
  }
  const { text, index } = utterance;
  const heardMillis = Math.round(cut.heardMillis ?? estimatedHeard(move, utterance));
  const given = text.slice(0, utterance.given);
  const reported = cut.heard === null ? null : agreeingBeginning(given, cut.heard);
  const heard = reported ?? beginningByTime(given, heardMillis);
  const precision = reported === null && cut.heard !== null ? "estimated" : cut.precision;
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

/** Nothing of it was given to the session. */
function forget(move: Move, utterance: Utterance): void {
  remove(move, utterance);
}

function close(move: Move, utterance: Utterance): void {
  utterance.complete = true;
  remove(move, utterance);
  if (!move.live.speaking.some(({ clearedAtLine }) => clearedAtLine !== null)) clearTimer(move, "settle");
  watchHearing(move);
}

function remove({ live }: Move, utterance: Utterance): void {
  const at = live.speaking.indexOf(utterance);
  if (at >= 0) live.speaking.splice(at, 1);
  if (live.generation?.utterance === utterance) live.generation.utterance = null;
}
