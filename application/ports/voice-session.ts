import type { SessionEndCause, SessionKind } from "../../domain/call/conversation-events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

export type SayOptions = {
  /** False: the customer's speech does not stop it. */
  readonly interruptible: boolean;
  /**
   * Name of a voice; null: the default. A session with one voice for the whole call keeps
   * it (docs/speech.md).
   */
  readonly voice: string | null;
  /** BCP 47; null: the session's own. */
  readonly language: string | null;
};

/**
 * The live line of one answered call, as text. Nothing here throws: failures are reported to the listener, at
 * the latest by `closed`. After `closed` every call is ignored.
 */
export interface VoiceSession {
  readonly kind: SessionKind;
  /**
   * How much faster line time runs than ours (a simulated callee); 1 otherwise. Speech, pauses, drains and
   * silences are in line time.
   */
  readonly speed: number;
  /**
   * Milliseconds of ours for which line time has stood still so far (a rehearsal, while its model is asked).
   * Absent: it never does.
   */
  readonly stoodMillis?: () => number;
  /**
   * Says a part of an utterance, untrimmed. `last`: the utterance is complete (the token may be empty). Ids
   * are ascending within a session.
   */
  say(utteranceId: number, token: string, last: boolean, options: SayOptions): void;
  /** Drops the unspoken rest of this utterance, because we decided to. `cut` reports what was heard. */
  clear(utteranceId: number): void;
  /**
   * Transfers the line to this number. After `begun`, and never before this has returned, `closed` follows:
   * with `finished` when the carrier has taken the line over; the carrier then reports the end of the call.
   */
  transfer(to: PhoneNumber): "begun" | "unsupported";
  /**
   * Closes when everything was heard, or after so much line time; then `closed` with `finished`. 0: at once.
   */
  finish(drainMillis: number): void;
}

/** Events of a session, in order. No listener may throw or wait. */
export interface SessionListener {
  /** The customer begins to speak, or goes on: the assistant is silent meanwhile. */
  speechStarted(): void;
  /** A finished turn of the customer, or a part of one (`continues`: more follows). */
  customerSaid(text: string, language: string | null, continues: boolean): void;
  /** An utterance was heard completely. */
  heardWhole(utteranceId: number): void;
  /**
   * An utterance was stopped. `heard`: in the carrier's words, null when it reports none; `heardMillis`: its
   * length, null likewise.
   */
  cut(
    utteranceId: number,
    heard: string | null,
    heardMillis: number | null,
    precision: "exact" | "estimated",
  ): void;
  digit(digit: string): void;
  /** Nobody has spoken for the assistant's silence timeout (only from sessions that can detect silence). */
  silence(): void;
  /** It sounds like a machine; `greetingEnded`: its greeting is over (beep or silence). */
  machineHeard(greetingEnded: boolean): void;
  /** The last event. */
  closed(cause: SessionEndCause): void;
}

/**
 * Gives a session to the conversations of the process where it arrived; the conversation begins or continues.
 */
export type SessionArrival = { readonly callId: CallId; readonly session: VoiceSession };

/**
 * null: there is no such live call, or no answer is known (the holder of the socket closes
 * it, and may try again).
 */
export interface Conversations {
  arrive(arrival: SessionArrival): Promise<SessionListener | null>;
}
