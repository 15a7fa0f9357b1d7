import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Where a page of calls ended; opaque to callers. */
export type RetentionPlace = { readonly begunAt: string; readonly callId: CallId };

/** How long owners keep the texts of their calls, and which calls still have texts. */
export interface Retention {
  /** null: for ever. */
  contentDays(owner: OwnerId): Promise<number | null>;
  change(owner: OwnerId, contentDays: number | null): Promise<void>;
  /** Owners with a limit, by id. */
  owners(): Promise<readonly { readonly owner: OwnerId; readonly contentDays: number }[]>;
  /** Calls whose keys were made before and are not erased, oldest first; `next` null: no more. */
  begunBefore(
    owner: OwnerId,
    before: Instant,
    page: { readonly limit: number; readonly after: RetentionPlace | null },
  ): Promise<{ readonly callIds: readonly CallId[]; readonly next: RetentionPlace | null }>;
  /** Deletes rehearsals that are older than 30 days, or than their owner keeps texts if that is shorter. */
  deleteRehearsals(now: Instant, dayMillis: number): Promise<void>;
}
