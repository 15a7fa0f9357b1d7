import fc from "fast-check";
import { expect, it } from "vitest";
import { shareOf, wakeRound } from "../../../domain/admission/fair-share.ts";
import type { OwnerBook } from "../../../domain/admission/owner-book.ts";
import type { Demand } from "../../../domain/admission/slots.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";

const NOW = 1_000_000;
const UNASKED = { creditsWanted: null, connection: null, waitsFor: null };

const demandShape = fc.record({
  live: fc.nat({ max: 6 }),
  wanted: fc.nat({ max: 8 }),
  cap: fc.option(fc.nat({ max: 8 })),
  lastGrant: fc.integer({ min: NOW - 5, max: NOW }),
  lapsed: fc.boolean(),
});

const bookShape = fc
  .record({ demands: fc.array(demandShape, { minLength: 1, maxLength: 6 }), free: fc.nat({ max: 12 }) })
  .map(({ demands, free }): OwnerBook => {
    const live = demands.reduce((sum, demand) => sum + demand.live, 0);
    return {
      owner: "usr_1",
      plan: { maxConcurrentCalls: live + free, maxCallsPerSecond: 1_000_000 },
      active: true,
      policy: null,
      lists: NO_LISTS,
      live,
      balance: 0,
      reserved: 0,
      nextTurn: 0,
      pacedTurns: [],
      pacedUntil: 0,
      demands: new Map(
        demands.map(({ lapsed, ...demand }, index) => {
          const campaignId: CampaignId = `cmp_${index}`;
          const until = lapsed ? NOW : NOW + 10_000;
          return [campaignId, { ...demand, ...UNASKED, campaignId, until, perSecond: null, nextTurn: 0 }];
        }),
      ),
      shared: { connections: new Map(), capacity: null, waiters: new Map() },
    };
  });

type Standing = { readonly demand: Demand; live: number; wanted: number };

/**
 * The rule told slowly: one free slot after another, each to the one with the fewest live calls, then to
 * the longest waiting.
 */
function dealOut(book: OwnerBook, counted: (demand: Demand) => boolean): Map<CampaignId, number> {
  const got = new Map<CampaignId, number>();
  const plan = book.plan?.maxConcurrentCalls ?? 0;
  const standing: Standing[] = [...book.demands.values()]
    .filter(counted)
    .map((demand) => ({ demand, live: demand.live, wanted: demand.wanted }));
  for (let free = plan - book.live; free > 0; free -= 1) {
    const takers = standing
      .filter(({ demand, live, wanted }) => wanted > 0 && live < Math.min(demand.cap ?? plan, plan))
      .sort(
        (a, b) =>
          a.live - b.live ||
          a.demand.lastGrant - b.demand.lastGrant ||
          (a.demand.campaignId < b.demand.campaignId ? -1 : 1),
      );
    const [next] = takers;
    if (next === undefined) break;
    next.live += 1;
    next.wanted -= 1;
    got.set(next.demand.campaignId, (got.get(next.demand.campaignId) ?? 0) + 1);
  }
  return got;
}

it("gives each campaign what it would get if slots were dealt out one by one", () => {
  fc.assert(
    fc.property(bookShape, (book) => {
      for (const demand of book.demands.values()) {
        const dealt = dealOut(book, (other) => other === demand || other.until > NOW);
        expect(shareOf(book, demand, demand.wanted, NOW)).toBe(dealt.get(demand.campaignId) ?? 0);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("wakes exactly those among the fresh demands to whom a free slot goes", () => {
  fc.assert(
    fc.property(bookShape, (book) => {
      const fresh = (demand: Demand) => demand.until > NOW;
      const dealt = dealOut(book, fresh);
      const woken = wakeRound(book, NOW).wakes.filter((id) => (book.demands.get(id)?.until ?? 0) > NOW);
      expect(new Set(woken)).toEqual(new Set(dealt.keys()));
    }),
    { numRuns: 1_000 },
  );
});

it("leaves no slot free while somebody wants it: all shares together are as many as there is room for", () => {
  fc.assert(
    fc.property(bookShape, (book) => {
      for (const demand of book.demands.values()) demand.until = NOW + 10_000;
      let taken = 0;
      for (const demand of book.demands.values()) taken += shareOf(book, demand, demand.wanted, NOW);
      const dealt = [...dealOut(book, () => true).values()].reduce((sum, count) => sum + count, 0);
      expect(taken).toBe(dealt);
    }),
    { numRuns: 500 },
  );
});

it("passes the share of a demand that lapses on, and says when that is", () => {
  const demand = (campaignId: CampaignId, changes: Partial<Demand>): [CampaignId, Demand] => {
    const base = { live: 0, wanted: 1, cap: null, lastGrant: NOW, until: NOW + 10_000, perSecond: null };
    return [campaignId, { ...base, ...UNASKED, campaignId, nextTurn: 0, ...changes }];
  };
  const book: OwnerBook = {
    ...{ owner: "usr_1", active: true, balance: 0, reserved: 0, nextTurn: 0, pacedTurns: [], pacedUntil: 0 },
    policy: null,
    lists: NO_LISTS,
    plan: { maxConcurrentCalls: 3, maxCallsPerSecond: 1_000_000 },
    live: 2,
    demands: new Map([
      demand("cmp_gone", { lastGrant: NOW - 9, until: NOW + 4_000 }),
      demand("cmp_waits", { live: 2, lastGrant: NOW - 5 }),
    ]),
    shared: { connections: new Map(), capacity: null, waiters: new Map() },
  };
  const waits = book.demands.get("cmp_waits");
  if (waits === undefined) throw new Error("There is no demand");
  expect([shareOf(book, waits, 1, NOW), wakeRound(book, NOW)]).toEqual([
    0,
    { wakes: ["cmp_gone"], again: NOW + 4_000 },
  ]);
  expect(shareOf(book, waits, 1, NOW + 4_000)).toBe(1);
  expect(wakeRound(book, NOW + 4_000).wakes).toContain("cmp_waits");
});
