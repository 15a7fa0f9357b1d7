import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Which calls the processes talk on. Told every 2 s, so it is never more than that behind; the log alone decides. */
export interface SessionPresence {
  /** A session of this call is open in this process. */
  begun(callId: CallId): void;
  ended(callId: CallId): void;
  /** When a process that talked on this call was last known to live; null: none is known to. */
  seenAt(callId: CallId): Promise<Instant | null>;
  /** Calls whose process has not been seen for `millis`, the longest lost first. */
  lost(millis: number, limit: number): Promise<readonly CallId[]>;
  /** Those of `callIds` that nobody is known to talk on. */
  unknown(callIds: readonly CallId[]): Promise<readonly CallId[]>;
  /** Nobody talks on it any more: it is not told as lost again. */
  forget(callId: CallId): Promise<void>;
}
