/**
 * `campaign`: every call of a campaign waits for the appends of its stream. `dial`: sent within 5 s or not at
 * all (docs/architecture.md §3). `other`: what has happened, which loses nothing by waiting.
 */
export type Urgency = "campaign" | "dial" | "other";

/** Which appends are sent to the node, and when. */
export type AppendLanes = {
  /** Runs the work when it has its place: the more urgent before the others, equals in the order of calls. */
  run<T>(urgency: Urgency, work: () => Promise<T>): Promise<T>;
};

/** So many small appends keep the node's one writer busy, and a large one beside them is soon through. */
const BESIDE_CAMPAIGN = 16;

type Lane = { readonly waiting: (() => void)[]; running: number };

/**
 * At most `limit` appends are in flight. While one of a campaign is in flight or waits, the others have only
 * 16 places: the node takes the events of an append in turn with those of all others in flight, so a large
 * one would wait for hundreds of small ones.
 */
export function createAppendLanes(limit: number): AppendLanes {
  const lanes: Readonly<Record<Urgency, Lane>> = {
    campaign: { waiting: [], running: 0 },
    dial: { waiting: [], running: 0 },
    other: { waiting: [], running: 0 },
  };
  const { campaign, dial, other } = lanes;

  const hasPlace = (lane: Lane): boolean => {
    const beside = dial.running + other.running;
    if (campaign.running + beside >= limit) return false;
    const isCampaignUnderWay = campaign.running + campaign.waiting.length > 0;
    return lane === campaign || !isCampaignUnderWay || beside < Math.min(BESIDE_CAMPAIGN, limit);
  };
  const fill = (): void => {
    for (const lane of [campaign, dial, other])
      while (lane.waiting.length > 0 && hasPlace(lane)) {
        lane.running += 1;
        lane.waiting.shift()?.();
      }
  };

  return {
    async run(urgency, work) {
      const lane = lanes[urgency];
      const { promise, resolve } = Promise.withResolvers<void>();
      lane.waiting.push(resolve);
      fill();
      await promise;
      try {
        return await work();
      } finally {
        lane.running -= 1;
        fill();
      }
    },
  };
}
