import type { DomainEvent } from "../../domain/events.ts";
import type { StreamName } from "../ports/event-store.ts";
import { createLiveMap, type LiveMap } from "../recent-map.ts";
import type { EventOrigin } from "./append-events.ts";
import { handleBatch, refold } from "./command-batch.ts";
import type {
  CommandUnit,
  Handled,
  HandleOptions,
  HandlerDeps,
  QueryUnit,
  StreamQueue,
} from "./command-queue.ts";
import { headOf, type StreamHead } from "./folded-stream.ts";

/**
 * The commands of one kind of aggregate. Commands of one stream queue in this process, are decided in order
 * on the folded state, and are appended together. The state is not read again before an append: a Conflict
 * triggers the read. Between appends nobody sees undurable state.
 */
export type CommandHandler<State, Command, Event> = {
  /**
   * Decides the commands as one unit: all their events are appended, or none. Rejects with `DomainError`
   * (nothing appended), `EventStoreError`, `DamagedStreamError`.
   */
  readonly handle: (
    stream: StreamName,
    commands: readonly Command[],
    origin: EventOrigin,
    options?: HandleOptions,
  ) => Promise<Handled<Event>>;
  /**
   * Reads from the folded state while no append is in flight. `fresh`: reads new events from the log first.
   * `read` must keep no reference to the state.
   */
  readonly query: <T>(
    stream: StreamName,
    read: (state: State, head: StreamHead) => T,
    options?: { readonly fresh?: boolean },
  ) => Promise<T>;
  /** Whether the folded state is in memory, so that a query reads nothing from the log. */
  readonly isAtHand: (stream: StreamName) => boolean;
};

/** The most units in one append; each is small, except imports and large batches of dials. */
const MAX_UNITS = 200;

export function createCommandHandler<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
): CommandHandler<State, Command, Event> {
  type Queue = StreamQueue<State, Command, Event>;
  const queues = createLiveMap<StreamName, Queue>(deps.keptStreams, (queue) => !queue.running);

  const submit = (stream: StreamName, unit: CommandUnit<Command, Event> | QueryUnit<State>) => {
    const queue = queues.get(stream) ?? { folded: null, waiting: [], running: false };
    queue.waiting.push(unit);
    if (queue.running) return;
    // First, so that it is spared: no other queue of this stream may begin beside it.
    queue.running = true;
    queues.set(stream, queue);
    void drain(deps, queues, stream, queue);
  };

  return {
    handle: (stream, commands, origin, options = {}) =>
      new Promise((resolve, reject) => {
        submit(stream, { kind: "commands", commands, origin, options, resolve, reject });
      }),
    query: (stream, read, options = {}) =>
      new Promise((resolve, reject) => {
        const run = (state: State, head: StreamHead) => resolve(read(state, head));
        const fresh = options.fresh === true;
        const queue = queues.get(stream);
        // Most queries: the state is in memory and nothing is in progress.
        if (!fresh && queue?.folded && !queue.running) run(queue.folded.state, headOf(queue.folded));
        else submit(stream, { kind: "query", fresh, run, reject });
      }),
    isAtHand: (stream) => {
      const queue = queues.get(stream);
      return queue !== undefined && (queue.running || queue.folded !== null);
    },
  };
}

/** Processes the queue of one stream; never rejects. */
async function drain<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
  queues: LiveMap<StreamName, StreamQueue<State, Command, Event>>,
  stream: StreamName,
  queue: StreamQueue<State, Command, Event>,
): Promise<void> {
  while (true) {
    const first = queue.waiting[0];
    if (first === undefined) break;
    if (first.kind === "query") {
      queue.waiting.shift();
      await answerQuery(deps, stream, queue, first);
    } else {
      await handleBatch(deps, stream, queue, takeBatch(queue.waiting));
    }
  }
  queue.running = false;
  if (queue.folded !== null && deps.isOver?.(queue.folded.state)) queues.over(stream);
}

function takeBatch<State, Command, Event>(
  waiting: StreamQueue<State, Command, Event>["waiting"],
): CommandUnit<Command, Event>[] {
  const batch: CommandUnit<Command, Event>[] = [];
  while (batch.length < MAX_UNITS) {
    const unit = waiting[0];
    if (unit === undefined || unit.kind === "query") break;
    batch.push(unit);
    waiting.shift();
  }
  return batch;
}

async function answerQuery<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
  stream: StreamName,
  queue: StreamQueue<State, Command, Event>,
  query: QueryUnit<State>,
): Promise<void> {
  try {
    const atHand = query.fresh ? null : queue.folded;
    const folded = atHand ?? (await refold(deps, stream, queue));
    query.run(folded.state, headOf(folded));
  } catch (error) {
    queue.folded = null;
    query.reject(error);
  }
}
