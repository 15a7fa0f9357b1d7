import type { Clock } from "../../ports/clock.ts";

/** The events of one append: a log takes a large one the slower, the more small ones are under way. */
export const BATCH_LIMIT = 100;
/** While other campaigns wait as well, each gets so many at a time. */
const IN_TURN_LIMIT = 25;
/**
 * No more dials are recorded while more than these have not begun; a batch is twice as many. A dial has
 * limits (5 s for its append, dialBy): where the log or this process is slow, the next ones wait for their
 * turn before it is drawn, not after it.
 */
export const FEW_STARTING = BATCH_LIMIT / 2;
/** So few of them at first, and one more for each dial that begins soon. */
const FEW_AT_FIRST = 10;
/** Half of them when a dial waited so long to begin: it has 15 s, and behind it are twice as many. */
const LONG_WAIT_MILLIS = 3_000;
const FEWEST = 5;

/**
 * Dials on their way to the log, of all campaigns of this process
 * (docs/decisions/0164-one-brake-for-all-campaigns.md).
 */
export type StartLimit = {
  /**
   * How many of `wanted` the campaign may add; they count until `leave`. 0: too many are on their way. When
   * its turn has come, places are kept for it, and it is woken to ask again.
   */
  readonly enter: (campaign: Entrant, wanted: number) => number;
  readonly leave: (count: number) => void;
  /**
   * A recorded dial has its turn. It counts until what is returned is called, from which is learned how fast
   * dials begin; a repeat changes nothing.
   */
  readonly began: () => () => void;
  /** What is kept for a campaign that did not ask again is for the next one. */
  readonly passOn: (campaign: Entrant) => void;
  /** It never asks again. */
  readonly withdraw: (campaign: Entrant) => void;
};

type Entrant = { readonly wake: () => void };

export function createStartLimit(clock: Pick<Clock, "monotonicMillis">): StartLimit {
  /** How many each wants that waits, in the order in which they asked first. */
  const line = new Map<Entrant, number>();
  /** Of those whose turn has come. */
  const kept = new Map<Entrant, number>();
  let underWay = 0;
  const learned = createLearnedLimit(clock);
  const batchOf = (wanted: number): number => Math.min(wanted, 2 * learned.few());
  const leave = (count: number): void => {
    underWay -= count;
    for (const [campaign, wanted] of line) {
      if (underWay > learned.few()) return;
      const places = batchOf(line.size > 1 ? Math.min(wanted, IN_TURN_LIMIT) : wanted);
      line.delete(campaign);
      kept.set(campaign, places);
      underWay += places;
      campaign.wake();
    }
  };
  const passOn = (campaign: Entrant): void => {
    const places = kept.get(campaign) ?? 0;
    if (kept.delete(campaign)) leave(places);
  };
  return {
    enter: (campaign, wanted) => {
      const places = kept.get(campaign);
      if (places !== undefined) {
        kept.delete(campaign);
        leave(Math.max(0, places - wanted));
        return Math.min(places, wanted);
      }
      // Whoever asks again keeps the turn of its first asking. Where there is room, nobody is in line.
      if (underWay > learned.few()) {
        line.set(campaign, wanted);
        return 0;
      }
      const count = batchOf(wanted);
      underWay += count;
      return count;
    },
    leave,
    began: () => {
      underWay += 1;
      const since = clock.monotonicMillis();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        learned.begunAfter(since);
        leave(1);
      };
    },
    passOn,
    withdraw: (campaign) => {
      line.delete(campaign);
      passOn(campaign);
    },
  };
}

/** How many dials may be on their way before the next ones wait, by how long the last ones waited. */
function createLearnedLimit(clock: Pick<Clock, "monotonicMillis">) {
  let few = FEW_AT_FIRST;
  let halvedAt = Number.NEGATIVE_INFINITY;
  return {
    few: () => few,
    /** A dial whose turn was at `since` has begun. Halved once for all that were on their way together. */
    begunAfter: (since: number): void => {
      const now = clock.monotonicMillis();
      if (now - since < LONG_WAIT_MILLIS) few = Math.min(few + 1, FEW_STARTING);
      else if (since >= halvedAt) {
        few = Math.max(Math.floor(few / 2), FEWEST);
        halvedAt = now;
      }
    },
  };
}
