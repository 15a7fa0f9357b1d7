import type { EventStore, StreamName } from "../../../application/ports/event-store.ts";

/** One empty log of its own (a database, a prefix, a test server), made afresh for each case. */
export type EventStoreHarness = {
  /** A store on this log, as one more process would have; `close` closes it as well. */
  readonly open: () => EventStore;
  readonly close: () => Promise<void>;
  /** Stops and starts the database itself; what was acknowledged is there afterwards. */
  readonly database?: { readonly stop: () => Promise<void>; readonly start: () => Promise<void> };
  /** From here on transactions dawdle between their writes and their commit. */
  readonly slowCommits?: () => Promise<void>;
  /** A transaction of somebody else that has written next to the log and stays open until it is ended. */
  readonly foreignTransaction?: () => Promise<{
    readonly end: (how: "commit" | "rollback") => Promise<void>;
  }>;
  /** What an operator does with the database's own tools. */
  readonly removeStream?: (stream: StreamName, how: "delete" | "tombstone") => Promise<void>;
};

/** What a harness offers; a case that needs more is not registered for it. */
export type HarnessCapabilities = {
  /** `database`: cases 7, 38. */
  readonly restart: boolean;
  /** `foreignTransaction`: case 39, PostgreSQL. */
  readonly foreignTransactions: boolean;
  /**
   * An id that stands elsewhere in the stream is refused; EventStoreDB looks for it at the
   * expected place alone.
   */
  readonly refusesRepeatedIds: boolean;
  /** `removeStream`: case 40, EventStoreDB. */
  readonly removedStreams: boolean;
};

/** The part of a harness that its capabilities promised. */
export function promised<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("The harness does not have what its capabilities promise");
  return part;
}
