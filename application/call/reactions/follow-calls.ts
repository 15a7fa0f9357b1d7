import type { FollowerProgress } from "../../log/processor-status.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RecordedEvent } from "../../ports/event-codec.ts";
import type { EventStore, Position } from "../../ports/event-store.ts";
import type { Feed } from "../../ports/feed.ts";
import type { Logger } from "../../ports/logger.ts";
import { repeatUntilStopped } from "../../repeating.ts";

const AFTER_FAILURE_MILLIS = 1_000;

export type FollowCallsDeps = {
  readonly feed: Feed;
  readonly eventStore: Pick<EventStore, "head">;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Follows new events in log order without a checkpoint, for what a process keeps in memory only. */
export async function followCalls(
  deps: FollowCallsDeps,
  hear: (recorded: RecordedEvent) => void,
  progress: FollowerProgress,
  stop: AbortSignal,
): Promise<void> {
  let after: Position | null = null;
  const pause = () => deps.clock.sleep(AFTER_FAILURE_MILLIS, stop);
  const onFailure = (error: unknown) =>
    deps.logger.error({ error }, "calls are not followed; follows them again");
  await repeatUntilStopped({ signal: stop, pause, onFailure }, async () => {
    after ??= await deps.eventStore.head();
    for await (const batch of deps.feed.follow({ after, signal: stop, name: "call-follower" })) {
      for (const recorded of batch.events) hear(recorded);
      after = batch.position;
      progress.took(batch);
    }
  });
}
