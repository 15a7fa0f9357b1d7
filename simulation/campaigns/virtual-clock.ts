import type { Clock, StopSignal } from "../../application/ports/clock.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * Time that moves only when nothing else can run. The seed decides the order of timers that are
 * due at the same moment.
 */
export type VirtualClock = Clock & {
  /** Since the beginning. */
  readonly elapsed: () => number;
  /** Calls `run` in `millis`, unless `cancelled` says no by then. */
  readonly after: (millis: number, run: () => void, cancelled?: () => boolean) => void;
  /** A clock of one process: its sleeps end with it. */
  readonly forProcess: (isDead: () => boolean) => Clock;
  /** Moves to the next due moment and wakes one sleeper; false if nobody sleeps. */
  readonly advance: () => boolean;
  /** The wall clock jumps; sleepers read it again soon (every wait does within 15 s). */
  readonly stepWall: (millis: number) => void;
};

type Sleeper = {
  due: number;
  readonly tie: number;
  readonly wake: () => void;
  readonly isOver: () => boolean;
};

const READ_AGAIN_MILLIS = 15_000;
const never = () => false;

export function createVirtualClock(startMillis: number, random: SeededRandom): VirtualClock {
  const heap: Sleeper[] = [];
  let elapsed = 0;
  let wallOffset = startMillis;

  const add = (millis: number, wake: () => void, isOver: () => boolean): void => {
    push(heap, { due: elapsed + Math.max(0, millis), tie: random.fraction(), wake, isOver });
  };
  const sleepUnless = (isDead: () => boolean) => (millis: number, signal?: StopSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) return resolve();
      let over = false;
      const end = () => {
        if (over) return;
        over = true;
        signal?.removeEventListener("abort", end);
        resolve();
      };
      signal?.addEventListener("abort", end);
      add(millis, end, () => over || isDead());
    });
  // Cached, because everybody asks for the same value between two moments.
  let asked = Number.NaN;
  let answer = instantFromMillis(0);
  const now = () => {
    const millis = wallOffset + elapsed;
    if (millis !== asked) {
      asked = millis;
      answer = instantFromMillis(millis);
    }
    return answer;
  };
  const base = {
    now,
    nowMillis: () => wallOffset + elapsed,
    monotonicMillis: () => elapsed,
  };

  return {
    ...base,
    elapsed: () => elapsed,
    sleep: sleepUnless(never),
    after: (millis, run, cancelled = never) => add(millis, run, cancelled),
    forProcess: (isDead) => ({ ...base, sleep: sleepUnless(isDead) }),
    advance: () => {
      for (let next = pop(heap); next !== null; next = pop(heap)) {
        if (next.isOver()) continue;
        elapsed = Math.max(elapsed, next.due);
        next.wake();
        return true;
      }
      return false;
    },
    stepWall: (millis) => {
      wallOffset += millis;
      const soon = elapsed + READ_AGAIN_MILLIS;
      for (const sleeper of heap) sleeper.due = Math.min(sleeper.due, soon);
      heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    },
  };
}

function isBefore(a: Sleeper, b: Sleeper): boolean {
  return a.due === b.due ? a.tie < b.tie : a.due < b.due;
}

function push(heap: Sleeper[], sleeper: Sleeper): void {
  heap.push(sleeper);
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(sleeper, above)) break;
    heap[child] = above;
    child = parent;
  }
  heap[child] = sleeper;
}

function pop(heap: Sleeper[]): Sleeper | null {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined) return null;
  if (heap.length > 0) sink(heap, last);
  return first;
}

function sink(heap: Sleeper[], sleeper: Sleeper): void {
  let parent = 0;
  for (;;) {
    let child = 2 * parent + 1;
    const left = heap[child];
    const right = heap[child + 1];
    if (left === undefined) break;
    let smaller = left;
    if (right !== undefined && isBefore(right, left)) {
      child += 1;
      smaller = right;
    }
    if (!isBefore(smaller, sleeper)) break;
    heap[parent] = smaller;
    parent = child;
  }
  heap[parent] = sleeper;
}
