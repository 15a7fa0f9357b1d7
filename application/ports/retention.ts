import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Where a page of calls ended; of no meaning to others. */
export type RetentionPlace = { readonly begunAt: string; readonly callId: CallId };

/** For how long owners keep what was said on their calls, and which calls still have words. */
export interface Retention {
  /** null: for ever. */
  contentDays(owner: OwnerId): Promise<number | null>;
  change(owner: OwnerId, contentDays: number | null): Promise<void>;
  /** Those who do not keep them for ever, by id. */
  owners(): Promise<readonly { readonly owner: OwnerId; readonly contentDays: number }[]>;
  /** Calls whose keys were drawn before and are not erased, oldest first; `next` null: no more. */
  begunBefore(
    owner: OwnerId,
    before: Instant,
    page: { readonly limit: number; readonly after: RetentionPlace | null },
  ): Promise<{ readonly callIds: readonly CallId[]; readonly next: RetentionPlace | null }>;
}
