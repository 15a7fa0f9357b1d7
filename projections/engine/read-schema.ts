import type { Position } from "../../application/ports/event-store.ts";

type CheckpointsTable = {
  readonly model: string;
  readonly position: Position;
  readonly generation: number;
  readonly event_id: string | null;
  readonly event_stream: string | null;
  readonly event_revision: number | null;
  readonly moved_at: Date;
};

type ParkedEventsTable = {
  readonly model: string;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly problem: string;
};

/**
 * The tables that serve queries, in the version that this release reads. Each projection adds its own
 * (`declare module`), so that this file does not depend on them.
 */
export interface ReadSchema {
  readonly "read.checkpoints": CheckpointsTable;
  readonly "read.parked_events": ParkedEventsTable;
}
