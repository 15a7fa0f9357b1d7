import type { MuLaw } from "../../../../application/ports/speech.ts";
import type { MediaCommand } from "./media-frames.ts";

/** 10 s: beyond that Asterisk silently drops audio. */
const MOST_UNDER_WAY_BYTES = 80_000;
/** 1 s: after so much audio we add a mark of our own to see how far it has played. */
const STEP_BYTES = 8_000;
const FRAME_BYTES = 160;
const BYTES_A_MILLISECOND = 8;

type Item = { readonly audio: MuLaw } | { readonly mark: string };
/** `named`: the mark that the caller asked for; null: our own. */
type Mark = { readonly id: number; readonly at: number; readonly named: string | null };

export type MediaSink = { command(command: MediaCommand): void; audio(audio: MuLaw): void };

/** Audio to be played: a bounded part is at Asterisk, the rest waits here. */
export interface MediaQueue {
  send(audio: MuLaw): void;
  mark(name: string): void;
  /** Asterisk has played up to this mark; returns the named marks. */
  processed(id: string): readonly string[];
  /** XOFF and XON from Asterisk. */
  hold(isHeld: boolean): void;
  /** Drops everything; returns the milliseconds that were not even sent. */
  drop(): number;
  /** Milliseconds at Asterisk that were not played, estimated by time if it does not report. */
  estimatedUnplayed(): number;
}

export function createMediaQueue(sink: MediaSink, now: () => number): MediaQueue {
  return new QueuedMedia(sink, now);
}

class QueuedMedia implements MediaQueue {
  readonly #sink: MediaSink;
  readonly #now: () => number;
  #waiting: Item[] = [];
  #marks: Mark[] = [];
  #nextId = 0;
  #sent = 0;
  #played = 0;
  #playedAt: number;
  #isHeld = false;

  constructor(sink: MediaSink, now: () => number) {
    this.#sink = sink;
    this.#now = now;
    this.#playedAt = now();
  }

  send(audio: MuLaw): void {
    if (audio.length === 0) return;
    this.#waiting.push({ audio });
    this.#pump();
  }

  mark(name: string): void {
    this.#waiting.push({ mark: name });
    this.#pump();
  }

  processed(id: string): readonly string[] {
    const place = this.#marks.findIndex((each) => `m${each.id}` === id);
    if (place < 0) return [];
    const done = this.#marks.splice(0, place + 1);
    this.#played = done.at(-1)?.at ?? this.#played;
    this.#playedAt = this.#now();
    this.#pump();
    return done.flatMap(({ named }) => (named === null ? [] : [named]));
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#pump();
  }

  drop(): number {
    const bytes = this.#waiting.reduce((sum, item) => sum + ("audio" in item ? item.audio.length : 0), 0);
    this.#waiting = [];
    this.#marks = [];
    this.#sent = 0;
    this.#played = 0;
    this.#isHeld = false;
    return bytes / BYTES_A_MILLISECOND;
  }

  estimatedUnplayed(): number {
    return Math.max(0, (this.#sent - this.#played) / BYTES_A_MILLISECOND - (this.#now() - this.#playedAt));
  }

  #pump(): void {
    while (!this.#isHeld) {
      const [item] = this.#waiting;
      if (item === undefined) return;
      if ("mark" in item) {
        this.#waiting.shift();
        this.#setMark(item.mark);
        continue;
      }
      const room = Math.min(STEP_BYTES, MOST_UNDER_WAY_BYTES - (this.#sent - this.#played));
      if (room < FRAME_BYTES) return;
      const part = item.audio.subarray(0, room);
      if (this.#sent === this.#played) this.#playedAt = this.#now();
      this.#sink.audio(part);
      this.#sent += part.length;
      if (part.length === item.audio.length) this.#waiting.shift();
      else this.#waiting[0] = { audio: item.audio.subarray(room) };
      if (this.#sent - (this.#marks.at(-1)?.at ?? this.#played) >= STEP_BYTES) this.#setMark(null);
    }
  }

  #setMark(named: string | null): void {
    const begun = this.#sent % FRAME_BYTES;
    if (named !== null && begun !== 0) {
      this.#sink.command({ command: "STOP_MEDIA_BUFFERING" });
      this.#sink.command({ command: "START_MEDIA_BUFFERING" });
      this.#sent += FRAME_BYTES - begun;
    }
    this.#nextId += 1;
    this.#marks.push({ id: this.#nextId, at: this.#sent, named });
    this.#sink.command({ command: "MARK_MEDIA", correlation_id: `m${this.#nextId}` });
  }
}
