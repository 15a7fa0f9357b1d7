import type { MessageKind, ModelUse, TurnTiming } from "../call/conversation-events.ts";
import type { SpeechOptions } from "./effects.ts";
import { speechMillis } from "./heard.ts";
import { HEARD_GRACE_MILLIS } from "./limits.ts";
import { clearTimer, type Move, setLineTimer } from "./move.ts";
import { record, type Word } from "./recording.ts";
import type { Speaker } from "./script.ts";
import { speakerNow, type Utterance } from "./state.ts";

/** Whether words may be spoken: the line is open, and they interrupt nobody. */
export function maySpeak({ live }: Move): boolean {
  return live.closed === null && !live.over && !live.customerSpeaking;
}

export function beginUtterance(
  { live, past }: Move,
  kind: MessageKind,
  speaker: Speaker,
  interruptible = speaker.interruptible,
): Utterance {
  const utterance: Utterance = {
    id: 0,
    kind,
    turn: past.turns,
    speaker,
    interruptible,
    text: "",
    given: 0,
    complete: false,
    startedMono: null,
    startedAt: null,
    heardAtLine: Number.NEGATIVE_INFINITY,
    index: null,
    clearedAtLine: null,
  };
  live.speaking.push(utterance);
  return utterance;
}

/** Gives the session the new part of this utterance. */
export function giveWords(move: Move, utterance: Utterance): void {
  const token = utterance.text.slice(utterance.given);
  if (token === "") return;
  if (utterance.startedMono === null) start(move, utterance);
  utterance.given = utterance.text.length;
  const before = move.live.speaking.map(({ heardAtLine }) => heardAtLine);
  utterance.heardAtLine = Math.max(move.line, ...before) + speechMillis(token) / move.speed;
  const { id: utteranceId } = utterance;
  move.out.push({ type: "say", utteranceId, token, last: false, options: optionsOf(utterance) });
}

/** It begins after everything that was given before it. */
function start({ live, mono, now }: Move, utterance: Utterance): void {
  live.lastUtterance += 1;
  utterance.id = live.lastUtterance;
  utterance.startedMono = mono;
  utterance.startedAt = now;
  live.speaking.splice(live.speaking.indexOf(utterance), 1);
  live.speaking.push(utterance);
}

export type MadeBy = { readonly timing?: TurnTiming; readonly model?: ModelUse };

/** The utterance is complete: the session is told, and its message is appended (after `also`). */
export function completeUtterance(
  move: Move,
  utterance: Utterance,
  made: MadeBy = {},
  also: readonly Word[] = [],
): number {
  giveWords(move, utterance);
  utterance.complete = true;
  const { id: utteranceId } = utterance;
  move.out.push({ type: "say", utteranceId, token: "", last: true, options: optionsOf(utterance) });
  utterance.index = move.past.nextIndex;
  watchHearing(move);
  return record(move, ...also, messageOf(utterance, made));
}

/** Says one of our own lines and appends it. False: speaking is not allowed now, or the line is empty. */
export function sayLine(
  move: Move,
  kind: MessageKind,
  text: string,
  also: readonly Word[] = [],
  interruptible?: boolean,
): boolean {
  if (!maySpeak(move) || text.trim() === "") return false;
  const utterance = beginUtterance(move, kind, speakerNow(move), interruptible);
  utterance.text = text;
  completeUtterance(move, utterance, {}, also);
  return true;
}

export function messageOf(utterance: Utterance, made: MadeBy = {}): Word & { readonly type: "AddUtterance" } {
  const { kind, turn, speaker, text, startedAt } = utterance;
  return {
    type: "AddUtterance",
    message: {
      role: "assistant",
      assistantId: speaker.assistantId,
      content: text,
      kind,
      turn,
      ...(speaker.language === null ? {} : { language: speaker.language }),
      ...made,
    },
    ...(startedAt === null ? {} : { at: startedAt }),
  };
}

function optionsOf({ interruptible, speaker }: Utterance): SpeechOptions {
  return { interruptible, voice: speaker.voice, language: speaker.language };
}

/** Estimated line time for which it was heard until now, or until we stopped it. */
export function estimatedHeard(move: Move, utterance: Utterance): number {
  const whole = speechMillis(utterance.text.slice(0, utterance.given));
  const until = utterance.clearedAtLine ?? move.line;
  return Math.max(0, whole - Math.max(0, (utterance.heardAtLine - until) * move.speed));
}

/**
 * For sessions that never report that an utterance was heard: it counts as heard some time
 * after its estimated end.
 */
export function watchHearing(move: Move): void {
  const first = move.live.speaking.find((each) => each.startedMono !== null);
  if (first === undefined || !first.complete) {
    clearTimer(move, "heard");
    return;
  }
  const left = (first.heardAtLine - move.line) * move.speed;
  setLineTimer(move, "heard", Math.max(0, left) + HEARD_GRACE_MILLIS);
}
