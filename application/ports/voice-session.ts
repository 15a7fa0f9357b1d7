import type { SessionEndCause, SessionKind } from "../../domain/call/conversation-events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

export type SayOptions = {
  /** False: speech of the customer does not stop it. */
  readonly interruptible: boolean;
  /** Its name; null: the usual one. A session that has one voice for a whole call keeps to it (docs/speech.md). */
  readonly voice: string | null;
  /** BCP 47; null: the session's own. */
  readonly language: string | null;
};

/**
 * The live line of one answered call, as text. Nothing here throws: what goes wrong is told to the listener, at the latest by `closed`. After
 * `closed` every call is ignored.
 */
export interface VoiceSession {
  readonly kind: SessionKind;
  /** Line time runs so much faster than ours (a simulated callee); 1 otherwise. Speech, pauses, drains and silences are line time. */
  readonly speed: number;
  /** Says a part of an utterance, untrimmed, as it comes. `last`: the utterance is complete (the token may be empty). Ids rise within a session. */
  say(utteranceId: number, token: string, last: boolean, options: SayOptions): void;
  /** Drops what of this utterance was not said yet, because we changed our mind. What was heard of it is told by `cut`. */
  clear(utteranceId: number): void;
  /** The line goes to this number; `closed` with `finished` follows when the carrier took it, `cut` or an `unsupported` before when it cannot. */
  transfer(to: PhoneNumber): "begun" | "unsupported";
  /** Closes when everything said was heard, or after so much line time; then `closed` with `finished`. 0: at once. */
  finish(drainMillis: number): void;
}

/** What a session tells, in order. None of it may throw or wait. */
export interface SessionListener {
  /** The customer begins to speak, or speaks on: nothing is said meanwhile. */
  speechStarted(): void;
  /** A finished turn of the customer, or a part of one (`continues`: more of it follows). */
  customerSaid(text: string, language: string | null, continues: boolean): void;
  /** An utterance was heard to its end. */
  heardWhole(utteranceId: number): void;
  /** An utterance was stopped. `heard`: in the carrier's words, null when it does not tell; `heardMillis`: of it, null likewise. */
  cut(
    utteranceId: number,
    heard: string | null,
    heardMillis: number | null,
    precision: "exact" | "estimated",
  ): void;
  digit(digit: string): void;
  /** Nobody has spoken for the assistant's silence timeout since the last word (only sessions that can hear silence tell it). */
  silence(): void;
  /** What was heard sounds like a machine; `greetingEnded`: its greeting is over (beep, or silence). */
  machineHeard(greetingEnded: boolean): void;
  /** The last word. */
  closed(cause: SessionEndCause): void;
}

/** What the process that a session arrives at gives it to; the conversation begins or goes on. */
export type SessionArrival = { readonly callId: CallId; readonly session: VoiceSession };

/** null: there is no such live call, or it is not known to be answered (whoever holds the socket closes it, and may try again). */
export interface Conversations {
  arrive(arrival: SessionArrival): Promise<SessionListener | null>;
}
