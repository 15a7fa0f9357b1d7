import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plusMillis } from "../../../domain/shared/instant.ts";
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
} from "./admission-world.ts";

/** What one admission may grant, and that a repeated one grants the same. */
export function limitsContract(makeWorld: MakeAdmissionWorld): void {
  describe("limits", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    it("grants in the order of the candidates, up to the plan's concurrency", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 3 });
      const calls = someCalls(5);
      const admitted = await ask(world, owner, calls);
      expect(grantedCalls(admitted)).toEqual(calls.slice(0, 3));
      expect(admitted.refusal).toBe("concurrency");
    });

    it("refuses nothing when everything wanted was granted", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 3 });
      expect(await ask(world, owner, someCalls(3))).toMatchObject({ refusal: null });
    });

    it("holds a campaign under its own cap, and tells the smaller of cap and plan", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 3 });
      const small = await ask(world, owner, someCalls(3), {
        campaignId: someCampaign(),
        maxConcurrentCalls: 2,
      });
      expect(small.granted.map(({ effectiveMaxConcurrentCalls: cap }) => cap)).toEqual([2, 2]);
      expect(small.refusal).toBe("concurrency");
      const large = await ask(world, owner, [someCall()], {
        campaignId: someCampaign(),
        maxConcurrentCalls: 50,
      });
      expect(large.granted[0]).toMatchObject({ effectiveMaxConcurrentCalls: 3 });
    });

    it("counts the live calls of a campaign from one request to the next", async () => {
      const owner = await someOwner(world);
      const limits = { campaignId: someCampaign(), maxConcurrentCalls: 3 };
      const [first = "call_"] = grantedCalls(await ask(world, owner, someCalls(3), limits));
      await hangUp(world, [first]);
      const next = await ask(world, owner, someCalls(3), limits);
      expect(next).toMatchObject({ granted: [{ activeCalls: 3 }], refusal: "concurrency" });
    });

    it("lets single calls and campaigns of one owner share the plan", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 2 });
      await ask(world, owner, [someCall()]);
      const campaign = await ask(world, owner, someCalls(2), { campaignId: someCampaign() });
      expect(campaign).toMatchObject({ granted: [{ activeCalls: 1 }], refusal: "concurrency" });
      expect(await ask(world, owner, [someCall()])).toEqual({ granted: [], refusal: "concurrency" });
    });

    it("counts the live calls that are told with a grant from 1", async () => {
      const owner = await someOwner(world);
      const single = await ask(world, owner, [someCall()]);
      const campaign = await ask(world, owner, someCalls(2), { campaignId: someCampaign() });
      expect(single.granted[0]).toMatchObject({ activeCalls: 1 });
      expect(campaign.granted.map(({ activeCalls }) => activeCalls)).toEqual([1, 2]);
    });

    it("keeps owners apart", async () => {
      const [one, other] = [await someOwner(world, { maxConcurrentCalls: 1 }), await someOwner(world)];
      await ask(world, one, [someCall()]);
      expect(await ask(world, other, [someCall()])).toMatchObject({ refusal: null });
      expect(await world.admission.account(one)).toMatchObject({ liveCalls: 1, reserved: PRICE });
    });

    it("grants as many as the available credits pay a minute of, and says what was available", async () => {
      const owner = await someOwner(world, {}, 2 * PRICE + 1);
      const admitted = await ask(world, owner, someCalls(3));
      expect(admitted.granted.map(({ availableCredits }) => availableCredits)).toEqual([
        2 * PRICE + 1,
        PRICE + 1,
      ]);
      expect(admitted.refusal).toBe("credits");
    });

    it("names credits before concurrency when both are at their end", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 1 }, PRICE);
      expect(await ask(world, owner, someCalls(2))).toMatchObject({ refusal: "credits" });
    });

    it("needs no credits for a price of 0", async () => {
      const owner = await someOwner(world, {}, 0);
      const admitted = await ask(world, owner, someCalls(2), { pricePerMinute: 0 });
      expect(admitted).toMatchObject({ granted: [{}, {}], refusal: null });
    });

    it("grants nothing to an inactive or unknown owner", async () => {
      const owner = await someOwner(world);
      await world.setOwner(owner, { active: false, plan: { maxConcurrentCalls: 9, maxCallsPerSecond: 9 } });
      const refused = { granted: [], refusal: "owner_inactive" };
      expect(await ask(world, owner, [someCall()])).toEqual(refused);
      expect(await ask(world, "usr_nobody", [someCall()])).toEqual(refused);
    });

    it("follows a plan that was changed, and takes nothing back", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 3 });
      await ask(world, owner, someCalls(3));
      await world.setOwner(owner, { active: true, plan: { maxConcurrentCalls: 1, maxCallsPerSecond: 9 } });
      expect(await ask(world, owner, [someCall()])).toEqual({ granted: [], refusal: "concurrency" });
      expect(await world.admission.account(owner)).toMatchObject({ liveCalls: 3 });
    });

    it("grants an open slot again as it was", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 1, maxCallsPerSecond: 1 });
      const call = someCall();
      const first = await ask(world, owner, [call]);
      await world.pass(0);
      expect(await ask(world, owner, [call])).toEqual(first);
      expect(await world.admission.account(owner)).toMatchObject({ liveCalls: 1, reserved: PRICE });
    });

    it("answers closed for a call whose slot was freed", async () => {
      const owner = await someOwner(world);
      const [ended, fresh] = [someCall(), someCall()];
      await ask(world, owner, [ended]);
      await hangUp(world, [ended]);
      const admitted = await ask(world, owner, [ended, fresh]);
      expect([grantedCalls(admitted), admitted.refusal]).toEqual([[fresh], "closed"]);
    });

    it("still answers closed almost a day later", async () => {
      const owner = await someOwner(world);
      const ended = someCall();
      await ask(world, owner, [ended]);
      await hangUp(world, [ended]);
      await world.pass(24 * 3_600_000 - 60_000);
      expect(await ask(world, owner, [ended])).toEqual({ granted: [], refusal: "closed" });
    });

    it("lets a dial happen within 15 s, or until the window closes", async () => {
      const owner = await someOwner(world);
      const soon = plusMillis(await world.now(), 7_000);
      const [open] = (await ask(world, owner, [someCall()])).granted;
      const [closing] = (await ask(world, owner, [someCall()], { windowClosesAt: soon })).granted;
      expect(open?.dialBy).toBe(open === undefined ? null : plusMillis(open.dialAt, 15_000));
      expect(closing?.dialBy).toBe(soon);
    });

    it("takes no slot twice when many ask at the same moment", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 7 });
      const asked = await Promise.all(someCalls(40).map((call) => ask(world, owner, [call])));
      expect(asked.flatMap(grantedCalls)).toHaveLength(7);
      expect(await world.admission.account(owner)).toMatchObject({ liveCalls: 7, reserved: 7 * PRICE });
    });
  });
}
