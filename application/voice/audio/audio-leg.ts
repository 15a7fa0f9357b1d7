import type { MuLaw } from "../../ports/speech.ts";

/** The audio of one answered call, both ways. Nothing here throws; after `closed` everything is ignored. */
export interface AudioLeg {
  /** Queued at the other side; at most 10 s may be in flight, the rest waits here. */
  send(audio: MuLaw): void;
  /** `played` reports that everything sent before it was played; a flushed mark is never reported. */
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
  /**
   * `hung_up`: the other side hung up. `session_lost`: the connection to the carrier
   * broke, the call may go on.
   */
  closed(cause: "hung_up" | "session_lost"): void;
};
