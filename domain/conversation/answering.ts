import { beginningOf } from "../shared/storable-text.ts";
import { failTurn } from "./failing.ts";
import { endAnswer } from "./generation.ts";
import type { AnswerPart } from "./inputs.ts";
import {
  ANSWER_CHARACTERS,
  ARGUMENT_CHARACTERS,
  LONGEST_RETRY_AFTER_MILLIS,
  TOOL_CALLS_AT_ONCE,
} from "./limits.ts";
import { clearTimer, type Move, setTimer } from "./move.ts";
import { isDurable } from "./recording.ts";
import { beginUtterance, completeUtterance, giveWords, type MadeBy, maySpeak, sayLine } from "./speaking.ts";
import { type Generation, speakerNow } from "./state.ts";
import { textsFor } from "./texts.ts";
import { startTools, toolsAreLate } from "./tooling.ts";

/** A part of the answer that is being made; late parts of other answers are ignored. */
export function takePart(move: Move, id: number, part: AnswerPart): void {
  const { generation } = move.live;
  if (generation?.id !== id || generation.end !== null) return;
  if (part.kind === "end") {
    generation.end = part;
    clearTimer(move, "filler", "first_part");
    return;
  }
  if (part.kind === "text" && part.text === "") return;
  clearTimer(move, "filler", "first_part");
  firstToken(move, generation);
  if (part.kind === "text") {
    takeText(move, generation, part.text);
    return;
  }
  if (part.call.arguments.length > ARGUMENT_CHARACTERS) {
    generation.calls.push({ ...part.call, arguments: "too long" });
  } else generation.calls.push(part.call);
  if (generation.calls.length >= TOOL_CALLS_AT_ONCE) cutShort(move, generation, "tool_calls");
}

function takeText(move: Move, generation: Generation, text: string): void {
  const room = ANSWER_CHARACTERS - generation.characters;
  const taken = beginningOf(text, room);
  generation.characters += taken.length;
  generation.utterance ??= beginUtterance(move, "answer", speakerNow(move));
  generation.utterance.text += taken;
  if (text.length > room) cutShort(move, generation, "length");
}

/** The answer is long enough: its stream is closed. */
function cutShort(move: Move, generation: Generation, reason: "length" | "tool_calls"): void {
  generation.end = { kind: "end", reason, model: "", inputTokens: null, outputTokens: null };
  move.out.push({ type: "abort", generation: generation.id });
}

function firstToken(move: Move, generation: Generation): void {
  const { turnSaidMono } = move.live;
  if (generation.firstTokenMillis !== null || turnSaidMono === null) return;
  generation.firstTokenMillis = Math.round(move.mono - turnSaidMono);
  move.out.push({ type: "measured", stage: "first_token", millis: generation.firstTokenMillis });
}

/**
 * Speaks what is allowed: only after the customer's words are durable, and only while it interrupts nobody.
 */
export function letAnswerOut(move: Move): void {
  const { generation } = move.live;
  if (generation === null || !isDurable(move, generation.waitsFor)) return;
  const { utterance } = generation;
  const goesOn = utterance !== null && utterance.startedMono !== null && !utterance.interruptible;
  if (!maySpeak(move) && !(goesOn && move.live.closed === null)) return;
  if (utterance !== null && utterance.text.trim() !== "") {
    firstAudio(move, generation);
    giveWords(move, utterance);
  }
  if (generation.end !== null) carryOut(move, generation, generation.end);
}

function firstAudio(move: Move, generation: Generation): void {
  const { turnSaidMono } = move.live;
  if (generation.firstAudioMillis !== null || turnSaidMono === null) return;
  generation.firstAudioMillis = Math.round(move.mono - turnSaidMono);
  move.out.push({ type: "measured", stage: "first_audio", millis: generation.firstAudioMillis });
  move.live.turnSaidMono = null;
}

function carryOut(move: Move, generation: Generation, end: NonNullable<Generation["end"]>): void {
  const { live, past } = move;
  live.generation = null;
  const { inputTokens, outputTokens } = end;
  const counted = inputTokens !== null || outputTokens !== null;
  if (counted)
    move.out.push({ type: "used", inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 });
  const { utterance, calls } = generation;
  const says = utterance !== null && utterance.text.trim() !== "";
  if (utterance !== null && says) completeUtterance(move, utterance, madeBy(generation, end));
  else if (utterance !== null) live.speaking.splice(live.speaking.indexOf(utterance), 1);
  // The log has the token counts of messages; those of other answers are counted only
  // while this process lives.
  if (!says || !counted)
    past.tokens += counted ? (inputTokens ?? 0) + (outputTokens ?? 0) : generation.estimatedTokens;
  if (calls.length > 0) startTools(move, calls, generation.turn);
  else if (!says) failTurn(move, end.reason === "content_filter" ? "content_filter" : "empty_answer");
  else clearTimer(move, "turn");
}

function madeBy(generation: Generation, end: NonNullable<Generation["end"]>): MadeBy {
  const { firstTokenMillis, firstAudioMillis } = generation;
  const { model: name, inputTokens, outputTokens } = end;
  return {
    timing: { firstTokenMillis, firstAudioMillis },
    ...(name === "" ? {} : { model: { name, inputTokens, outputTokens } }),
  };
}

/**
 * The model is asked once more, unless it refused; a second failure of the turn brings a fallback line. Words
 * that were spoken stay spoken, and the model goes on from them.
 */
export function answerFailed(move: Move, id: number, kind: string, retryAfterMillis: number | null): void {
  const { live } = move;
  const { generation } = live;
  if (generation?.id !== id || generation.end !== null) return;
  const { utterance } = generation;
  live.generation = null;
  clearTimer(move, "filler", "first_part");
  live.wantsAnswer = false;
  if (utterance !== null && utterance.startedMono !== null) completeUtterance(move, utterance);
  else if (utterance !== null) live.speaking.splice(live.speaking.indexOf(utterance), 1);
  move.past.tokens += generation.estimatedTokens;
  if (kind === "refused" || live.counts.retries > 0) {
    failTurn(move, kind);
    return;
  }
  live.counts.retries += 1;
  live.wantsAnswer = true;
  const wait = Math.min(retryAfterMillis ?? 0, LONGEST_RETRY_AFTER_MILLIS);
  if (wait > 0) setTimer(move, "retry", wait);
}

/** No part came in time: the stream is closed, and the answer counts as failed. */
export function answerIsLate(move: Move): void {
  const { generation } = move.live;
  if (generation === null) return;
  move.out.push({ type: "abort", generation: generation.id });
  answerFailed(move, generation.id, "first_part_late", null);
}

/** The time of a turn with its tools is over: what was spoken of the answer becomes the answer. */
export function turnIsLate(move: Move): void {
  const { generation, tools, wantsAnswer } = move.live;
  const says = generation?.utterance != null && generation.utterance.startedMono !== null;
  const isOwed = !says && (generation !== null || tools.size > 0 || wantsAnswer);
  endAnswer(move);
  toolsAreLate(move);
  if (isOwed) failTurn(move, "turn_late");
}

/** Once a turn, when the customer would otherwise hear nothing. */
export function sayFiller(move: Move): void {
  const { live } = move;
  const isSilent =
    live.speaking.every(({ startedMono }) => startedMono === null) &&
    live.ending === null &&
    live.listening === "no";
  if (!isSilent || live.counts.fillers > 0) return;
  if (sayLine(move, "filler", textsFor(speakerNow(move).language).filler)) live.counts.fillers += 1;
}
