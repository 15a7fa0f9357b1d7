import type { MuLaw } from "../../../application/ports/speech.ts";
import type { SayOptions } from "../../../application/ports/voice-session.ts";
import { speechMillis } from "../speech-time.ts";
import { BYTES_A_MILLISECOND, millisOf } from "./mu-law.ts";

/** A sentence, or a short part of one: what the voice is asked for at once. */
export type Piece = {
  readonly text: string;
  /** spoken: all of its sound is here. failed: the voice has none. */
  state: "waiting" | "speaking" | "spoken" | "failed";
  /** Its sound, until it was heard. */
  audio: MuLaw[];
  bytes: number;
  /** Of `bytes`, what was given to the line. */
  sent: number;
  /** Where its first byte since the last flush stands among all that was given since, and how much of it was heard before that. */
  from: number;
  heardBefore: number;
  /** The mark behind it was given. */
  marked: boolean;
  heard: boolean;
};

export type Utterance = {
  readonly id: number;
  readonly options: SayOptions;
  text: string;
  /** How much of the text is in pieces. */
  cutTo: number;
  complete: boolean;
  readonly pieces: Piece[];
  readonly over: AbortController;
};

export function newUtterance(id: number, options: SayOptions): Utterance {
  return { id, options, text: "", cutTo: 0, complete: false, pieces: [], over: new AbortController() };
}

export function newPiece(text: string): Piece {
  return {
    text,
    state: "waiting",
    audio: [],
    bytes: 0,
    sent: 0,
    from: 0,
    heardBefore: 0,
    marked: false,
    heard: false,
  };
}

export type HeardOf = {
  readonly heard: string;
  readonly heardMillis: number;
  readonly precision: "exact" | "estimated";
};

/**
 * What was heard of an utterance that is stopped: whatever a mark stood behind whole, of the piece that was being played the share of its sound, cut
 * behind a word. `played`: bytes heard since the last flush.
 */
export function heardOf({ pieces }: Utterance, played: number): HeardOf {
  let heard = "";
  let bytes = 0;
  for (const piece of pieces) {
    const ofPiece = playedOf(piece, played);
    bytes += ofPiece;
    if (ofPiece === 0 && !piece.heard) break;
    const share = piece.heard ? 1 : ofPiece / wholeBytes(piece);
    heard += beginning(piece.text, share);
    if (share < 1) break;
  }
  const precision = bytes === 0 ? "exact" : "estimated";
  return { heard, heardMillis: Math.round(millisOf(bytes)), precision };
}

/** Of the sound of a piece, what was heard. */
export function playedOf(piece: Piece, played: number): number {
  if (piece.heard) return piece.bytes;
  return piece.heardBefore + Math.max(0, Math.min(piece.sent - piece.heardBefore, played - piece.from));
}

/** While the voice is still speaking, its length is a guess. */
function wholeBytes({ state, bytes, text }: Piece): number {
  if (state === "spoken") return Math.max(1, bytes);
  return Math.max(bytes + 1, speechMillis(text) * BYTES_A_MILLISECOND);
}

function beginning(text: string, share: number): string {
  const characters = Math.floor(text.length * share);
  if (characters >= text.length) return text;
  const end = text.lastIndexOf(" ", characters);
  return end <= 0 ? "" : text.slice(0, end);
}
