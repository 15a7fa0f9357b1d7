import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  type AdmissionWorld,
  ask,
  grantedCalls,
  hangUp,
  type MakeAdmissionWorld,
  PRICE,
  someCall,
  someCalls,
  someCampaign,
  someOwner,
  wakesOf,
} from "./admission-world.ts";

/** Campaigns of one owner share the plan; freeing a slot wakes the one that it goes to. */
export function fairShareContract(makeWorld: MakeAdmissionWorld): void {
  describe("fair share", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    const wants = (owner: OwnerId, campaignId: CampaignId, count: number) =>
      ask(world, owner, someCalls(count), { campaignId });
    /** Two campaigns that want more than there is: the first holds the whole plan. */
    const fullPlan = async (slots = 4) => {
      const owner = await someOwner(world, { maxConcurrentCalls: slots });
      const [first, second] = [someCampaign(), someCampaign()];
      const calls = grantedCalls(await wants(owner, first, slots + 10));
      await wants(owner, second, 10);
      return { owner, first, second, calls };
    };

    it("gives a freed slot to the campaign with the fewest live calls, though another asks first", async () => {
      const { owner, first, second, calls } = await fullPlan();
      await hangUp(world, calls.slice(0, 1));
      expect(await wants(owner, first, 5)).toEqual({ granted: [], refusal: "share" });
      expect(await wants(owner, second, 5)).toMatchObject({ granted: { length: 1 }, refusal: "concurrency" });
    });

    it("divides freed slots so that live calls become equal", async () => {
      const { owner, first, second, calls } = await fullPlan(6);
      await hangUp(world, calls.slice(0, 4));
      expect(await wants(owner, first, 10)).toMatchObject({ granted: { length: 1 }, refusal: "share" });
      expect(await wants(owner, second, 10)).toMatchObject({ granted: { length: 3 } });
    });

    it("leaves more to one when the other wants less", async () => {
      const { owner, first, second, calls } = await fullPlan(6);
      await wants(owner, second, 1);
      await hangUp(world, calls.slice(0, 4));
      expect(await wants(owner, first, 10)).toMatchObject({ granted: { length: 3 }, refusal: "share" });
    });

    it("wakes only the campaign that the slot goes to", async () => {
      const { owner, second, calls } = await fullPlan();
      const { woken, stop } = wakesOf(world, owner);
      await hangUp(world, calls.slice(0, 1));
      await eventually("the wake", () => woken.length > 0);
      expect(woken).toEqual([second]);
      stop();
    });

    it("prefers the one that waited longest among equals", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 1 });
      const [patient, late] = [someCampaign(), someCampaign()];
      const [call] = grantedCalls(await ask(world, owner, [someCall()]));
      await wants(owner, patient, 1);
      await world.pass(50);
      await wants(owner, late, 1);
      await hangUp(world, call === undefined ? [] : [call]);
      expect(await wants(owner, late, 1)).toEqual({ granted: [], refusal: "share" });
      expect(await wants(owner, patient, 1)).toMatchObject({ granted: { length: 1 } });
    });

    it("forgets a demand after 10 s", async () => {
      const { owner, first, calls } = await fullPlan();
      await hangUp(world, calls.slice(0, 2));
      await world.pass(10_001);
      expect(await wants(owner, first, 1)).toMatchObject({ granted: { length: 1 }, refusal: null });
    });

    it("still wakes a campaign whose demand has lapsed when nobody else wants the slot", async () => {
      const { owner, first, second, calls } = await fullPlan();
      await world.pass(10_001);
      const { woken, stop } = wakesOf(world, owner);
      await hangUp(world, calls.slice(0, 1));
      await eventually("the wakes", () => woken.length === 2);
      expect(new Set(woken)).toEqual(new Set([first, second]));
      stop();
    });

    it("counts a withdrawn demand no more, and wakes who may go on instead", async () => {
      const { owner, first, second, calls } = await fullPlan();
      const { woken, stop } = wakesOf(world, owner);
      await hangUp(world, calls.slice(0, 1));
      await world.admission.withdrawDemand(second);
      await eventually("the wake", () => woken.includes(first));
      expect(await wants(owner, first, 1)).toMatchObject({ granted: { length: 1 } });
      stop();
    });

    it("does not let a campaign at its own cap hold a slot back from others", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 4 });
      await ask(world, owner, someCalls(5), { campaignId: someCampaign(), maxConcurrentCalls: 1 });
      expect(await wants(owner, someCampaign(), 3)).toMatchObject({ granted: { length: 3 }, refusal: null });
    });

    it("gives a single call a free slot, whoever waits", async () => {
      const { owner, calls } = await fullPlan();
      await hangUp(world, calls.slice(0, 1));
      expect(await ask(world, owner, [someCall()])).toMatchObject({ granted: { length: 1 } });
    });

    it("lets a campaign that was refused for credits hold no slot back, and wakes it when they come", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 2 }, PRICE - 1);
      const poor = someCampaign();
      const { woken, stop } = wakesOf(world, owner);
      expect(await wants(owner, poor, 2)).toEqual({ granted: [], refusal: "credits" });
      await world.admission.withdrawDemand(poor);
      expect(woken).toEqual([]);
      await world.admission.topUp(owner, PRICE, "more");
      await eventually("the wake", () => woken.includes(poor));
      stop();
    });

    it("does not wake for credits that are there a campaign that withdraws", async () => {
      const owner = await someOwner(world, {}, PRICE - 1);
      const poor = someCampaign();
      await wants(owner, poor, 1);
      await world.admission.topUp(owner, PRICE, "more");
      const { woken, stop } = wakesOf(world, owner);
      await world.admission.withdrawDemand(poor);
      await world.admission.withdrawDemand(poor);
      expect(woken).toEqual([]);
      stop();
    });

    it("wakes a campaign that waits for credits also when a call gives some back", async () => {
      const owner = await someOwner(world, {}, PRICE);
      const [call, poor] = [someCall(), someCampaign()];
      await ask(world, owner, [call]);
      await wants(owner, poor, 1);
      const { woken, stop } = wakesOf(world, owner);
      await hangUp(world, [call]);
      await eventually("the wake", () => woken.includes(poor));
      stop();
    });

    it("wakes one that waits for credits and has withdrawn when a call gives them back", async () => {
      const owner = await someOwner(world, {}, PRICE);
      const [call, poor] = [someCall(), someCampaign()];
      await ask(world, owner, [call]);
      expect(await wants(owner, poor, 1)).toEqual({ granted: [], refusal: "credits" });
      await world.admission.withdrawDemand(poor);
      const { woken, stop } = wakesOf(world, owner);
      await hangUp(world, [call]);
      await eventually("the wake", () => woken.includes(poor));
      stop();
    });

    it("tells a listener nothing after it was taken away", async () => {
      const { owner, calls } = await fullPlan();
      const gone = wakesOf(world, owner);
      const { woken, stop } = wakesOf(world, owner);
      gone.stop();
      await hangUp(world, calls);
      await eventually("the wake", () => woken.length > 0);
      expect(gone.woken).toEqual([]);
      stop();
    });
  });
}
