/** The events of one append: a log takes a large one the slower, the more small ones are under way. */
export const BATCH_LIMIT = 100;
/** While other campaigns wait as well, each gets so many at a time. */
const IN_TURN_LIMIT = 25;
/**
 * No more dials are recorded while more than these have not begun. A dial has limits (5 s for its append,
 * dialBy): where the log or this process is slow, the next ones wait for their turn before it is drawn, not
 * after it.
 */
export const FEW_STARTING = 50;

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
  /** A recorded dial has its turn. It counts until what is returned is called; a repeat changes nothing. */
  readonly began: () => () => void;
  /** What is kept for a campaign that did not ask again is for the next one. */
  readonly passOn: (campaign: Entrant) => void;
  /** It never asks again. */
  readonly withdraw: (campaign: Entrant) => void;
};

type Entrant = { readonly wake: () => void };

export function createStartLimit(): StartLimit {
  /** How many each wants that waits, in the order in which they asked first. */
  const line = new Map<Entrant, number>();
  /** Of those whose turn has come. */
  const kept = new Map<Entrant, number>();
  let underWay = 0;
  const leave = (count: number): void => {
    underWay -= count;
    for (const [campaign, wanted] of line) {
      if (underWay > FEW_STARTING) return;
      const places = Math.min(wanted, line.size > 1 ? IN_TURN_LIMIT : BATCH_LIMIT);
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
      if (underWay > FEW_STARTING) {
        line.set(campaign, wanted);
        return 0;
      }
      const count = Math.min(wanted, BATCH_LIMIT);
      underWay += count;
      return count;
    },
    leave,
    began: () => {
      underWay += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
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
