import type { MuLaw } from "../../ports/speech.ts";
import type { SayOptions } from "../../ports/voice-session.ts";
import { speechMillis } from "../speech-time.ts";
import { BYTES_A_MILLISECOND, millisOf } from "./mu-law.ts";

/** A sentence, or a short part of one: one request to the voice. */
export type Piece = {
  readonly text: string;
  /** spoken: all of its audio is here. failed: the voice failed. */
  state: "waiting" | "speaking" | "spoken" | "failed";
  /** Its audio, until it was heard. */
  audio: MuLaw[];
  bytes: number;
  /** How many of `bytes` were given to the line. */
  sent: number;
  /**
   * Offset of its first byte among all bytes given since the last flush, and how much of it
   * was heard before that.
   */
  from: number;
  heardBefore: number;
  /** The mark after it was given. */
  marked: boolean;
  heard: boolean;
};

export type Utterance = {
  readonly id: number;
  readonly options: SayOptions;
  /** What is in no piece yet. */
  uncut: string;
  complete: boolean;
  readonly pieces: Piece[];
  readonly over: AbortController;
};

export function newUtterance(id: number, options: SayOptions): Utterance {
  return { id, options, uncut: "", complete: false, pieces: [], over: new AbortController() };
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
 * What was heard of a stopped utterance: pieces with a reported mark completely, of the piece being played
 * its share of the audio, cut after a word. `played`: bytes heard since the last flush.
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

/** What was heard of a piece's audio. */
export function playedOf(piece: Piece, played: number): number {
  if (piece.heard) return piece.bytes;
  return piece.heardBefore + Math.max(0, Math.min(piece.sent - piece.heardBefore, played - piece.from));
}

/** While the voice is still speaking, its length is an estimate. */
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
