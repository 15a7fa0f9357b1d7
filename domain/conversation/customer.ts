import { beginningOf } from "../shared/storable-text.ts";
import { type Cut, stopSpeaking, wasCut } from "./cutting.ts";
import { transferFailed } from "./ending.ts";
import { stopGeneration } from "./generation.ts";
import {
  BEEP_SILENCE_MILLIS,
  DIGITS,
  DIGITS_MILLIS,
  SPEECH_MILLIS,
  WAITING_EVENTS,
  WORDS_CHARACTERS,
} from "./limits.ts";
import { clearTimer, type Move, setLineTimer } from "./move.ts";
import type { Past } from "./past.ts";
import { isDurable, record, waitingEvents } from "./recording.ts";
import { newCounts, speakerNow } from "./state.ts";

/** The assistant does not talk over the customer: an answer in progress is dropped, and speech is stopped. */
export function speechStarted(move: Move): void {
  const { live } = move;
  if (live.closed !== null) return;
  setLineTimer(move, "speech", SPEECH_MILLIS);
  if (live.customerSpeaking) return;
  live.customerSpeaking = true;
  clearTimer(move, "silence", "voicemail");
  interrupt(move);
}

/** No report of this speech for too long: it was noise, or has ended. */
export function speechIsOver(move: Move): void {
  endSpeech(move);
  if (move.live.words.trim() !== "") move.live.wordsWait = true;
}

function endSpeech(move: Move): void {
  move.live.customerSpeaking = false;
  clearTimer(move, "speech");
  if (move.live.listening === "for_end_of_greeting") setLineTimer(move, "voicemail", BEEP_SILENCE_MILLIS);
}

/** An answer of which nothing was spoken yet is due again. Speech that may not be interrupted goes on. */
function interrupt(move: Move): void {
  const { live } = move;
  const { generation } = live;
  if (live.listening === "leaving_message") return;
  const utterance = generation?.utterance ?? null;
  const begun = utterance !== null && utterance.startedMono !== null;
  if (generation !== null && !(begun && !utterance.interruptible)) {
    stopGeneration(move);
    live.wantsAnswer = !begun;
  } else if (live.timers.has("retry")) {
    clearTimer(move, "retry");
    live.wantsAnswer = true;
  }
  stopSpeaking(move);
}

export function customerSaid(move: Move, text: string, language: string | null, continues: boolean): void {
  const { live } = move;
  if (live.closed !== null) return;
  const said = text.trim();
  if (said !== "") {
    const joined = live.words === "" ? said : `${live.words} ${said}`;
    live.words = beginningOf(joined, WORDS_CHARACTERS);
    live.wordsLanguage = language ?? live.wordsLanguage;
  }
  if (continues) {
    speechStarted(move);
    return;
  }
  if (said !== "" && !live.customerSpeaking) interrupt(move);
  endSpeech(move);
  if (live.words === "") return;
  live.wordsWait = true;
  live.turnSaidMono = move.mono;
}

/**
 * The customer's words are appended once the words before them are durable; until then further words
 * join the same message.
 */
export function takeWords(move: Move): void {
  const { live } = move;
  const isBusy = live.closed === null && !isDurable(move, live.answerWaitsFor);
  if (!live.wordsWait || isBusy || waitingEvents(move) >= WAITING_EVENTS) return;
  const turn = turnOfWords(move);
  const { words: content, wordsLanguage: language } = live;
  live.words = "";
  live.wordsWait = false;
  live.wordsLanguage = null;
  const message = {
    role: "customer" as const,
    assistantId: speakerNow(move).assistantId,
    content,
    turn,
    ...(language === null ? {} : { language }),
  };
  const joins = turn === move.past.turns;
  turnSaid(move, record(move, { type: "AddUtterance", message }), joins);
}

function turnSaid(move: Move, ticket: number, joins: boolean): void {
  const { live } = move;
  live.answerWaitsFor = ticket;
  live.afterTools = null;
  live.wantsAnswer =
    live.closed === null && live.ending === null && live.listening === "no" && move.past.optOut === null;
  if (joins) return;
  live.counts = newCounts();
  clearTimer(move, "turn");
}

/**
 * Words join the current turn while it has no answer and no tool of it changed anything; else
 * they begin a new turn.
 */
function turnOfWords({ live, past }: Move): number {
  const answers = live.speaking.some(
    ({ kind, turn, startedMono }) => kind !== "filler" && turn === past.turns && startedMono !== null,
  );
  return past.turns > 0 && !answers && isUnanswered(past) ? past.turns : past.turns + 1;
}

/**
 * Since the customer's last turn began, only fillers were heard and no tool that changes something was begun.
 */
export function isUnanswered({ entries, turns }: Past): boolean {
  for (const entry of entries.toReversed()) {
    if (entry.turn !== turns) break;
    if (entry.kind === "handover") return false;
    if (entry.kind === "tool" && !entry.began.repeatable) return false;
    if (entry.kind !== "said" || entry.message.role !== "assistant") continue;
    if (entry.message.kind !== "filler" && entry.heard.trim() !== "") return false;
  }
  return turns > 0;
}

const KEY = /^[0-9*A-D]$/;

/** Keys are collected until # or a pause. The first key interrupts the assistant. */
export function digitPressed(move: Move, digit: string): void {
  const { live } = move;
  if (live.closed !== null) return;
  if (digit === "#") {
    digitsAreOver(move);
    return;
  }
  if (!KEY.test(digit)) return;
  if (live.digits === "") interrupt(move);
  if (live.digits.length < DIGITS) live.digits += digit;
  setLineTimer(move, "digits", DIGITS_MILLIS);
}

export function digitsAreOver(move: Move): void {
  const { live } = move;
  clearTimer(move, "digits");
  if (live.digits === "") return;
  const { digits } = live;
  live.digits = "";
  const turn = turnOfWords(move);
  const joins = turn === move.past.turns;
  live.turnSaidMono = move.mono;
  const { assistantId } = speakerNow(move);
  turnSaid(move, record(move, { type: "RecordDigits", turn, digits, assistantId }), joins);
}

/** The session stopped an utterance. When we did not ask for that, the customer is speaking. */
export function speechCut(move: Move, utteranceId: number, cut: Cut): void {
  const { live } = move;
  if (live.ending?.transfer?.begun === true) transferFailed(move);
  const utterance = live.speaking.find(({ id }) => id === utteranceId);
  if (utterance === undefined) return;
  const wasOurs = utterance.clearedAtLine !== null;
  if (live.generation?.utterance === utterance) stopGeneration(move);
  wasCut(move, utteranceId, cut);
  if (!wasOurs) speechStarted(move);
}
