import type { CallEvent, VoicemailPolicy } from "../call/events.ts";
import { TURNS_OF_A_PERSON } from "../call/machine-policy.ts";
import { stopSpeaking } from "./cutting.ts";
import { beginEnding } from "./ending.ts";
import { stopGeneration } from "./generation.ts";
import { speechMillis } from "./heard.ts";
import type { Verdict } from "./inputs.ts";
import { BEEP_SILENCE_MILLIS, VOICEMAIL_DRAIN_MILLIS } from "./limits.ts";
import { clearTimer, type Move, setLineTimer } from "./move.ts";
import { evolvePast } from "./past.ts";
import { append } from "./recording.ts";
import { sayLine } from "./speaking.ts";

/**
 * A verdict from sound alone only makes us listen; together with the end of the greeting we record it. The
 * carrier's verdict is in the log already.
 */
export function machineJudged(move: Move, verdict: Verdict): void {
  const { live, script, past, now } = move;
  if (live.closed !== null) return;
  if (verdict.by === "carrier") evolvePast(past, judged(move, verdict));
  if (live.listening === "for_end_of_greeting" && verdict.greetingEnded) {
    leaveMessage(move);
    return;
  }
  if (verdict.answeredBy !== "machine" || (verdict.by === "sound" && !verdict.greetingEnded)) return;
  const isUndecided = live.ending === null && live.listening === "no";
  const asked = verdict.by === "carrier" ? verdict.policyApplied !== null : isMaybeMachine(move);
  const follows = isUndecided && asked;
  if (verdict.by === "sound") {
    const policyApplied: VoicemailPolicy | null = follows ? script.voicemailPolicy : null;
    const { answeredBy, by, greetingEnded } = verdict;
    append(move, [
      { type: "RecordMachineJudged", answeredBy, by, greetingEnded, policyApplied, occurredAt: now, now },
    ]);
  }
  if (follows) followPolicy(move, verdict.greetingEnded);
}

function judged({ script, now }: Move, verdict: Extract<Verdict, { by: "carrier" }>): CallEvent {
  return { type: "CallMachineJudged", data: { callId: script.callId, at: now, afterMillis: 0, ...verdict } };
}

/** From the customer's second turn on it is a person, whatever the verdict. */
function isMaybeMachine({ past }: Move): boolean {
  return past.turns < TURNS_OF_A_PERSON;
}

export function followPolicy(move: Move, greetingEnded: boolean): void {
  const { live, script } = move;
  if (script.voicemailPolicy === "ignore") return;
  stopGeneration(move);
  live.wantsAnswer = false;
  stopSpeaking(move, true);
  const message = script.voicemailMessage ?? "";
  if (script.voicemailPolicy === "hang_up" || message.trim() === "") {
    beginEnding(move, { by: "system", reason: "voicemail" }, 0);
    return;
  }
  live.listening = "for_end_of_greeting";
  if (greetingEnded) leaveMessage(move);
  else if (!live.customerSpeaking) setLineTimer(move, "voicemail", BEEP_SILENCE_MILLIS);
}

/** After the beep, or the silence that counts as it; the call ends when the message was heard. */
export function leaveMessage(move: Move): void {
  const { live, script } = move;
  if (live.listening !== "for_end_of_greeting") return;
  live.listening = "leaving_message";
  live.customerSpeaking = false;
  clearTimer(move, "speech", "voicemail");
  const message = script.voicemailMessage ?? "";
  sayLine(move, "voicemail", message, [], false);
  beginEnding(
    move,
    { by: "system", reason: "voicemail_message_left" },
    speechMillis(message) + VOICEMAIL_DRAIN_MILLIS,
  );
}
