import type { CallId } from "../../domain/shared/ids.ts";

export type LeasedSession = { readonly callId: CallId; readonly epoch: number };

/** Which process has the session of a call. It decides nothing: the epoch in the log does. It only tells whose process is gone. */
export interface SessionLeases {
  /** This process has it from now on; whoever had an older epoch has it no longer. */
  take(session: LeasedSession): Promise<void>;
  /** It is over. Of an older epoch: nothing. */
  drop(session: LeasedSession): Promise<void>;
  /** All of this process at once. Must be called every 2 s. */
  renew(): Promise<void>;
  /** Sessions whose process has not been heard of for 6 s. Their rows stay until they are dropped. */
  abandoned(limit: number): Promise<readonly LeasedSession[]>;
}
