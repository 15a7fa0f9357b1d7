import type { Clock } from "../application/ports/clock.ts";
import { type EventStore, type Position, START } from "../application/ports/event-store.ts";
import { loadPositions } from "./checkpoints.ts";
import type { ReadDatabase } from "./projection.ts";

const POLL_MILLIS = 20;

/** How far the read models have come, for those who have to see their own writes. */
export interface ReadPositions {
  of(model: string): Position;
  /** Told by this process's projector right after a commit; ends `building`. */
  moved(model: string, position: Position): void;
  /** The rows of the model are being made (again): it has come nowhere, whatever its stored checkpoint says, until `moved`. */
  building(model: string): void;
  /** True as soon as every model has come to `position`, whichever process takes it there; false when it has not within `timeoutMillis`. */
  waitFor(position: Position, timeoutMillis: number): Promise<boolean>;
}

type Deps = { readonly db: ReadDatabase; readonly eventStore: EventStore; readonly clock: Clock };
type Waiter = { readonly position: Position; readonly answer: (reached: boolean) => void };

/** Answers at once what this process moved; while anybody waits, one shared poll looks for what others moved. */
export function createReadPositions(deps: Deps, models: readonly string[]): ReadPositions {
  const { db, eventStore, clock } = deps;
  const known = new Map<string, Position>(models.map((model) => [model, START]));
  const unbuilt = new Set<string>();
  const waiting = new Set<Waiter>();
  let polling = false;
  return { of: (model) => known.get(model) ?? START, moved, building, waitFor };

  function moved(model: string, position: Position): void {
    unbuilt.delete(model);
    heard(model, position);
  }

  function building(model: string): void {
    unbuilt.add(model);
    known.set(model, START);
  }

  function heard(model: string, position: Position): void {
    const before = known.get(model);
    if (before === undefined || eventStore.comparePositions(position, before) <= 0) return;
    known.set(model, position);
    for (const waiter of waiting) if (isReached(waiter.position)) waiter.answer(true);
  }

  function isReached(position: Position): boolean {
    return [...known.values()].every((at) => eventStore.comparePositions(at, position) >= 0);
  }

  function waitFor(position: Position, timeoutMillis: number): Promise<boolean> {
    if (isReached(position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answered = new AbortController();
      const waiter: Waiter = {
        position,
        answer: (reached) => {
          waiting.delete(waiter);
          answered.abort();
          resolve(reached);
        },
      };
      waiting.add(waiter);
      void clock.sleep(timeoutMillis, answered.signal).then(() => {
        if (waiting.has(waiter)) waiter.answer(isReached(position));
      });
      if (!polling) void poll();
    });
  }

  async function poll(): Promise<void> {
    polling = true;
    while (waiting.size > 0) {
      await clock.sleep(POLL_MILLIS);
      // A database that does not answer now leaves the waiters to the next look, or to their limit.
      const found = await loadPositions(db, models).catch(() => new Map<string, Position>());
      for (const [model, position] of found) if (!unbuilt.has(model)) heard(model, position);
    }
    polling = false;
  }
}
