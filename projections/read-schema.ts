import type { Position } from "../application/ports/event-store.ts";
import type { CallMessagesTable, CallsTable } from "./calls.ts";

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

/** The tables that serve, by the version that this release reads. */
export type ReadSchema = {
  readonly "read.checkpoints": CheckpointsTable;
  readonly "read.parked_events": ParkedEventsTable;
  readonly "read.calls_v1": CallsTable;
  readonly "read.call_messages_v1": CallMessagesTable;
};
