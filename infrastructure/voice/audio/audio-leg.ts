import type { MuLaw } from "../../../application/ports/speech.ts";

/** The sound of one answered call, both ways. Nothing here throws; after `closed` everything is ignored. */
export interface AudioLeg {
  /** Queued at the far side; at most 10 s may be under way, the rest waits here. */
  send(audio: MuLaw): void;
  /** `played` is told when everything sent before was played; a mark that is flushed is never told. */
  mark(name: string): void;
  /** Drops what is queued; resolves with the milliseconds that were not heard. */
  flush(): Promise<number>;
  pause(): void;
  resume(): void;
  /** Ends the call. */
  hangUp(): void;
  listen(listener: AudioListener): void;
}

export type AudioListener = {
  audio(audio: MuLaw): void;
  played(mark: string): void;
  digit(digit: string): void;
  /** `hung_up`: the far end let go. `session_lost`: the way to the carrier broke, the call may go on. */
  closed(cause: "hung_up" | "session_lost"): void;
};
