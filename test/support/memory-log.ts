import { type Aggregates, createAggregates } from "../../application/log/aggregates.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { EventCodec, RecordedEvent } from "../../application/ports/event-codec.ts";
import type { AppendResult, EventStore, StreamName } from "../../application/ports/event-store.ts";
import type { Ids } from "../../application/ports/ids.ts";
import type { LogFields, Logger } from "../../application/ports/logger.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createMemoryDatabase, type MemoryDatabase } from "../../infrastructure/log/memory/database.ts";
import { createMemoryEventStore } from "../../infrastructure/log/memory/event-store.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import {
  createMemorySubjectKeys,
  createTestCodec,
  eventsToAppend,
  type MemorySubjectKeys,
} from "../../simulation/memory/subject-keys.ts";
import { type MovingClock, movingClock } from "./moving-clock.ts";

/** What a test has already, or wants otherwise. */
type Given = {
  /** Default: one that only the test moves. */
  readonly clock?: Clock;
  /** The same one for several processes, or for the next one after a crash. */
  readonly database?: MemoryDatabase;
  /** Default: every call has a key. */
  readonly keys?: MemorySubjectKeys;
  /** Default: one that refuses what would be read back otherwise than it was written. */
  readonly codec?: EventCodec;
  readonly ids?: Ids;
  /** What goes wrong with the log, or is counted of it. */
  readonly wrap?: (log: EventStore) => EventStore;
};

export type MemoryLog<C extends Clock = MovingClock> = {
  readonly clock: C;
  readonly database: MemoryDatabase;
  readonly keys: MemorySubjectKeys;
  readonly codec: EventCodec;
  readonly ids: Ids;
  readonly logger: Logger;
  /** As the process sees it: what it reads of streams and appends is noted below. */
  readonly eventStore: EventStore;
  readonly reads: StreamName[];
  /** From which revision, for each read. */
  readonly readsFrom: number[];
  /** How many events each append tried to add. */
  readonly appends: number[];
  readonly aggregates: Aggregates;
  /** Warnings and errors of `logger`. */
  readonly said: [level: "warn" | "error", message: string, fields: LogFields][];
  /** Puts events of usr_1 behind those of the stream, as another process would: nothing wraps it. */
  readonly store: (stream: StreamName, ...events: readonly DomainEvent[]) => Promise<AppendResult>;
  readonly storeFor: (
    owner: OwnerId,
    stream: StreamName,
    ...events: readonly DomainEvent[]
  ) => Promise<AppendResult>;
  /** A stream as it stands in the database; what cannot be read is left out. */
  readonly recorded: (stream: StreamName) => Promise<readonly RecordedEvent[]>;
  readonly types: (stream: StreamName) => readonly string[];
};

/**
 * A log in memory with all that one process reads and writes it by. Every test that needs a log and no
 * database begins here; engines over all stores are in test/application/engine-world.ts.
 */
export function memoryLog<C extends Clock>(given: Given & { readonly clock: C }): MemoryLog<C>;
export function memoryLog(given?: Given): MemoryLog;
export function memoryLog(given: Given = {}): MemoryLog<Clock> {
  const clock = given.clock ?? movingClock();
  const { database = createMemoryDatabase(), keys = createMemorySubjectKeys({ drawMissing: true }) } = given;
  const { codec = createTestCodec(keys), ids = systemIds, wrap = (log) => log } = given;
  const memory = createMemoryEventStore(clock, database);
  const reads: StreamName[] = [];
  const readsFrom: number[] = [];
  const appends: number[] = [];
  const wrapped = wrap(memory);
  const eventStore: EventStore = {
    ...wrapped,
    read: (stream, options) => {
      reads.push(stream);
      readsFrom.push(options?.from ?? 0);
      return wrapped.read(stream, options);
    },
    append: (stream, expected, events) => {
      appends.push(events.length);
      return wrapped.append(stream, expected, events);
    },
  };
  const said: MemoryLog["said"] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (fields, message) => void said.push(["warn", message, fields]),
    error: (fields, message) => void said.push(["error", message, fields]),
  };
  const storedIn = (stream: StreamName) => database.streams.get(stream)?.events ?? [];
  const storeFor: MemoryLog["storeFor"] = async (owner, stream, ...events) => {
    const stored = await eventsToAppend(codec, owner, events);
    return memory.append(stream, storedIn(stream).at(-1)?.revision ?? "no_stream", stored);
  };
  return {
    clock,
    database,
    keys,
    codec,
    ids,
    logger,
    eventStore,
    reads,
    readsFrom,
    appends,
    aggregates: createAggregates({ eventStore, codec, ids, clock }),
    said,
    store: (stream, ...events) => storeFor("usr_1", stream, ...events),
    storeFor,
    recorded: async (stream) => {
      const decoded = await codec.decode(storedIn(stream));
      return decoded.flatMap((read) => (read.kind === "event" ? [read.recorded] : []));
    },
    types: (stream) => storedIn(stream).map(({ type }) => type),
  };
}
