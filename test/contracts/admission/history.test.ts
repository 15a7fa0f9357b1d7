import fc from "fast-check";
import { expect, it } from "vitest";
import type { CallId, CampaignId } from "../../../domain/shared/ids.ts";
import { runHistory, step } from "./admission-history.ts";
import {
  type AdmissionWorld,
  ask,
  grantedCalls,
  hangUp,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";
import { memoryAdmissionWorld } from "./memory-admission-world.ts";
import { postgresAdmissionWorld } from "./postgres-admission-world.ts";

/** More with RUNS=10000 in the environment of this file. */
const RUNS = Number(process.env["RUNS"] ?? 300);

it("keeps sums, limits and pace in memory, whatever happens in whatever order", async () => {
  const history = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
    await runHistory(await memoryAdmissionWorld(), steps);
  });
  await fc.assert(history, { numRuns: RUNS });
});

it("keeps sums, limits and pace in PostgreSQL, whatever happens in whatever order", async () => {
  const world = await postgresAdmissionWorld();
  const history = fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => runHistory(world, steps));
  try {
    await fc.assert(history, { numRuns: Math.ceil(RUNS / 5) });
  } finally {
    await world.end();
  }
}, 120_000);

/**
 * Campaigns that always want more than there is, and ask only when they are woken; one of the three oldest
 * calls after another ends, as `ends` says (every call ends some time; one that never did would keep its
 * campaign's share for ever). Answers their live calls.
 */
async function shareOut(world: AdmissionWorld, campaigns: number, slots: number, ends: readonly number[]) {
  const owner = await someOwner(world, { maxConcurrentCalls: slots, maxCallsPerSecond: 1_000_000 });
  const all = Array.from({ length: campaigns }, () => someCampaign());
  /** The oldest first. */
  const live: { readonly campaignId: CampaignId; readonly callId: CallId }[] = [];
  const asking = new Set(all);
  const stop = world.admission.onWake(({ campaignId }) => asking.add(campaignId));
  const askAll = async () => {
    for (const campaignId of [...asking]) {
      asking.delete(campaignId);
      const granted = grantedCalls(await ask(world, owner, someCalls(slots + 1), { campaignId }));
      live.push(...granted.map((callId) => ({ campaignId, callId })));
    }
  };
  for (const end of ends) {
    await askAll();
    const ended = live.splice(end % Math.min(3, live.length), 1);
    await hangUp(
      world,
      ended.map(({ callId }) => callId),
    );
  }
  await askAll();
  stop();
  return all.map((each) => live.filter(({ campaignId }) => campaignId === each).length);
}

it("lets no campaign starve: whoever took everything first, live calls become equal, and no slot stays free", async () => {
  const ends = fc.array(fc.nat({ max: 1_000 }), { minLength: 60, maxLength: 60 });
  const sizes = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 5, max: 12 }));
  const fair = fc.asyncProperty(sizes, ends, async ([campaigns, slots], chosen) => {
    const live = await shareOut(await memoryAdmissionWorld(), campaigns, slots, chosen);
    expect(Math.max(...live) - Math.min(...live)).toBeLessThanOrEqual(1);
    expect(live.reduce((sum, count) => sum + count, 0)).toBe(slots);
  });
  await fc.assert(fair, { numRuns: RUNS });
});
