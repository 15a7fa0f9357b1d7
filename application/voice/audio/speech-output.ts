import type { Logger } from "../../ports/logger.ts";
import type { TextToSpeech } from "../../ports/speech.ts";
import type { SayOptions } from "../../ports/voice-session.ts";
import type { AudioLeg } from "./audio-leg.ts";
import { beginAgain, give, hear, isOnTheLine, type LineFeed } from "./line-feed.ts";
import { BYTES_A_MILLISECOND } from "./mu-law.ts";
import { nextPiece } from "./sentences.ts";
import { createSynthesis } from "./synthesis.ts";
import { type HeardOf, heardOf, newPiece, newUtterance, type Utterance } from "./utterance.ts";

export type SpeechOutputEvents = {
  heardWhole(id: number): void;
  cut(id: number, heard: HeardOf): void;
  /** The voice failed: the utterance is cut at this point. */
  failed(id: number, heard: HeardOf): void;
  /** Nothing is left to be spoken. */
  empty(): void;
};

type SpeechOutputDeps = {
  readonly leg: AudioLeg;
  readonly voice: TextToSpeech;
  readonly language: string | null;
  readonly logger: Logger;
  readonly events: SpeechOutputEvents;
};

/**
 * Speaks utterances over a line, one after the other, sentence by sentence, and knows what was heard of them.
 */
export interface SpeechOutput {
  say(id: number, token: string, last: boolean, options: SayOptions): void;
  played(mark: string): void;
  /** Stops these; `cut` reports what was heard once the line has said so. */
  stop(chosen: (utterance: Pick<Utterance, "id" | "options">) => boolean): Promise<void>;
  /** The current utterance; null: none. */
  readonly current: () => Pick<Utterance, "id" | "options"> | null;
  /** Our audio is on the line. */
  readonly isHeard: () => boolean;
  end(): void;
}

type State = SpeechOutputDeps &
  LineFeed & {
    /** Stopped, while the line is asked how much was heard. */
    stopping: Utterance[];
    /** Stopped utterances: their later tokens are not spoken. */
    readonly ended: Set<number>;
    over: boolean;
  };

export function createSpeechOutput(deps: SpeechOutputDeps): SpeechOutput {
  const state: State = {
    ...deps,
    queue: [],
    stopping: [],
    flushing: null,
    round: 0,
    given: 0,
    marked: new Map(),
    ended: new Set(),
    nextMark: 0,
    over: false,
  };
  const synthesis = createSynthesis({
    ...deps,
    onProgress: () => goOn(),
    onFailure: (error) => deps.logger.warn({ error: causeOf(error) }, "the voice failed"),
  });
  const goOn = (): void => {
    if (state.over) return;
    synthesis.goOn(state.queue);
    give(state);
    settle(state);
  };
  return {
    say: (id, token, last, options) => {
      if (state.over || state.ended.has(id)) return;
      let utterance = state.queue.find((each) => each.id === id);
      if (utterance === undefined) {
        utterance = newUtterance(id, options);
        state.queue.push(utterance);
      }
      if (utterance.complete) return;
      utterance.uncut += token;
      utterance.complete = last;
      cutIntoPieces(utterance);
      goOn();
    },
    played: (mark) => {
      const piece = state.marked.get(mark);
      if (piece === undefined) return;
      hear(state, mark);
      goOn();
    },
    stop: (chosen) => stop(state, chosen, goOn),
    current: () => state.queue[0] ?? null,
    isHeard: () => state.marked.size > 0 || state.queue.some(({ pieces }) => pieces.some(isOnTheLine)),
    end: () => {
      state.over = true;
      for (const { over } of state.queue.splice(0)) over.abort();
    },
  };
}

function cutIntoPieces(utterance: Utterance): void {
  for (;;) {
    const length = nextPiece(utterance.uncut, utterance.pieces.length === 0, utterance.complete);
    if (length === 0) return;
    utterance.pieces.push(newPiece(utterance.uncut.slice(0, length)));
    utterance.uncut = utterance.uncut.slice(length);
  }
}

/** Reports utterances that are over. */
function settle(state: State): void {
  if (state.flushing !== null) return;
  for (let first = state.queue[0]; first !== undefined; first = state.queue[0]) {
    const { id, pieces, complete, uncut } = first;
    const failed = pieces.findIndex((piece) => piece.state === "failed");
    const whole = pieces.every(({ heard }) => heard) && complete && uncut === "";
    const upTo = failed >= 0 && pieces.slice(0, failed).every(({ heard }) => heard);
    if (!whole && !upTo) return;
    state.queue.shift();
    if (upTo) end(state, first);
    if (upTo) state.events.failed(id, heardOf(first, 0));
    else state.events.heardWhole(id);
    if (state.queue.length === 0) state.events.empty();
  }
}

function stop(
  state: State,
  chosen: (utterance: Pick<Utterance, "id" | "options">) => boolean,
  goOn: () => void,
): Promise<void> {
  const stopped = state.queue.filter(chosen);
  if (stopped.length === 0 || state.over) return state.flushing ?? Promise.resolve();
  state.queue = state.queue.filter((each) => !stopped.includes(each));
  for (const utterance of stopped) end(state, utterance);
  if (state.flushing !== null) {
    state.stopping.push(...stopped);
    return state.flushing;
  }
  if (!stopped.some(({ pieces }) => pieces.some(isOnTheLine))) {
    tellCuts(state, stopped, 0);
    goOn();
    return Promise.resolve();
  }
  state.stopping = stopped;
  state.flushing = state.leg.flush().then((unheardMillis) => {
    state.flushing = null;
    if (state.over) return;
    const played = Math.max(0, state.given - unheardMillis * BYTES_A_MILLISECOND);
    tellCuts(state, state.stopping.splice(0), played);
    beginAgain(state, played);
    goOn();
  });
  return state.flushing;
}

function end({ ended }: State, { id, over }: Utterance): void {
  ended.add(id);
  over.abort();
}

function tellCuts(state: State, stopped: readonly Utterance[], played: number): void {
  for (const utterance of stopped) state.events.cut(utterance.id, heardOf(utterance, played));
  if (state.queue.length === 0) state.events.empty();
}

function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
