import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { Clock, StopSignal } from "../ports/clock.ts";
import { createSleepCut, createWakeSignal, type WakeSignal } from "../wake-signal.ts";

/**
 * The two times of a run. Line time: what is said, heard and waited for. Our time: limits of models, tools
 * and turns. Both jump together to the next timer when nothing else can run; while a model is asked, our
 * time goes as the real one does, and line time stands still.
 */
export type RehearsalClock = {
  readonly ours: Clock;
  readonly line: Pick<Clock, "monotonicMillis" | "sleep">;
  /** For how many milliseconds of our time line time has stood still so far. */
  readonly stoodMillis: () => number;
  /** Our time goes as the real one while this is done. */
  readonly during: <T>(effect: () => Promise<T>) => Promise<T>;
  /** No time passes while this is done, whatever else is. */
  readonly outside: <T>(effect: () => Promise<T>) => Promise<T>;
  /**
   * Moves time until the work is done, or `stop` aborts (null). Rejects as the work does, and when nothing is
   * left that it could wait for.
   */
  readonly run: <T>(work: Promise<T>, stop: AbortSignal) => Promise<T | null>;
};

/** `turn` resolves when everything that can run now has run: a round of the event loop. */
export function createRehearsalClock(
  real: Clock,
  startMillis: number,
  turn: () => Promise<void>,
): RehearsalClock {
  const time = new RunTime(real);
  return {
    ours: {
      now: () => instantFromMillis(startMillis + Math.floor(time.ours())),
      nowMillis: () => startMillis + Math.floor(time.ours()),
      monotonicMillis: () => time.ours(),
      sleep: (millis, signal) => time.sleep("ours", millis, signal),
    },
    line: {
      monotonicMillis: () => time.line(),
      sleep: (millis, signal) => time.sleep("line", millis, signal),
    },
    stoodMillis: () => time.stood(),
    during: (effect) => time.hold("asking", effect),
    outside: (effect) => time.hold("frozen", effect),
    run: async (work, stop) => {
      let over = stop.aborted;
      const end = () => {
        over = true;
        time.look();
      };
      work.then(end, end);
      stop.addEventListener("abort", end);
      try {
        for (await turn(); !over; await turn()) {
          if (time.isHeld()) await time.wait();
          else if (!time.jump()) throw new Error("A run waits for nothing");
        }
      } finally {
        stop.removeEventListener("abort", end);
      }
      return stop.aborted ? null : work;
    },
  };
}

/** Due in our time or in line time. */
type Sleeper = { readonly of: "ours" | "line"; readonly due: number; readonly wake: () => void };

/** All times are multiples of it, so that they add up exactly. */
const GRAINS_IN_A_MILLI = 1_024;
/** Nobody sleeps: until something changes. */
const LONGEST_WAIT_MILLIS = 15_000;

class RunTime {
  readonly #real: Clock;
  /** A run has few of them at once. */
  readonly #sleepers = new Set<Sleeper>();
  readonly #held = { asking: 0, frozen: 0 };
  readonly #changed: WakeSignal;
  #line = 0;
  /** How long line time had stood still at the moment `#since` of the real clock. */
  #stood = 0;
  #since: number;

  constructor(real: Clock) {
    this.#real = real;
    this.#since = real.monotonicMillis();
    this.#changed = createWakeSignal(real, createSleepCut());
  }

  line(): number {
    return this.#line;
  }

  stood(): number {
    if (this.#held.asking === 0 || this.#held.frozen > 0) return this.#stood;
    return this.#stood + Math.floor(this.#real.monotonicMillis() - this.#since);
  }

  ours(): number {
    return this.#line + this.stood();
  }

  isHeld(): boolean {
    return this.#held.asking + this.#held.frozen > 0;
  }

  look(): void {
    this.#changed.wake();
  }

  sleep(of: Sleeper["of"], millis: number, signal?: StopSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const grains = Math.ceil(Math.max(0, millis) * GRAINS_IN_A_MILLI);
      const sleeper = { of, due: this[of]() + grains / GRAINS_IN_A_MILLI, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", wake);
      this.look();
    });
  }

  async hold<T>(how: "asking" | "frozen", effect: () => Promise<T>): Promise<T> {
    this.#count(how, 1);
    try {
      return await effect();
    } finally {
      this.#count(how, -1);
    }
  }

  #count(how: "asking" | "frozen", by: 1 | -1): void {
    this.#stood = this.stood();
    this.#since = this.#real.monotonicMillis();
    this.#held[how] += by;
    this.look();
  }

  /** Both times move to the next timer; false: there is none. */
  jump(): boolean {
    const next = this.#next(["ours", "line"]);
    if (next === null) return false;
    this.#line += Math.max(0, this.#left(next));
    next.wake();
    return true;
  }

  /** Until the next of our timers is due in real time, and is woken, or until something has changed. */
  async wait(): Promise<void> {
    const next = this.#held.frozen > 0 ? null : this.#next(["ours"]);
    const left = next === null ? LONGEST_WAIT_MILLIS : this.#left(next);
    if (left > 0) await this.#changed.wait(left);
    else next?.wake();
  }

  #left({ of, due }: Sleeper): number {
    return due - this[of]();
  }

  /** Of those that are due at the same moment the one that began first. */
  #next(among: readonly Sleeper["of"][]): Sleeper | null {
    let next: Sleeper | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const sleeper of this.#sleepers) {
      const left = among.includes(sleeper.of) ? this.#left(sleeper) : least;
      if (left >= least) continue;
      least = left;
      next = sleeper;
    }
    return next;
  }
}
