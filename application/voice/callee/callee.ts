import { beginningOf } from "../../../domain/shared/storable-text.ts";
import type { Clock } from "../../ports/clock.ts";
import { heardAfter, speechMillis } from "../speech-time.ts";
import { createTimer, type Timer } from "../timer.ts";
import type { CalleeBehaviour, Reaction, Thought } from "./behaviour.ts";

/** A complete utterance for the callee. It has been playing since `begunAt` (monotonic clock). */
export type Utterance = {
  readonly id: number;
  readonly text: string;
  readonly interruptible: boolean;
  readonly begunAt: number;
};

/** What the callee does on the line. Times are line time. */
export interface CalleeOutput {
  heardWhole(id: number): void;
  /** It begins to speak, or does not hear the rest because we dropped it. */
  cut(id: number, heard: string, heardMillis: number): void;
  speaks(): void;
  says(text: string): void;
  presses(digit: string): void;
  /** The greeting of a machine is over: a message can be left now. */
  beeps(): void;
  hangsUp(): void;
}

export interface Callee {
  hears(utterance: Utterance): void;
  /** Drops what it has not heard yet of this utterance. */
  clear(id: number): void;
  /** How many lines it has said, in this session and before. */
  readonly linesSaid: () => number;
  /** After it the callee does nothing. */
  stop(): void;
}

/** We may take this long to say something, however fast line time runs. */
const OUR_TIME_MILLIS = 20_000;
/** Line time between two reports of speech, and the minimum in real time. */
const SPEECH_AGAIN_MILLIS = 3_000;
/** Words that last longer are reported again. */
const LONG_SPEECH_MILLIS = 10_000;
const SHORTEST_PAUSE_MILLIS = 5;

type CalleeDeps = {
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly speed: number;
  readonly behaviour: CalleeBehaviour;
  readonly output: CalleeOutput;
  /** Lines of earlier sessions. */
  readonly linesSaid: number;
};

type State = CalleeDeps & {
  readonly timer: Timer;
  readonly waiting: Utterance[];
  /** busy: it speaks or reports; what comes meanwhile waits. */
  phase: "quiet" | "playing" | "busy" | "over";
  playing: (Utterance & { readonly startedAt: number }) | null;
  playedUntil: number;
  heard: string;
  said: number;
  /** Begun to be played since the last line. */
  utterances: number;
};

/**
 * A callee that listens at the pace of speech, waits, answers and hangs up as its behaviour says. It acts
 * only through its output.
 */
export function createCallee(deps: CalleeDeps): Callee {
  const state: State = {
    ...deps,
    timer: createTimer(deps.clock),
    waiting: [],
    phase: "quiet",
    playing: null,
    playedUntil: deps.clock.monotonicMillis(),
    heard: "",
    said: deps.linesSaid,
    utterances: 0,
  };
  const opening = deps.behaviour.opens(deps.linesSaid);
  if (opening === null) goOn(state);
  else announce(state, opening);
  return {
    hears: (utterance) => {
      if (state.phase === "over") return;
      state.waiting.push(utterance);
      if (state.phase === "quiet") goOn(state);
    },
    clear: (id) => clear(state, id),
    linesSaid: () => state.said,
    stop: () => {
      state.phase = "over";
      state.timer.cancel();
    },
  };
}

function after(state: State, lineMillis: number, run: () => void): void {
  state.timer.set(lineMillis / state.speed, run);
}

/** Plays what waits; when nothing does, it is the callee's turn. */
function goOn(state: State): void {
  if (state.phase === "over") return;
  const next = state.waiting.shift();
  if (next === undefined) {
    state.phase = "quiet";
    react(state, nextReaction(state));
    return;
  }
  state.utterances += 1;
  const cutAt = next.interruptible
    ? state.behaviour.interruptsAfter(state.said, next.text, state.utterances)
    : null;
  const words = cutAt === null ? next.text : beginningOf(next.text, cutAt);
  const startedAt = Math.max(next.begunAt, state.playedUntil);
  const until = startedAt + speechMillis(words) / state.speed;
  state.phase = "playing";
  state.playing = { ...next, startedAt };
  state.timer.set(until - state.clock.monotonicMillis(), () =>
    cutAt === null ? played(state, next) : interrupt(state, next, words),
  );
}

function nextReaction({ behaviour, said, heard, utterances }: State): Reaction {
  if (heard === "") return behaviour.goesOn?.(said) ?? { kind: "listen" };
  return behaviour.reacts(said, heard.trim(), utterances);
}

