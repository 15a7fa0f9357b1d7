import type { EventStore } from "../../../application/ports/event-store.ts";
import { exampleEvent, freshStream } from "./example-events.ts";
import type { followEvents } from "./following.ts";

/** What a log needs for the storm: also one that is known to be wrong. */
export type StormLog = Pick<EventStore, "append" | "subscribe">;

const WRITERS = 20;
const APPENDS = 200;
const MARKER = "StormEnded";

export type StormReport = {
  readonly written: number;
  /** Acknowledged and never delivered. */
  readonly lost: number;
  readonly delivered: number;
  /** Places where an event came before one of a lower revision in its stream, or twice. */
  readonly outOfOrder: number;
};

/**
 * Case 32: many writers, spread over several stores, while a subscriber runs; at the end a marker, and
 * whatever the subscriber does not have when the marker comes, it will never have.
 */
export async function writerStorm(writers: readonly StormLog[], reader: StormLog): Promise<StormReport> {
  const delivered = followToMarker(reader);
  const ids = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => writeMany(pick(writers, writer))),
  );
  await reader.append(freshStream("marker"), "no_stream", [exampleEvent({ type: MARKER })]);
  const events = await delivered;
  const seen = new Set(events.map(({ id }) => id));
  const lost = ids.flat().filter((id) => !seen.has(id)).length;
  return { written: ids.flat().length, lost, delivered: events.length, outOfOrder: disorder(events) };
}

function pick(writers: readonly StormLog[], index: number): StormLog {
  const writer = writers[index % writers.length];
  if (writer === undefined) throw new Error("a storm needs writers");
  return writer;
}

async function followToMarker(reader: StormLog) {
  const events: Awaited<ReturnType<typeof followEvents>> = [];
  const stop = new AbortController();
  for await (const batch of reader.subscribe({ after: "", signal: stop.signal })) {
    const end = batch.events.findIndex(({ type }) => type === MARKER);
    events.push(...(end === -1 ? batch.events : batch.events.slice(0, end)));
    if (end !== -1) break;
  }
  stop.abort();
  return events;
}

async function writeMany(log: StormLog): Promise<string[]> {
  const stream = freshStream();
  const ids: string[] = [];
  for (let n = 0; n < APPENDS; n += 1) {
    const event = exampleEvent({ data: { n } });
    await log.append(stream, n === 0 ? "no_stream" : n - 1, [event]);
    ids.push(event.id);
  }
  return ids;
}

function disorder(events: readonly { readonly stream: string; readonly revision: number }[]): number {
  const last = new Map<string, number>();
  return events.filter(({ stream, revision }) => {
    const wrong = revision <= (last.get(stream) ?? -1);
    last.set(stream, revision);
    return wrong;
  }).length;
}
