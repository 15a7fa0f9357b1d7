import type { SessionEndCause } from "../call/conversation-events.ts";
import { assertNever } from "../shared/errors.ts";
import type { Instant } from "../shared/instant.ts";
import { answerFailed, answerIsLate, letAnswerOut, sayFiller, takePart, turnIsLate } from "./answering.ts";
import { askWhenDue } from "./asking.ts";
import {
  customerSaid,
  digitPressed,
  digitsAreOver,
  speechCut,
  speechIsOver,
  speechStarted,
  takeWords,
} from "./customer.ts";
import { heardWhole, settleByTime, takeForHeard } from "./cutting.ts";
import type { Effect } from "./effects.ts";
import {
  beginEnding,
  closeSession,
  drainOver,
  endAsked,
  endWhenHeard,
  fallSilent,
  giveUpTools,
  leave,
  sessionClosed,
  transferAnswered,
  transferFailed,
} from "./ending.ts";
import { giveUp } from "./failing.ts";
import type { Input } from "./inputs.ts";
import { WAITING_EVENTS } from "./limits.ts";
import { type Move, momentOf, nextDue } from "./move.ts";
import { goOnWithoutResults, open } from "./opening.ts";
import { followOptOut, optOutChecked } from "./opting-out.ts";
import { waitingEvents, watchAppends } from "./recording.ts";
import { silenceFell, warn, watchSilence } from "./silence.ts";
import type { ConversationState, TimerName } from "./state.ts";
import { endTool, toolsAreDurable, toolsAreLate } from "./tooling.ts";
import { leaveMessage, machineJudged } from "./voicemail.ts";

/**
 * One step of a conversation: takes an input and returns the effects, in order. Mutates the given state,
 * which the caller owns. `mono`: monotonic ms, never less than before; `stood`: those for which the line has
 * stood still so far, 0 on a real one.
 */
export function step(
  state: ConversationState,
  input: Input,
  now: Instant,
  mono: number,
  stood: number,
): readonly Effect[] {
  const move: Move = { ...state, now, mono, line: mono - stood, out: [] };
  if (state.live.over) {
    if (input.type === "end_asked") endAsked(move);
    return move.out;
  }
  take(move, input);
  ringTimers(move);
  proceed(move);
  return move.out;
}

function take(move: Move, input: Input): void {
  switch (input.type) {
    case "begun":
      open(move);
      return;
    case "time":
      return;
    case "speech_started":
      speechStarted(move);
      return;
    case "customer_said":
      customerSaid(move, input.text, input.language, input.continues);
      return;
    case "heard_whole":
      heardWhole(move, input.utteranceId);
      return;
    case "cut":
      speechCut(move, input.utteranceId, input);
      return;
    case "digit":
      digitPressed(move, input.digit);
      return;
    case "silence":
      silenceFell(move);
      return;
    case "machine_judged":
      machineJudged(move, input);
      return;
    case "closed":
      lineClosed(move, input.cause);
      return;
    case "model_part":
      takePart(move, input.generation, input.part);
      return;
    case "model_failed":
      answerFailed(move, input.generation, input.kind, input.retryAfterMillis);
      return;
    case "tool_ended":
      endTool(move, input.toolCallId, input.answer);
      return;
    case "transfer_answered":
      transferAnswered(move, input.answer);
      return;
    case "opt_out_checked":
      optOutChecked(move, input.stands);
      return;
    case "stored":
      stored(move, input.ticket, input.over);
      return;
    case "not_stored":
      notStored(move, input.ticket);
      return;
    case "superseded":
      leave(move);
      return;
    case "end_wished":
      fallSilent(move);
      return;
    case "end_asked":
      endAsked(move);
      return;
    default:
      assertNever(input);
  }
}

/** Words and keys of an unfinished turn are kept. */
function lineClosed(move: Move, cause: SessionEndCause): void {
  digitsAreOver(move);
  move.live.wordsWait = move.live.words !== "";
  sessionClosed(move, cause);
}

function notStored(move: Move, ticket: number): void {
  move.live.waiting.delete(ticket);
  watchAppends(move);
  giveUp(move, "log_away");
}

function stored(move: Move, ticket: number, over: boolean): void {
  const { live, mono } = move;
  live.waiting.delete(ticket);
  watchAppends(move);
  if (ticket === live.answerWaitsFor && live.turnSaidMono !== null) {
    move.out.push({ type: "measured", stage: "end_of_turn", millis: Math.round(mono - live.turnSaidMono) });
  }
  toolsAreDurable(move, ticket, over);
}

const RINGS: Readonly<Record<TimerName, (move: Move) => void>> = {
  filler: sayFiller,
  first_part: answerIsLate,
  retry: () => undefined,
  turn: turnIsLate,
  tool_filler: sayFiller,
  tools: toolsAreLate,
  unknown_tools: goOnWithoutResults,
  silence: silenceFell,
  speech: speechIsOver,
  digits: digitsAreOver,
  settle: settleByTime,
  heard: takeForHeard,
  slow_append: sayFiller,
  lost_append: (move) => giveUp(move, "log_away"),
  drain: drainOver,
  transfer: (move) => transferFailed(move),
  silent: (move) => endAsked(move),
  voicemail: leaveMessage,
  warning: warn,
  maximum: (move) => beginEnding(move, { by: "system", reason: "max_duration" }, 0),
  last_results: giveUpTools,
};

/** Fires the timers that are due, the oldest first. No timer sets itself again for a moment in the past. */
function ringTimers(move: Move): void {
  const stood = move.mono - move.line;
  const first = nextDue(move, stood);
  if (first === null || first > move.mono) return;
  const { timers } = move.live;
  const due = [...timers]
    .map(([name, at]) => ({ name, at, moment: momentOf(name, at, stood) }))
    .filter(({ moment }) => moment <= move.mono)
    .sort((a, b) => a.moment - b.moment);
  for (const { name, at } of due) {
    if (timers.get(name) !== at) continue;
    timers.delete(name);
    RINGS[name](move);
  }
}

/** What follows from the state alone, whatever the input was. */
function proceed(move: Move): void {
  const { live } = move;
  if (live.over) return;
  takeWords(move);
  if (live.closed !== null) {
    closeSession(move);
    return;
  }
  followOptOut(move);
  letAnswerOut(move);
  if (waitingEvents(move) >= WAITING_EVENTS) giveUp(move, "too_much_at_once");
  endWhenHeard(move);
  askWhenDue(move);
  endWhenHeard(move);
  watchSilence(move);
}
