import pg from "pg";
import { EventStoreError } from "../../../application/ports/event-store.ts";

/** The database may or may not have executed it. */
export function unavailable(error: unknown): EventStoreError {
  if (error instanceof EventStoreError) return error;
  return new EventStoreError({
    kind: "unavailable",
    cause: error instanceof Error ? error.message : String(error),
  });
}

/** Shutdown, lost connection, system and internal errors: it is unknown whether the commit succeeded. */
const OUTCOME_OPEN = /^(57P|08|58|XX)/;

/** The server itself refused, and the connection goes on: the transaction was certainly rolled back. */
export function wasRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !OUTCOME_OPEN.test(error.code ?? "");
}

/** The event id exists elsewhere in the stream. */
export function isRepeatedEventId(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === "events_stream_event_id";
}
