import type { Position, StoredEvent } from "./event-store.ts";

export type Checkpoint = {
  readonly position: Position /** Id of the last event at or before it, to find out a log that went back. */;
  readonly eventId: string | null;
};

export type ParkedEvent = {
  readonly processor: string;
  readonly position: Position;
  readonly stream: string;
  readonly type: string;
  readonly problem: string;
};

/** How far each reaction has come, and what it had to leave aside. */
export interface Checkpoints {
  load(processor: string): Promise<Checkpoint | null>;
  save(processor: string, checkpoint: Checkpoint): Promise<void>;
  /** Permanent failure: kept with the event, shown by /health/ready and /metrics. Once per processor and position. */
  park(processor: string, event: StoredEvent, problem: string): Promise<void>;
  parked(): Promise<readonly ParkedEvent[]>;
}
