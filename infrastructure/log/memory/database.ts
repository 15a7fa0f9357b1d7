import { EventStoreError, type StoredEvent } from "../../../application/ports/event-store.ts";

/**
 * What is durable of an in-memory log: several stores may be open on one, as several
 * processes are on a database.
 */
export type MemoryDatabase = {
  /** In commit order; an event's position is its place, from 1. */
  readonly events: StoredEvent[];
  readonly streams: Map<string, MemoryStream>;
  readonly waiting: Set<() => void>;
  running: boolean;
};

export type MemoryStream = { readonly events: StoredEvent[]; readonly ids: Set<string> };

export function createMemoryDatabase(): MemoryDatabase {
  return { events: [], streams: new Map(), waiting: new Set(), running: true };
}

/** From here on everything rejects Unavailable and subscriptions wait. */
export function stopMemoryDatabase(database: MemoryDatabase): void {
  database.running = false;
}

export function startMemoryDatabase(database: MemoryDatabase): void {
  database.running = true;
  wakeReaders(database);
}

export function wakeReaders(database: MemoryDatabase): void {
  const woken = [...database.waiting];
  database.waiting.clear();
  for (const wake of woken) wake();
}

export function refuseWhenStopped(database: MemoryDatabase, closed: AbortSignal): void {
  if (closed.aborted) throw new EventStoreError({ kind: "unavailable", cause: "the store is closed" });
  if (!database.running) throw new EventStoreError({ kind: "unavailable", cause: "the database is stopped" });
}
