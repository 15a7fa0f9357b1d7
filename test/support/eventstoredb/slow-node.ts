import { setTimeout as delay } from "node:timers/promises";

/**
 * How fast a node takes appends. It has one writer. The messages of an append, one for each event, are taken
 * in turn with those of the others that are open: an append of many events stands behind the small ones that
 * come meanwhile.
 */
export type NodeSpeed = {
  readonly millisPerAppend: number;
  readonly millisPerEvent: number;
  readonly eventsPerTurn: number;
};

/**
 * As a real node 23.10.8 beside a service on two cores: some 900 appends of one event a second, and appends
 * of 123 to 500 events answered 2 to 5 s later amid 64 small ones.
 */
export const REAL_NODE: NodeSpeed = { millisPerAppend: 0.9, millisPerEvent: 0.15, eventsPerTurn: 6 };

/** As fast as the machine. */
export const UNHURRIED: NodeSpeed = { millisPerAppend: 0, millisPerEvent: 0, eventsPerTurn: 1 };

/** A timer is no finer. */
const SLICE_MILLIS = 4;

/** A timer that is late by so much at most takes no time from the node, which worked on meanwhile. */
const CAUGHT_UP_MILLIS = 20;

type Open = { left: number; readonly taken: () => void };

/** Resolves when the node has taken an append of so many events. */
export function createNodePace(speed: NodeSpeed): (events: number) => Promise<void> {
  const open: Open[] = [];
  let isRunning = false;
  /** When the node is done with what it has taken. */
  let free = 0;

  const takeSlice = (): { readonly millis: number; readonly taken: readonly Open[] } => {
    const taken: Open[] = [];
    let millis = 0;
    while (millis < SLICE_MILLIS) {
      const next = open.shift();
      if (next === undefined) break;
      const events = Math.min(next.left, speed.eventsPerTurn);
      next.left -= events;
      millis += events * speed.millisPerEvent;
      if (next.left > 0) open.push(next);
      else {
        millis += speed.millisPerAppend;
        taken.push(next);
      }
    }
    return { millis, taken };
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    free = Math.max(free, performance.now());
    while (open.length > 0) {
      const { millis, taken } = takeSlice();
      free = Math.max(free, performance.now() - CAUGHT_UP_MILLIS) + millis;
      await delay(Math.max(0, free - performance.now()));
      for (const each of taken) each.taken();
    }
    isRunning = false;
  };

  return (events) => {
    if (speed.millisPerAppend + speed.millisPerEvent === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    open.push({ left: Math.max(1, events), taken: resolve });
    if (!isRunning) void run();
    return promise;
  };
}
