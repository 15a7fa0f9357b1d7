import type {
  AppendResult,
  EventToAppend,
  ExpectedRevision,
  StreamName,
} from "../../../application/ports/event-store.ts";
import type { EventJson } from "../append-guard.ts";

/** One append that waits to be written; already checked. */
export type AppendRequest = {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  readonly json: readonly EventJson[];
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
};

/** No stream gets this far, and with one append more the number still fits the column. */
const BEYOND_ALL = 2_000_000_000;

/**
 * Expected revision as in the table: -1 before the first event. An impossible revision becomes `BEYOND_ALL`,
 * which never matches.
 */
export function expectedNumber(expected: ExpectedRevision): number {
  return expected === "no_stream" ? -1 : Math.min(expected, BEYOND_ALL);
}
