import { setTimeout as delay } from "node:timers/promises";
import type {
  EventStore,
  StoredEvent,
  SubscribeOptions,
  SubscriptionBatch,
} from "../../../application/ports/event-store.ts";

/** A consumer that keeps what it was given. `stop` ends it and rejects with what ended it otherwise. */
export type Follower = {
  readonly batches: readonly SubscriptionBatch[];
  readonly events: readonly StoredEvent[];
  /** Resolves when the condition holds, rejects when the subscription ended before it did. */
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
};

export function follow(
  store: EventStore,
  options: Partial<SubscribeOptions> = {},
  work: () => Promise<void> = async () => undefined,
): Follower {
  const controller = new AbortController();
  const batches: SubscriptionBatch[] = [];
  const events: StoredEvent[] = [];
  let ended = false;
  const running = (async () => {
    for await (const batch of store.subscribe({ after: "", ...options, signal: controller.signal })) {
      batches.push(batch);
      events.push(...batch.events);
      await work();
    }
  })().finally(() => {
    ended = true;
  });
  running.catch(() => undefined); // told by until and stop
  return {
    batches,
    events,
    async until(condition) {
      while (!condition()) {
        if (ended) await running;
        await delay(5);
      }
    },
    async stop() {
      controller.abort();
      await running;
    },
  };
}
