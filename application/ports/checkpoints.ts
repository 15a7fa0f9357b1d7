import type { Position, StoredEvent } from "./event-store.ts";

export type Checkpoint = {
  readonly position: Position;
  /** Id of the last event at or before `position`, to detect a log that was restored to an older state. */
  readonly eventId: string | null;
};

export type ParkedEvent = {
  readonly processor: string;
  readonly position: Position;
  readonly stream: string;
  readonly type: string;
  readonly problem: string;
};

/** The position of each reaction, and the events that it parked. */
export interface Checkpoints {
  load(processor: string): Promise<Checkpoint | null>;
  save(processor: string, checkpoint: Checkpoint): Promise<void>;
  /**
   * Permanent failure: stored with the event, shown by /health/ready and /metrics. Once for each
   * processor and position.
   */
  park(processor: string, event: StoredEvent, problem: string): Promise<void>;
  parked(): Promise<readonly ParkedEvent[]>;
}
