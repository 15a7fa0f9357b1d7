import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Admitted } from "../../../domain/admission/grants.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  type AdmissionWorld,
  ask,
  type MakeAdmissionWorld,
  someCall,
  someCalls,
  someCampaign,
  someOwner,
  wakesOf,
} from "./admission-world.ts";

const dialTimes = ({ granted }: Admitted) => granted.map(({ dialAt }) => millisOf(dialAt));
const gaps = (times: readonly number[]) =>
  times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN));

/** When what was granted may dial: the pace of the plan and a campaign's own. */
export function paceContract(makeWorld: MakeAdmissionWorld): void {
  describe("pace", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    it("dials the first at once and each further one its turn later", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 4 });
      const before = millisOf(await world.now());
      const times = dialTimes(await ask(world, owner, someCalls(4)));
      expect(gaps(times)).toEqual([250, 250, 250]);
      expect(times[0]).toBeLessThan(before + 10_000);
    });

    it("goes on where the last request ended", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 0.5 });
      const first = dialTimes(await ask(world, owner, someCalls(2)));
      const second = dialTimes(await ask(world, owner, someCalls(2)));
      expect(gaps([...first, ...second])).toEqual([2_000, 2_000, 2_000]);
    });

    it("saves no turns up while nobody calls", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 1 });
      await ask(world, owner, [someCall()]);
      await world.pass(60_000);
      const now = millisOf(await world.now());
      const times = dialTimes(await ask(world, owner, someCalls(2)));
      expect(times[0]).toBeGreaterThanOrEqual(now);
      expect(gaps(times)).toEqual([1_000]);
    });

    it("never refuses a single call for the pace", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 0.1 });
      expect(gaps(dialTimes(await ask(world, owner, someCalls(3))))).toEqual([10_000, 10_000]);
    });

    it("grants a campaign no turn further ahead than 2 s", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 2 });
      const admitted = await ask(world, owner, someCalls(9), { campaignId: someCampaign() });
      expect(admitted).toMatchObject({ granted: { length: 5 }, refusal: "pace" });
    });

    it("holds a campaign under its own pace", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 100 });
      const campaign = { campaignId: someCampaign(), maxCallsPerSecond: 2 };
      expect(gaps(dialTimes(await ask(world, owner, someCalls(3), campaign)))).toEqual([500, 500]);
    });

    it("lets a slow campaign hold nobody else up", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 100 });
      await ask(world, owner, someCalls(3), { campaignId: someCampaign(), maxCallsPerSecond: 1 });
      const now = millisOf(await world.now());
      const [next] = dialTimes(await ask(world, owner, [someCall()]));
      expect(next).toBeLessThan(now + 500);
    });

    it("keeps the plan's pace also around the turns of a slow campaign", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 100, maxCallsPerSecond: 10 });
      const slow = await ask(world, owner, someCalls(3), {
        campaignId: someCampaign(),
        maxCallsPerSecond: 1.3,
      });
      const rest = await ask(world, owner, someCalls(30));
      const all = [...dialTimes(slow), ...dialTimes(rest)].sort((a, b) => a - b);
      expect(all).toHaveLength(33);
      expect(Math.min(...gaps(all))).toBeGreaterThanOrEqual(99);
    });

    it("wakes a campaign when its turns come near again", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 2 });
      const campaignId = someCampaign();
      const { woken, stop } = wakesOf(world, owner);
      await ask(world, owner, someCalls(9), { campaignId });
      expect(woken).toEqual([]);
      await world.pass(1_600);
      await eventually("the wake", () => woken.includes(campaignId));
      stop();
    });
  });
}
