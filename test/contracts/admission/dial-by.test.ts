import fc from "fast-check";
import { expect, it } from "vitest";
import type { Policy } from "../../../domain/policy/policy.ts";
import { millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../../domain/property-runs.ts";
import { ask, someCalls, someCampaign, someOwner } from "./admission-world.ts";
import { memoryAdmissionWorld } from "./memory-admission-world.ts";

const DAY = 86_400_000;
/** Around the 15 s that a dial may take, and the turns before them. */
const soon = fc.integer({ min: -2_000, max: 40_000 });
const cases = fc.record({
  expires: fc.option(soon),
  listsLeft: fc.array(soon, { minLength: 1, maxLength: 3 }),
  windowLeft: fc.option(soon),
  days: fc.integer({ min: 1, max: 365 }),
  asksConsent: fc.boolean(),
  asksAge: fc.boolean(),
  calls: fc.integer({ min: 1, max: 4 }),
});

it(
  "a dial never begins after the consent, the oldest list or the window has ended, whatever its turn",
  PROPERTY_TIMEOUT,
  async () => {
    const world = await memoryAdmissionWorld();
    let [granted, bounded] = [0, 0];
    const property = fc.asyncProperty(cases, async (given) => {
      const { expires, listsLeft, windowLeft, days, asksConsent, asksAge, calls } = given;
      const owner = await someOwner(world, { maxCallsPerSecond: 1 });
      const now = await world.now();
      const after = (millis: number) => plusMillis(now, millis);
      const policy: Policy = {
        ...{ callableHours: null, attemptsPerNumber: null, oneCallAtATime: false, exceptSingleCalls: false },
        ...(asksConsent ? { requireConsent: true } : {}),
        ...(asksAge ? { listMaxAgeDays: days } : {}),
      };
      await world.setPolicy(owner, 1, policy);
      await world.setLists(
        owner,
        listsLeft.map((left) => after(left - days * DAY)),
      );
      const admitted = await ask(world, owner, someCalls(calls), {
        campaignId: someCampaign(),
        consent: { at: after(-DAY), ...(expires === null ? {} : { expiresAt: after(expires) }) },
        windowClosesAt: windowLeft === null ? null : after(windowLeft),
      });
      const ends = [...(asksConsent && expires !== null ? [expires] : []), ...(asksAge ? listsLeft : [])];
      const isRefused = ends.some((left) => left <= 0);
      expect(admitted.byPolicy?.length ?? 0).toBe(isRefused ? calls : 0);
      if (isRefused) expect(admitted.granted).toEqual([]);
      for (const { dialAt, dialBy } of admitted.granted) {
        const latest = Math.min(...ends, windowLeft ?? Number.POSITIVE_INFINITY);
        const left = millisOf(dialBy) - millisOf(now);
        expect(left).toBe(Math.min(latest, millisOf(dialAt) - millisOf(now) + 15_000));
        granted += 1;
        if (ends.includes(left)) bounded += 1;
      }
    });
    await fc.assert(property, { numRuns: PROPERTY_RUNS });
    expect(granted).toBeGreaterThan(PROPERTY_RUNS / 5);
    expect(bounded).toBeGreaterThan(PROPERTY_RUNS / 20);
  },
);
