import type { Clock } from "../../application/ports/clock.ts";
import { type EventStore, type Position, START } from "../../application/ports/event-store.ts";
import { createSleepCut } from "../../application/wake-signal.ts";
import { loadPositions } from "./checkpoints.ts";
import type { ReadDatabase } from "./projection.ts";

const POLL_MILLIS = 20;

/** Positions of the read models, for clients that have to see their own writes. */
export interface ReadPositions {
  of(model: string): Position;
  /** The highest position of any of them, which is the part of the log that this process knows. */
  known(): Position;
  /** Called by this process's projector right after a commit; ends `building`. */
  moved(model: string, position: Position): void;
  /**
   * The rows of the model are being built (again): whatever its stored checkpoint says, it has no
   * position until `moved`.
   */
  building(model: string): void;
  /**
   * The model has no tables to read yet. `servedTo` waits for it until 2 s after the first of these calls,
   * then skips it until `moved`.
   */
  unserved(model: string): void;
  /**
   * `all`: every model has reached `position`. `served`: at least one without tables was skipped
   * (`unserved`), and every other has. `behind`: not within `timeoutMillis`.
   */
  servedTo(position: Position, timeoutMillis: number): Promise<Reached>;
  /**
   * True as soon as every model has reached `position`, by any process; false if not within `timeoutMillis`.
   */
  waitFor(position: Position, timeoutMillis: number): Promise<boolean>;
  /** Whether anybody waits for a position. */
  isAwaited(): boolean;
}

export type Reached = "all" | "served" | "behind";

type Deps = { readonly db: ReadDatabase; readonly eventStore: EventStore; readonly clock: Clock };
type Waiter = { readonly holds: () => boolean; readonly answer: (reached: boolean) => void };

/** How long a write waits for a model that is being built; those of a new installation take less. */
const BUILDING_MILLIS = 2_000;

/**
 * Knows at once what this process has moved; while anybody waits, one shared poll reads what other processes
 * moved: of models that this one has not moved since the last time.
 */
export function createReadPositions(deps: Deps, models: readonly string[]): ReadPositions {
  return new PolledPositions(deps, models);
}

class PolledPositions implements ReadPositions {
  readonly #deps: Deps;
  readonly #models: readonly string[];
  readonly #known: Map<string, Position>;
  readonly #unbuilt = new Set<string>();
  /** Models without rows, each with the time (steady clock) until which it is awaited. */
  readonly #withoutRows = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  readonly #movedHere = new Set<string>();
  #polling = false;

  constructor(deps: Deps, models: readonly string[]) {
    this.#deps = deps;
    this.#models = models;
    this.#known = new Map(models.map((model) => [model, START]));
  }

  of(model: string): Position {
    return this.#known.get(model) ?? START;
  }

  known(): Position {
    const { eventStore } = this.#deps;
    return [...this.#known.values()].reduce(
      (a, b) => (eventStore.comparePositions(a, b) >= 0 ? a : b),
      START,
    );
  }

  moved(model: string, position: Position): void {
    this.#unbuilt.delete(model);
    this.#withoutRows.delete(model);
    this.#movedHere.add(model);
    this.#heard(model, position);
  }

  building(model: string): void {
    this.#unbuilt.add(model);
    this.#known.set(model, START);
  }

  unserved(model: string): void {
    if (this.#withoutRows.has(model)) return;
    this.#withoutRows.set(model, this.#deps.clock.monotonicMillis() + BUILDING_MILLIS);
  }

  async servedTo(position: Position, timeoutMillis: number): Promise<Reached> {
    const served = await this.#wait(() => this.#isServed(position), timeoutMillis);
    return !served ? "behind" : this.#isReached(position) ? "all" : "served";
  }

  waitFor(position: Position, timeoutMillis: number): Promise<boolean> {
    return this.#wait(() => this.#isReached(position), timeoutMillis);
  }

  isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  #heard(model: string, position: Position): void {
    const before = this.#known.get(model);
    if (before === undefined || this.#deps.eventStore.comparePositions(position, before) <= 0) return;
    this.#known.set(model, position);
    this.#answerWaiting();
  }

  #isAt(model: string, position: Position): boolean {
    return this.#deps.eventStore.comparePositions(this.of(model), position) >= 0;
  }

  #isReached(position: Position): boolean {
    return this.#models.every((model) => this.#isAt(model, position));
  }

  /** A model that was not built within its time is not awaited. */
  #isServed(position: Position): boolean {
    const now = this.#deps.clock.monotonicMillis();
    return this.#models.every(
      (model) =>
        this.#isAt(model, position) || (this.#withoutRows.get(model) ?? Number.POSITIVE_INFINITY) <= now,
    );
  }

  #wait(holds: () => boolean, timeoutMillis: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answered = createSleepCut();
      const waiter: Waiter = {
        holds,
        answer: (reached) => {
          this.#waiting.delete(waiter);
          answered.abort();
          resolve(reached);
        },
      };
      this.#waiting.add(waiter);
      void this.#deps.clock.sleep(timeoutMillis, answered).then(() => {
        if (this.#waiting.has(waiter)) waiter.answer(holds());
      });
      if (!this.#polling) void this.#poll();
    });
  }

  #answerWaiting(): void {
    for (const waiter of this.#waiting) if (waiter.holds()) waiter.answer(true);
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    while (this.#waiting.size > 0) {
      await this.#deps.clock.sleep(POLL_MILLIS);
      // If the database does not answer, the waiters wait for the next poll, or until their timeout.
      const others = this.#models.filter((model) => !this.#movedHere.has(model));
      this.#movedHere.clear();
      const found = await loadPositions(this.#deps.db, others).catch(() => new Map<string, Position>());
      for (const [model, position] of found) if (!this.#unbuilt.has(model)) this.#heard(model, position);
      this.#answerWaiting();
    }
    this.#polling = false;
  }
}
