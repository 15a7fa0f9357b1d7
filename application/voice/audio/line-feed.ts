import type { AudioLeg } from "./audio-leg.ts";
import { type Piece, playedOf, type Utterance } from "./utterance.ts";

/** What the line has been given of the utterances. */
export type LineFeed = {
  readonly leg: AudioLeg;
  queue: Utterance[];
  /** The line is being asked how much was heard; meanwhile it gets nothing. */
  flushing: Promise<void> | null;
  /** Marks from before a flush are invalid; a late one is recognised by its number. */
  round: number;
  /** Bytes since the last flush. */
  given: number;
  readonly marked: Map<string, Piece>;
  nextMark: number;
};

/** Gives the line the spoken audio, in order. */
export function give(state: LineFeed): void {
  if (state.flushing !== null) return;
  for (const utterance of state.queue) {
    for (const piece of utterance.pieces) {
      if (piece.marked || piece.heard) continue;
      if (piece.state === "failed") return;
      giveRest(state, piece);
      if (piece.state !== "spoken") return;
      mark(state, piece);
    }
    if (!utterance.complete || utterance.uncut !== "") return;
  }
}

function giveRest(state: LineFeed, piece: Piece): void {
  if (piece.sent === piece.bytes) return;
  if (piece.sent === piece.heardBefore) piece.from = state.given;
  let passed = 0;
  for (const audio of piece.audio) {
    const done = Math.max(0, piece.sent - passed);
    passed += audio.length;
    if (done >= audio.length) continue;
    state.leg.send(audio.subarray(done));
    state.given += audio.length - done;
    piece.sent = passed;
  }
}

function mark(state: LineFeed, piece: Piece): void {
  piece.marked = true;
  state.nextMark += 1;
  const name = `${state.round}.${state.nextMark}`;
  state.marked.set(name, piece);
  state.leg.mark(name);
}

/** A mark reports that everything before it was heard. */
export function hear(state: LineFeed, played: string): void {
  for (const [name, piece] of state.marked) {
    state.marked.delete(name);
    piece.heard = true;
    piece.audio = [];
    if (name === played) return;
  }
}

export function isOnTheLine({ sent, heard }: Piece): boolean {
  return sent > 0 && !heard;
}

/** Utterances that were flushed but not stopped are given again from where they were. */
export function beginAgain(state: LineFeed, played: number): void {
  for (const { pieces } of state.queue) {
    for (const piece of pieces) {
      if (piece.heard) continue;
      piece.heardBefore = playedOf(piece, played);
      piece.sent = piece.heardBefore;
      piece.marked = false;
    }
  }
  state.marked.clear();
  state.given = 0;
  state.round += 1;
}
