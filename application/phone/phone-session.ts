import type { ToPhone } from "../../contract/phone.ts";
import type { SessionEndCause } from "../../domain/call/conversation-events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import type { Clock } from "../ports/clock.ts";
import type { SessionListener, VoiceSession } from "../ports/voice-session.ts";
import { CHARACTERS_A_SECOND, speechMillis } from "../voice/speech-time.ts";

/** The session of a call on a phone, with the inputs from the phone. */
export type PhoneSession = {
  readonly session: VoiceSession;
  /** Sets the listener; earlier events are delivered first. */
  readonly listen: (listener: SessionListener) => void;
  readonly said: (text: string) => void;
  readonly speaking: (heard: string | null) => void;
  readonly digit: (digit: string) => void;
  /** A repeat changes nothing. */
  readonly close: (cause: SessionEndCause) => void;
};

type Utterance = {
  readonly id: number;
  text: string;
  readonly interruptible: boolean;
  complete: boolean;
  /** When its first word is spoken; null: those before it are not over. */
  beganAt: number | null;
  readonly over: AbortController;
};

type State = {
  readonly clock: Clock;
  readonly callId: CallId;
  readonly send: (frame: ToPhone) => void;
  readonly utterances: Utterance[];
  readonly waiting: ((listener: SessionListener) => void)[];
  listener: SessionListener | null;
  /** Utterances up to this id are cut or dropped: their late tokens are ignored. */
  droppedTo: number;
  closed: boolean;
};

/**
 * A text line at reading speed: the phone shows or speaks it, and may report how far it came; otherwise that
 * is estimated by time.
 */
export function phoneSession(clock: Clock, callId: CallId, send: (frame: ToPhone) => void): PhoneSession {
  const state: State = {
    clock,
    callId,
    send,
    utterances: [],
    waiting: [],
    listener: null,
    droppedTo: -1,
    closed: false,
  };
  return {
    session: sessionOf(state),
    listen: (listener) => {
      state.listener = listener;
      for (const telling of state.waiting.splice(0)) telling(listener);
    },
    said: (text) => {
      interrupt(state, null);
      tell(state, (listener) => listener.customerSaid(text, null, false));
    },
    speaking: (heard) => {
      if (state.utterances.some(({ interruptible }) => !interruptible)) return;
      tell(state, (listener) => listener.speechStarted());
      interrupt(state, heard);
    },
    digit: (digit) => tell(state, (listener) => listener.digit(digit)),
    close: (cause) => close(state, cause),
  };
}

function sessionOf(state: State): VoiceSession {
  return {
    kind: "phone",
    speed: 1,
    say: (id, token, last, { interruptible }) => say(state, id, token, last, interruptible),
    clear: (id) => {
      if (state.utterances.some((utterance) => utterance.id === id)) cutFrom(state, id, null);
    },
    transfer: () => "unsupported",
    finish: (drainMillis) => void finish(state, drainMillis),
  };
}

function say(state: State, id: number, token: string, last: boolean, interruptible: boolean): void {
  if (state.closed || id <= state.droppedTo) return;
  let utterance = state.utterances.find((each) => each.id === id);
  if (utterance === undefined) {
    const beganAt = state.utterances.length === 0 ? state.clock.monotonicMillis() : null;
    utterance = { id, text: "", interruptible, complete: false, beganAt, over: new AbortController() };
    state.utterances.push(utterance);
  }
  utterance.text += token;
  state.send({ type: "text", callId: state.callId, token, last });
  if (!last) return;
  utterance.complete = true;
  if (utterance.beganAt !== null) void hearWhole(state, utterance);
}

/** Reports that it was heard when its time has passed, unless it is cut before; then the next one begins. */
async function hearWhole(state: State, utterance: Utterance): Promise<void> {
  const { clock } = state;
  const endsAt = (utterance.beganAt ?? clock.monotonicMillis()) + speechMillis(utterance.text);
  await clock.sleep(Math.max(0, endsAt - clock.monotonicMillis()), utterance.over.signal);
  if (utterance.over.signal.aborted || state.closed) return;
  state.utterances.splice(state.utterances.indexOf(utterance), 1);
  tell(state, (listener) => listener.heardWhole(utterance.id));
  const [next] = state.utterances;
  if (next === undefined) return;
  next.beganAt = clock.monotonicMillis();
  if (next.complete) void hearWhole(state, next);
}

/** The customer speaks: the current utterance and those waiting are dropped. */
function interrupt(state: State, heard: string | null): void {
  const [current] = state.utterances;
  if (current === undefined || state.utterances.some(({ interruptible }) => !interruptible)) return;
  cutFrom(state, current.id, heard);
}

function cutFrom(state: State, id: number, heard: string | null): void {
  const cut = state.utterances.splice(state.utterances.findIndex((each) => each.id === id));
  if (cut.length === 0) return;
  const now = state.clock.monotonicMillis();
  state.send({ type: "cleared", callId: state.callId });
  for (const [index, utterance] of cut.entries()) {
    utterance.over.abort();
    state.droppedTo = Math.max(state.droppedTo, utterance.id);
    const spoken = spokenBy(utterance.text, utterance.beganAt ?? now, now);
    const reported = index === 0 ? heard : null;
    tell(state, (listener) =>
      listener.cut(
        utterance.id,
        reported ?? spoken.heard,
        spoken.heardMillis,
        reported === null ? "estimated" : "exact",
      ),
    );
  }
}

async function finish(state: State, drainMillis: number): Promise<void> {
  const { clock } = state;
  const until = clock.monotonicMillis() + drainMillis;
  while (!state.closed && state.utterances.length > 0 && clock.monotonicMillis() < until) {
    const [current] = state.utterances;
    const left = current === undefined ? 0 : timeLeft(state, current);
    await clock.sleep(Math.min(Math.max(left, 1), until - clock.monotonicMillis()), current?.over.signal);
    await Promise.resolve(); // another waiter for the end of the same utterance reports it first
  }
  close(state, "finished");
}

function timeLeft({ clock }: State, { text, beganAt, complete }: Utterance): number {
  if (!complete) return Number.POSITIVE_INFINITY;
  const now = clock.monotonicMillis();
  return (beganAt ?? now) + speechMillis(text) - now;
}

function close(state: State, cause: SessionEndCause): void {
  if (state.closed) return;
  const [current] = state.utterances;
  if (current !== undefined) cutFrom(state, current.id, null);
  tell(state, (listener) => listener.closed(cause));
  state.closed = true;
}

/** Nothing is reported after `closed`. */
function tell({ listener, waiting, closed }: State, telling: (listener: SessionListener) => void): void {
  if (closed) return;
  if (listener === null) waiting.push(telling);
  else telling(listener);
}

type Spoken = { readonly heard: string; readonly heardMillis: number; readonly whole: boolean };

/**
 * How much of an utterance has been heard if nothing is reported: estimated by the time since its first word.
 */
function spokenBy(text: string, beganAtMillis: number, nowMillis: number): Spoken {
  const heardMillis = Math.max(0, nowMillis - beganAtMillis);
  const characters = Math.floor((heardMillis / 1_000) * CHARACTERS_A_SECOND);
  const whole = characters >= text.length;
  return {
    heard: beginningOf(text, characters),
    heardMillis: whole ? speechMillis(text) : heardMillis,
    whole,
  };
}
