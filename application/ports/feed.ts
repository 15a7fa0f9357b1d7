import type { RecordedEvent } from "./event-codec.ts";
import type { Position } from "./event-store.ts";

export type FeedBatch = {
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  readonly caughtUp: boolean;
};

/**
 * The one subscription of this process, read, checked and decoded once for all projections, reactions and
 * runners in it (docs/architecture.md §5). A follower behind the shared window reads the log by itself until
 * it has caught up. Slow followers delay nobody; memory is bounded.
 */
export interface Feed {
  follow(options: {
    readonly after: Position;
    readonly signal: AbortSignal;
    readonly name: string;
    /** Whether somebody waits for this follower: a busy log then gathers for a moment at most. */
    readonly isAwaited?: () => boolean;
  }): AsyncIterable<FeedBatch>;
}
