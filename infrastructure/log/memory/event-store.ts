import { setMaxListeners } from "node:events";
import type { Clock } from "../../../application/ports/clock.ts";
import { type EventStore, EventStoreError, START } from "../../../application/ports/event-store.ts";
import { checkAppend } from "../append-guard.ts";
import { appendInMemory } from "./append.ts";
import { createMemoryDatabase, type MemoryDatabase, refuseWhenStopped } from "./database.ts";
import { comparePositions, readAll, readStream, subscribe } from "./read.ts";

/**
 * The event log in memory, for runs of a rehearsal, tests and the simulation. It has no timer and no
 * randomness: the clock only dates events. `database` outlives this store; give the same one to several
 * stores for several processes, or to the next one after a crash.
 */
export function createMemoryEventStore(
  clock: Clock,
  database: MemoryDatabase = createMemoryDatabase(),
): EventStore {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one listener per subscription
  const whenRunning = () => refuseWhenStopped(database, closing.signal);
  return {
    async append(stream, expected, events) {
      const json = checkAppend(stream, events);
      whenRunning();
      return appendInMemory(clock, database, { stream, expected, events, json });
    },
    async read(stream, options = {}) {
      whenRunning();
      refuseAborted(options.signal);
      return readStream(database, stream, options);
    },
    async readAll(options) {
      whenRunning();
      refuseAborted(options.signal);
      return readAll(database, options);
    },
    subscribe: (options) => subscribe(database, options, closing.signal),
    async head() {
      whenRunning();
      return database.events.at(-1)?.position ?? START;
    },
    comparePositions,
    async ping() {
      whenRunning();
    },
    async close() {
      closing.abort("closed");
    },
  };
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new EventStoreError({ kind: "unavailable", cause: "aborted" });
}
