import { giveUp } from "./failing.ts";
import {
  CALL_TOKENS,
  CUSTOMER_TURNS,
  FILLER_AFTER_MILLIS,
  FIRST_PART_MILLIS,
  STALL_MILLIS,
  TURN_MILLIS,
} from "./limits.ts";
import { type Move, setTimer } from "./move.ts";
import { promptNow, promptTokens } from "./prompt.ts";
import { speakerNow } from "./state.ts";

/**
 * Asks the model when an answer is due and nothing else is in progress. Only one answer is made at a time,
 * and only while the customer is silent.
 */
export function askWhenDue(move: Move): void {
  if (move.live.wantsAnswer && isFree(move)) ask(move);
}

/** No answer, tool, opt-out or speech of the customer is in progress. */
export function isFree({ live, past }: Move): boolean {
  return (
    past.optOut === null &&
    live.closed === null &&
    !live.over &&
    live.ending === null &&
    live.listening === "no" &&
    !live.customerSpeaking &&
    !live.wordsWait &&
    live.digits === "" &&
    live.generation === null &&
    live.tools.size === 0 &&
    live.afterTools === null &&
    !live.timers.has("retry") &&
    !live.timers.has("unknown_tools") &&
    !live.speaking.some(({ clearedAtLine }) => clearedAtLine !== null)
  );
}

function ask(move: Move): void {
  const { live, past } = move;
  const prompt = promptNow(move);
  const tokens = promptTokens(prompt);
  live.wantsAnswer = false;
  if (past.tokens + tokens > CALL_TOKENS) {
    giveUp(move, "token_limit");
    return;
  }
  if (past.turns > CUSTOMER_TURNS) {
    giveUp(move, "turn_limit");
    return;
  }
  live.lastGeneration += 1;
  const generation = live.lastGeneration;
  live.generation = {
    id: generation,
    turn: past.turns,
    waitsFor: live.answerWaitsFor,
    utterance: null,
    calls: [],
    end: null,
    firstTokenMillis: null,
    firstAudioMillis: null,
    characters: 0,
    estimatedTokens: tokens,
  };
  setTimer(move, "filler", FILLER_AFTER_MILLIS);
  setTimer(move, "first_part", FIRST_PART_MILLIS);
  if (!live.timers.has("turn")) setTimer(move, "turn", TURN_MILLIS);
  move.out.push({
    type: "ask",
    generation,
    speaker: speakerNow(move),
    prompt,
    firstPartMillis: FIRST_PART_MILLIS,
    stallMillis: STALL_MILLIS,
  });
}
