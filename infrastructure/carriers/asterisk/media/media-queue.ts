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
  readonly estimatedUnplayed: () => number;
}

export function createMediaQueue(sink: MediaSink, now: () => number): MediaQueue {
  let waiting: Item[] = [];
  let marks: Mark[] = [];
  let nextId = 0;
  let sent = 0;
  let played = 0;
  let playedAt = now();
  let isHeld = false;

  const mark = (named: string | null) => {
    if (named !== null && sent % FRAME_BYTES !== 0) {
      sink.command({ command: "STOP_MEDIA_BUFFERING" });
      sink.command({ command: "START_MEDIA_BUFFERING" });
      sent += FRAME_BYTES - (sent % FRAME_BYTES);
    }
    nextId += 1;
    marks.push({ id: nextId, at: sent, named });
    sink.command({ command: "MARK_MEDIA", correlation_id: `m${nextId}` });
  };
  const pump = () => {
    while (!isHeld) {
      const [item] = waiting;
      if (item === undefined) return;
      if ("mark" in item) {
        waiting.shift();
        mark(item.mark);
        continue;
      }
      const room = Math.min(STEP_BYTES, MOST_UNDER_WAY_BYTES - (sent - played));
      if (room < FRAME_BYTES) return;
      const part = item.audio.subarray(0, room);
      if (sent === played) playedAt = now();
      sink.audio(part);
      sent += part.length;
      if (part.length === item.audio.length) waiting.shift();
      else waiting[0] = { audio: item.audio.subarray(room) };
      if (sent - (marks.at(-1)?.at ?? played) >= STEP_BYTES) mark(null);
    }
  };
  return {
    send: (audio) => {
      if (audio.length === 0) return;
      waiting.push({ audio });
      pump();
    },
    mark: (name) => {
      waiting.push({ mark: name });
      pump();
    },
    processed: (id) => {
      const place = marks.findIndex((each) => `m${each.id}` === id);
      if (place < 0) return [];
      const done = marks.splice(0, place + 1);
      played = done.at(-1)?.at ?? played;
      playedAt = now();
      pump();
      return done.flatMap(({ named }) => (named === null ? [] : [named]));
    },
    hold: (held) => {
      isHeld = held;
      pump();
    },
    drop: () => {
      const bytes = waiting.reduce((sum, item) => sum + ("audio" in item ? item.audio.length : 0), 0);
      waiting = [];
      marks = [];
      sent = 0;
      played = 0;
      isHeld = false;
      return bytes / BYTES_A_MILLISECOND;
    },
    estimatedUnplayed: () => Math.max(0, (sent - played) / BYTES_A_MILLISECOND - (now() - playedAt)),
  };
}
