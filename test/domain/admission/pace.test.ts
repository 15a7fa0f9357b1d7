import fc from "fast-check";
import { expect, it } from "vitest";
import { demandOf, type OwnerBook } from "../../../domain/admission/owner-book.ts";
import { takeTurn } from "../../../domain/admission/pace.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";

const START = 1_000_000;
const bookAt = (maxCallsPerSecond: number): OwnerBook => ({
  owner: "usr_1",
  plan: { maxConcurrentCalls: 1_000, maxCallsPerSecond },
  active: true,
  policy: null,
  lists: NO_LISTS,
  live: 0,
  balance: 0,
  reserved: 0,
  nextTurn: 0,
  pacedTurns: [],
  pacedUntil: 0,
  demands: new Map(),
  shared: { connections: new Map(), capacity: null, waiters: new Map() },
});

const step = fc.record({
  waitMillis: fc.oneof(fc.constant(0), fc.nat({ max: 3_000 })),
  /** null: a single call. */
  campaign: fc.option(fc.nat({ max: 2 })),
  turns: fc.integer({ min: 1, max: 4 }),
});
const paces = fc.tuple(...[1, 2, 3].map(() => fc.option(fc.double({ min: 0.2, max: 30, noNaN: true }))));

/** Rounding of turns that are not whole milliseconds. */
const ROUNDING = 1e-3;

const smallestGap = (times: readonly number[]): number => {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.min(...sorted.slice(1).map((time, index) => time - (sorted[index] ?? Number.NaN)));
};

it("keeps all dials of an owner and those of each campaign apart, and none before its time", () => {
  const plans = fc.double({ min: 0.2, max: 50, noNaN: true });
  fc.assert(
    fc.property(plans, paces, fc.array(step, { maxLength: 25 }), (perSecond, ownPaces, steps) => {
      const book = bookAt(perSecond);
      const all: number[] = [];
      const ofCampaign = new Map<number, number[]>();
      let now = START;
      for (const { waitMillis, campaign, turns } of steps) {
        now += waitMillis;
        const id: CampaignId = `cmp_${campaign}`;
        const demand = campaign === null ? null : demandOf(book, id, now);
        if (demand !== null && campaign !== null) demand.perSecond = ownPaces[campaign] ?? null;
        for (let turn = 0; turn < turns; turn += 1) {
          const { at } = takeTurn(book, demand, now);
          expect(at).toBeGreaterThanOrEqual(now);
          all.push(at);
          if (campaign !== null) ofCampaign.set(campaign, [...(ofCampaign.get(campaign) ?? []), at]);
        }
      }
      expect(smallestGap(all)).toBeGreaterThan(1_000 / perSecond - ROUNDING);
      for (const [campaign, times] of ofCampaign) {
        const own = ownPaces[campaign] ?? null;
        if (own !== null) expect(smallestGap(times)).toBeGreaterThan(1_000 / own - ROUNDING);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("dials at once when nobody dialled lately", () => {
  const book = bookAt(10);
  expect([takeTurn(book, null, START).at, takeTurn(book, null, START + 5_000).at]).toEqual([
    START,
    START + 5_000,
  ]);
});
