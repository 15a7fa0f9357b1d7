import type { DomainEvent } from "../../domain/events.ts";
import type { Decider } from "../../domain/shared/decider.ts";
import type { Decoded, EventCodec } from "../ports/event-codec.ts";
import {
  type EventStore,
  type ExpectedRevision,
  isEventStoreFailure,
  type Position,
  START,
  type StoredEvent,
  type StreamName,
} from "../ports/event-store.ts";
import { firstPageSize, nextPageSize } from "./page-sizes.ts";

/**
 * A stream as it was last folded. The owner may mutate `state` through the decider's `evolve`; nobody
 * else keeps a reference.
 */
export type FoldedStream<State> = {
  state: State;
  revision: ExpectedRevision;
  /** Position of its last event; START while it has none. */
  position: Position;
};

/**
 * An event of the stream does not match its schema: no decision is possible on a state that cannot be read.
 */
export class DamagedStreamError extends Error {
  override readonly name = "DamagedStreamError";
  constructor(stored: StoredEvent, problem: string) {
    super(`${stored.stream}@${stored.revision} ${stored.type}: ${problem}`);
  }
}

export type FoldDeps<State, Command, Event extends DomainEvent> = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly decider: Decider<State, Command, Event>;
  /** Narrows decoded events to those of this kind of stream. */
  readonly isEvent: (event: DomainEvent) => event is Event;
};

export function unread<State>(
  decider: Pick<Decider<State, never, never>, "initialState">,
): FoldedStream<State> {
  return { state: decider.initialState(), revision: "no_stream", position: START };
}

export type StreamHead = { readonly revision: number; readonly position: Position };

/** Revision of the last event, -1 when there is none. */
export function headOf(folded: FoldedStream<unknown>): StreamHead {
  return { revision: folded.revision === "no_stream" ? -1 : folded.revision, position: folded.position };
}

/** Folds the events after `folded.revision`. The next page is read while one is folded. */
export async function catchUp<State, Command, Event extends DomainEvent>(
  deps: FoldDeps<State, Command, Event>,
  stream: StreamName,
  folded: FoldedStream<State>,
): Promise<void> {
  let size = firstPageSize(stream);
  let reading = readPage(deps.eventStore, stream, headOf(folded).revision + 1, size);
  while (true) {
    const page = await reading;
    const last = page.at(-1);
    const more = page.length === size && last !== undefined;
    size = nextPageSize(stream, size, page);
    if (more) reading = readPage(deps.eventStore, stream, last.revision + 1, size);
    // Awaited in the next round, or never when this page cannot be folded.
    reading.catch(() => undefined);
    const decoded = await deps.codec.decode(page);
    for (const [index, stored] of page.entries()) applyStored(deps, folded, stored, decoded[index]);
    if (!more) return;
  }
}

function applyStored<State, Command, Event extends DomainEvent>(
  deps: FoldDeps<State, Command, Event>,
  folded: FoldedStream<State>,
  stored: StoredEvent,
  decoded: Decoded | undefined,
): void {
  if (decoded?.kind === "damaged") throw new DamagedStreamError(stored, decoded.problem);
  if (decoded?.kind === "event" && deps.isEvent(decoded.recorded.event)) {
    folded.state = deps.decider.evolve(folded.state, decoded.recorded.event);
  }
  folded.revision = stored.revision;
  folded.position = stored.position;
}

async function readPage(
  eventStore: EventStore,
  stream: StreamName,
  from: number,
  max: number,
): Promise<readonly StoredEvent[]> {
  try {
    return await eventStore.read(stream, { from, max });
  } catch (error) {
    if (isEventStoreFailure(error, "not_found")) return [];
    throw error;
  }
}