function played(state: State, { id, text }: Utterance): void {
  endPlaying(state, text);
  state.output.heardWhole(id);
  goOn(state);
}

function endPlaying(state: State, heard: string): void {
  state.phase = "busy";
  state.playing = null;
  state.playedUntil = state.clock.monotonicMillis();
  state.heard += `${heard} `;
}

function interrupt(state: State, { id }: Utterance, words: string): void {
  endPlaying(state, words);
  const dropped = state.waiting.splice(0);
  state.output.cut(id, words, Math.round(speechMillis(words)));
  for (const each of dropped) state.output.cut(each.id, "", 0);
  const reaction = nextReaction(state);
  if (reaction.kind === "say") say(state, reaction);
  else goOn(state);
}

function clear(state: State, id: number): void {
  const { playing } = state;
  if (state.phase === "playing" && playing?.id === id) {
    const lineMillis = (state.clock.monotonicMillis() - playing.startedAt) * state.speed;
    const heard = heardAfter(playing.text, lineMillis);
    endPlaying(state, heard);
    state.output.cut(id, heard, Math.max(0, Math.round(lineMillis)));
    goOn(state);
    return;
  }
  const index = state.waiting.findIndex((each) => each.id === id);
  if (index === -1) return;
  state.waiting.splice(index, 1);
  state.output.cut(id, "", 0);
}

/** What is said to it meanwhile waits: a recorded greeting does not listen. */
function announce(state: State, opening: NonNullable<ReturnType<CalleeBehaviour["opens"]>>): void {
  state.phase = "busy";
  after(state, opening.pauseMillis, () => {
    if (opening.kind === "say") say(state, opening, () => state.output.beeps());
    else talkOn(state);
  });
}

/** Speech is reported repeatedly, because speech without reports counts as over. */
function talkOn(state: State): void {
  state.phase = "busy";
  state.output.speaks();
  state.timer.set(Math.max(SPEECH_AGAIN_MILLIS / state.speed, SHORTEST_PAUSE_MILLIS), () => talkOn(state));
}

function react(state: State, reaction: Reaction): void {
  if (reaction.kind === "listen") waitPatiently(state);
  else after(state, reaction.pauseMillis, () => perform(state, reaction));
}

function perform(state: State, reaction: Exclude<Reaction, { kind: "listen" }>): void {
  if (reaction.kind === "say") say(state, reaction);
  else if (reaction.kind === "press") press(state, reaction.digits);
  else if (reaction.kind === "talk_on") talkOn(state);
  else if (reaction.kind === "keep_silent") keepSilent(state);
  else if (reaction.kind === "think") void think(state, reaction.thought);
  else if (reaction.kind === "look_again") goOn(state);
  else hangUp(state);
}

function keepSilent(state: State): void {
  lineSaid(state);
  waitPatiently(state);
}

async function think(state: State, thought: () => Promise<Thought>): Promise<void> {
  state.phase = "busy";
  const reaction = await thought();
  if (state.phase === "busy") perform(state, reaction);
}

function say(
  state: State,
  reaction: Extract<Reaction, { kind: "say" }>,
  then: () => void = () => undefined,
): void {
  state.phase = "busy";
  speakFor(state, speechMillis(reaction.text), () => {
    lineSaid(state);
    state.output.says(reaction.text);
    then();
    if (reaction.hangUpMillis === 0) return hangUp(state);
    if (reaction.hangUpMillis === null || state.waiting.length > 0) return goOn(state);
    state.phase = "quiet";
    after(state, reaction.hangUpMillis, () => hangUp(state));
  });
}

function speakFor(state: State, lineMillis: number, then: () => void): void {
  state.output.speaks();
  const left = lineMillis - LONG_SPEECH_MILLIS;
  if (left <= 0) after(state, lineMillis, then);
  else after(state, LONG_SPEECH_MILLIS, () => speakFor(state, left, then));
}

function press(state: State, digits: string): void {
  state.phase = "busy";
  lineSaid(state);
  for (const digit of digits) state.output.presses(digit);
  goOn(state);
}

function lineSaid(state: State): void {
  state.said += 1;
  state.heard = "";
  state.utterances = 0;
}

function waitPatiently(state: State): void {
  const { patienceMillis } = state.behaviour;
  if (patienceMillis === null) state.timer.cancel();
  else state.timer.set(patienceMillis / state.speed + OUR_TIME_MILLIS, () => hangUp(state));
}

function hangUp(state: State): void {
  if (state.phase === "over") return;
  state.phase = "over";
  state.output.hangsUp();
}
