import type {
  AppendResult,
  EventToAppend,
  ExpectedRevision,
  StreamName,
} from "../../../application/ports/event-store.ts";
import type { EventJson } from "../append-guard.ts";

/** One append that waits to be written, checked already. */
export type AppendRequest = {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  readonly json: readonly EventJson[];
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
};

/** No stream gets so far, and with one append behind it the number still fits the column. */
const BEYOND_ALL = 2_000_000_000;

/** As the table counts: -1 before the first event. What no stream can have is as wrong as `BEYOND_ALL`. */
export function expectedNumber(expected: ExpectedRevision): number {
  return expected === "no_stream" ? -1 : Math.min(expected, BEYOND_ALL);
}
