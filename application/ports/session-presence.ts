import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** On which calls the processes talk. Written every 2 s, so it is at most that old; only the log decides. */
export interface SessionPresence {
  /** A session of this call is open in this process. */
  begun(callId: CallId): void;
  ended(callId: CallId): void;
  /** When a process that talked on this call was last seen alive; null: not known. */
  seenAt(callId: CallId): Promise<Instant | null>;
  /** Calls whose process has not been seen for `millis`, the longest lost first. */
  lost(millis: number, limit: number): Promise<readonly CallId[]>;
  /** Those of `callIds` on which no known process talks. */
  unknown(callIds: readonly CallId[]): Promise<readonly CallId[]>;
  /** Nobody talks on it any more: it is no longer reported as lost. */
  forget(callId: CallId): Promise<void>;
}
