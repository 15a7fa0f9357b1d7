import type { Clock } from "../../application/ports/clock.ts";
import { type EventStore, type Position, START } from "../../application/ports/event-store.ts";
import { loadPositions } from "./checkpoints.ts";
import type { ReadDatabase } from "./projection.ts";

const POLL_MILLIS = 20;

/** How far the read models have come, for those who have to see their own writes. */
export interface ReadPositions {
  of(model: string): Position;
  /** The furthest that any of them has come: so far this process knows the log. */
  known(): Position;
  /** Told by this process's projector right after a commit; ends `building`. */
  moved(model: string, position: Position): void;
  /** The rows of the model are being made (again): it has come nowhere, whatever its stored checkpoint says, until `moved`. */
  building(model: string): void;
  /** The model has no tables to be read yet. `servedTo` waits for it until 2 s have passed since the first of these calls, then skips it, until `moved`. */
  unserved(model: string): void;
  /** `all`: every model has come to `position`. `served`: at least one without tables was skipped (`unserved`), and every other has. `behind`: not within `timeoutMillis`. */
  servedTo(position: Position, timeoutMillis: number): Promise<Reached>;
  /** True as soon as every model has come to `position`, whichever process takes it there; false when it has not within `timeoutMillis`. */
  waitFor(position: Position, timeoutMillis: number): Promise<boolean>;
}

export type Reached = "all" | "served" | "behind";

type Deps = { readonly db: ReadDatabase; readonly eventStore: EventStore; readonly clock: Clock };
type Waiter = { readonly holds: () => boolean; readonly answer: (reached: boolean) => void };

/** How long a write waits for a model that is being built: a new installation's are there in less. */
const BUILDING_MILLIS = 2_000;

/** Answers at once what this process moved; while anybody waits, one shared poll looks for what others moved. */
export function createReadPositions(deps: Deps, models: readonly string[]): ReadPositions {
  const { db, eventStore, clock } = deps;
  const known = new Map<string, Position>(models.map((model) => [model, START]));
  const unbuilt = new Set<string>();
  /** Models without rows; until when, on the steady clock, they are waited for. */
  const withoutRows = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let polling = false;
  const furthest = () =>
    [...known.values()].reduce((a, b) => (eventStore.comparePositions(a, b) >= 0 ? a : b), START);
  return {
    of: (model) => known.get(model) ?? START,
    known: furthest,
    moved,
    building,
    unserved,
    servedTo,
    waitFor,
  };

  function moved(model: string, position: Position): void {
    unbuilt.delete(model);
    withoutRows.delete(model);
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
    answerWaiting();
  }

  function unserved(model: string): void {
    if (!withoutRows.has(model)) withoutRows.set(model, clock.monotonicMillis() + BUILDING_MILLIS);
  }

  function isAt(model: string, position: Position): boolean {
    return eventStore.comparePositions(known.get(model) ?? START, position) >= 0;
  }

  function isReached(position: Position): boolean {
    return models.every((model) => isAt(model, position));
  }

  /** A model that was not built within its moment is not waited for. */
  function isServed(position: Position): boolean {
    const now = clock.monotonicMillis();
    return models.every(
      (model) => isAt(model, position) || (withoutRows.get(model) ?? Number.POSITIVE_INFINITY) <= now,
    );
  }

  async function servedTo(position: Position, timeoutMillis: number): Promise<Reached> {
    const served = await wait(() => isServed(position), timeoutMillis);
    return !served ? "behind" : isReached(position) ? "all" : "served";
  }

  function waitFor(position: Position, timeoutMillis: number): Promise<boolean> {
    return wait(() => isReached(position), timeoutMillis);
  }

  function wait(holds: () => boolean, timeoutMillis: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answered = new AbortController();
      const waiter: Waiter = {
        holds,
        answer: (reached) => {
          waiting.delete(waiter);
          answered.abort();
          resolve(reached);
        },
      };
      waiting.add(waiter);
      void clock.sleep(timeoutMillis, answered.signal).then(() => {
        if (waiting.has(waiter)) waiter.answer(holds());
      });
      if (!polling) void poll();
    });
  }

  function answerWaiting(): void {
    for (const waiter of waiting) if (waiter.holds()) waiter.answer(true);
  }

  async function poll(): Promise<void> {
    polling = true;
    while (waiting.size > 0) {
      await clock.sleep(POLL_MILLIS);
      // A database that does not answer now leaves the waiters to the next look, or to their limit.
      const found = await loadPositions(db, models).catch(() => new Map<string, Position>());
      for (const [model, position] of found) if (!unbuilt.has(model)) heard(model, position);
      answerWaiting();
    }
    polling = false;
  }
}
