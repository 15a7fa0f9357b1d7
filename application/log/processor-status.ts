import { type Instant, millisOf } from "../../domain/shared/instant.ts";
import type { Clock } from "../ports/clock.ts";
import { type Position, START } from "../ports/event-store.ts";
import type { FeedBatch } from "../ports/feed.ts";
import type { Metrics } from "../ports/metrics.ts";

/**
 * Progress of a processor of the log (read model, reaction, campaign runner), for /health/ready and /metrics.
 */
export type ProcessorStatus = {
  readonly name: string;
  readonly position: Position;
  /** Age of the oldest event that it has not processed; 0: caught up. */
  readonly lagMillis: number;
  readonly lastMovedAt: Instant | null;
  /** Number of events that it parked. */
  readonly parked: number;
};

export type FollowerProgress = {
  /** Called after each batch. */
  readonly took: (batch: FeedBatch) => void;
  readonly status: () => ProcessorStatus;
};

/** The status of a follower that never parks an event. */
export function followerProgress(clock: Clock, name: string): FollowerProgress {
  let position = START;
  let behindSince: Instant | null = null;
  let lastMovedAt: Instant | null = null;
  return {
    took: (batch) => {
      position = batch.position;
      behindSince = batch.caughtUp ? null : (batch.events.at(-1)?.created ?? behindSince);
      lastMovedAt = clock.now();
    },
    status: () => ({ name, position, lagMillis: ageOf(clock, behindSince), lastMovedAt, parked: 0 }),
  };
}

/** null: nothing waits. */
export function ageOf(clock: Clock, since: Instant | null): number {
  return since === null ? 0 : Math.max(0, clock.nowMillis() - millisOf(since));
}

/**
 * Called when /metrics is read, so that the lag of a stopped processor grows. Positions of both logs begin
 * with a number that grows.
 */
export function tellProcessors(metrics: Metrics, processors: readonly ProcessorStatus[]): void {
  for (const { name, position, lagMillis, lastMovedAt, parked } of processors) {
    const labels = { processor: name };
    metrics.gauge("ringfold_processor_lag_seconds", lagMillis / 1_000, labels);
    metrics.gauge("ringfold_processor_parked_events", parked, labels);
    metrics.gauge(
      "ringfold_processor_position",
      position === START ? 0 : Number.parseFloat(position),
      labels,
    );
    if (lastMovedAt !== null)
      metrics.gauge("ringfold_processor_last_moved_timestamp_seconds", millisOf(lastMovedAt) / 1_000, labels);
  }
}
