import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { FeedBatch } from "../../application/ports/feed.ts";

/**
 * Everything that arrived while the reader was busy, as one batch: a projector that is behind writes more
 * rows at once and catches up; one that keeps up does not wait. Holds about `limit` events (an imported
 * contact counts as one), then leaves the rest to the source.
 */
export async function* gatheredBatches(
  source: AsyncIterable<FeedBatch>,
  limit: number,
): AsyncGenerator<FeedBatch, void, undefined> {
  const waiting: FeedBatch[] = [];
  let weight = 0;
  let arrived = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();
  const progress = { ended: false, left: false };
  const reading = read();
  // Reported to the reader below; until then it must not count as unhandled.
  reading.catch(() => undefined);
  try {
    while (true) {
      const batch = merged(waiting.splice(0));
      weight = 0;
      taken.resolve();
      taken = Promise.withResolvers();
      if (batch !== null) yield batch;
      else if (progress.ended) return await reading;
      else {
        await arrived.promise;
        arrived = Promise.withResolvers();
      }
    }
  } finally {
    progress.left = true;
    taken.resolve();
  }

  async function read(): Promise<void> {
    try {
      for await (const batch of source) {
        waiting.push(batch);
        weight += batch.events.reduce((sum, recorded) => sum + weightOf(recorded), 0);
        arrived.resolve();
        while (weight >= limit && !progress.left) await taken.promise;
        if (progress.left) return;
      }
    } finally {
      progress.ended = true;
      arrived.resolve();
    }
  }
}

function merged(batches: readonly FeedBatch[]): FeedBatch | null {
  const last = batches.at(-1);
  if (last === undefined || batches.length === 1) return last ?? null;
  return { ...last, events: batches.flatMap(({ events }) => events) };
}

function weightOf({ event }: RecordedEvent): number {
  return event.type === "ContactsImported" ? event.data.contacts.length : 1;
}
