import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Admitted } from "../../../domain/admission/grants.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import {
  type AdmissionWorld,
  ask,
  giveBack,
  grantedCalls,
  hangUp,
  type MakeAdmissionWorld,
  PRICE,
  someCall,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";

/** Two people of one country with one zone. */
const ONE: PhoneNumber = "+905321234567";
const OTHER: PhoneNumber = "+905321234568";
const FREE: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};
const twiceAMonth: Policy = { ...FREE, attemptsPerNumber: { month: 2 } };
const oneAtATime: Policy = { ...FREE, oneCallAtATime: true };

/** The owner's policy, judged where slots are taken. */
export function policyContract(makeWorld: MakeAdmissionWorld): void {
  describe("the owner's policy", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    const ownerWith = async (policy: Policy): Promise<OwnerId> => {
      const owner = await someOwner(world);
      await world.setPolicy(owner, 1, policy);
      return owner;
    };
    const one = (owner: OwnerId, phoneNumber = ONE, campaignId = someCampaign()) =>
      ask(world, owner, someCalls(1), { phoneNumber, campaignId });
    const rules = ({ byPolicy = [] }: Admitted) =>
      byPolicy.flatMap(({ refusals }) => refusals.map(({ rule }) => rule));
    const judged = (owner: OwnerId, callId: CallId, phoneNumber = ONE) =>
      world.admission.judge({ owner, callId, phoneNumber, isSingle: true, timezone: null });
    const requested = async (owner: OwnerId, callId: CallId) => {
      const now = await world.now();
      const slot = { callId, owner, campaignId: null, phoneNumber: ONE, dialAt: now, dialBy: now };
      await world.admission.ensure({ ...slot, nextLookAt: now }, PRICE);
    };

    it("leaves grants without evidence where there is none", async () => {
      const { granted, byPolicy } = await one(await someOwner(world));
      expect(granted).toHaveLength(1);
      expect(granted[0]).not.toHaveProperty("policy");
      expect(byPolicy).toBeUndefined();
    });

    it("counts dials of all campaigns and of single calls, also of ended ones, number by number and owner by owner", async () => {
      const owner = await ownerWith(twiceAMonth);
      const first = grantedCalls(await one(owner));
      await hangUp(world, first);
      await ask(world, owner, someCalls(1), { phoneNumber: ONE });
      const third = await one(owner);
      expect([third.granted, third.refusal, rules(third)]).toEqual([[], null, ["attemptsPerNumber"]]);
      expect(third.byPolicy).toMatchObject([{ policyVersion: 1, refusals: [{ value: 2, heldBy: null }] }]);
      expect(grantedCalls(await one(owner, OTHER))).toHaveLength(1);
      expect(grantedCalls(await one(await ownerWith(twiceAMonth)))).toHaveLength(1);
    });

    it("counts dials of before the first policy", async () => {
      const owner = await someOwner(world);
      await one(owner);
      await one(owner);
      await world.setPolicy(owner, 1, twiceAMonth);
      expect(rules(await one(owner))).toEqual(["attemptsPerNumber"]);
    });

    it("counts a number twice in one request, whose place goes to those behind it", async () => {
      const owner = await ownerWith({ ...twiceAMonth, oneCallAtATime: false });
      const [a, b, c, d] = [someCall(), someCall(), someCall(), someCall()];
      const numbers = [ONE, ONE, ONE, OTHER];
      const { granted, byPolicy, refusal } = await world.admission.admit({
        owner,
        campaignId: someCampaign(),
        candidates: [a, b, c, d].map((callId, index) => ({
          callId,
          phoneNumber: numbers[index] ?? ONE,
          windowClosesAt: null,
        })),
        pricePerMinute: PRICE,
        maxConcurrentCalls: 3,
        maxCallsPerSecond: null,
        connection: null,
      });
      expect(granted.map(({ callId }) => callId)).toEqual([a, b, d]);
      expect(byPolicy?.map(({ callId }) => callId)).toEqual([c]);
      expect(refusal).toBeNull();
      expect(await world.admission.account(owner)).toMatchObject({ liveCalls: 3, reserved: 3 * PRICE });
    });

    it("judges nobody behind those who take all room, but a single call also without room", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 1 });
      await world.setPolicy(owner, 1, oneAtATime);
      const campaignId = someCampaign();
      const two = await ask(world, owner, someCalls(2), { phoneNumber: ONE, campaignId });
      expect([two.granted.length, two.byPolicy, two.refusal]).toEqual([1, undefined, "concurrency"]);
      const single = await ask(world, owner, someCalls(1), { phoneNumber: ONE });
      expect([single.refusal, rules(single)]).toEqual([null, ["oneCallAtATime"]]);
      expect((await ask(world, owner, someCalls(1), { phoneNumber: OTHER })).refusal).toBe("concurrency");
    });

    it("does not count a grant that became no dial", async () => {
      const owner = await ownerWith({ ...FREE, attemptsPerNumber: { month: 1 } });
      const [unused = "call_"] = grantedCalls(await one(owner));
      expect(rules(await one(owner))).toEqual(["attemptsPerNumber"]);
      await giveBack(world, [unused]);
      const [used = "call_"] = grantedCalls(await one(owner));
      await hangUp(world, [used]);
      await giveBack(world, [used]);
      expect(rules(await one(owner))).toEqual(["attemptsPerNumber"]);
    });

    it("says until when a cap holds only once the log has the call that fills it: another grant may be given back", async () => {
      const owner = await ownerWith({ ...FREE, attemptsPerNumber: { month: 1 } });
      const [callId = "call_"] = grantedCalls(await one(owner));
      const cap = { rule: "attemptsPerNumber", value: 1, limit: "1/month", heldBy: null };
      expect((await one(owner)).byPolicy?.[0]?.refusals).toEqual([{ ...cap, until: null }]);
      await requested(owner, callId);
      const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
      expect((await one(owner)).byPolicy?.[0]?.refusals).toEqual([{ ...cap, until }]);
    });

    it("forgets nothing for 31 days", async () => {
      const owner = await ownerWith(twiceAMonth);
      await one(owner);
      await world.pass(31 * 86_400_000);
      const [callId = "call_"] = grantedCalls(await one(owner));
      await world.setPolicy(owner, 2, { ...FREE, attemptsPerNumber: { month: 1 } });
      expect(await judged(owner, callId)).toBeNull();
    });

    it("does not call a number that is in a call, and names that call once the log has it", async () => {
      const owner = await ownerWith(oneAtATime);
      const [live = "call_"] = grantedCalls(await one(owner));
      const unnamed = await one(owner);
      expect(unnamed.byPolicy?.[0]?.refusals).toMatchObject([{ until: null, heldBy: null }]);
      await requested(owner, live);
      const named = await one(owner);
      expect(named.byPolicy?.[0]?.refusals).toMatchObject([{ rule: "oneCallAtATime", heldBy: live }]);
      await hangUp(world, [live]);
      expect(grantedCalls(await one(owner))).toHaveLength(1);
    });

    it("never names a call that was granted without a policy", async () => {
      const owner = await someOwner(world);
      const [live = "call_"] = grantedCalls(await one(owner));
      await requested(owner, live);
      await world.setPolicy(owner, 1, oneAtATime);
      expect((await one(owner)).byPolicy?.[0]?.refusals).toMatchObject([{ until: null, heldBy: null }]);
    });

    it("answers the same evidence when a call is granted again, also under another version", async () => {
      const owner = await ownerWith(twiceAMonth);
      const callId = someCall();
      const before = await world.now();
      const { granted } = await ask(world, owner, [callId], { phoneNumber: ONE });
      const evidence = granted[0]?.policy;
      expect(evidence).toMatchObject({
        policyVersion: 1,
        checks: [{ rule: "attemptsPerNumber", value: 0, limit: "2/month" }],
        zones: { country: "TR", count: 1 },
      });
      expect(millisOf(evidence?.judgedAt ?? before)).toBeGreaterThanOrEqual(millisOf(before));
      await world.setPolicy(owner, 2, FREE);
      expect((await ask(world, owner, [callId], { phoneNumber: ONE })).granted).toEqual(granted);
    });

    it("bounds the dial by the closing of the callable hours", async () => {
      const now = await world.now();
      const [hour, minute] = [Number(now.slice(11, 13)), Number(now.slice(14, 16))];
      const until = (hour * 60 + minute + 2) % 1_440;
      const window = { start: hour, startMinute: 0, end: Math.floor(until / 60), endMinute: until % 60 };
      const owner = await ownerWith({ ...FREE, callableHours: window });
      const inUtc = (zone: string) => ({
        ...{ owner, campaignId: null, pricePerMinute: PRICE, connection: null },
        ...{ maxConcurrentCalls: null, maxCallsPerSecond: null },
        candidates: [{ callId: someCall(), phoneNumber: ONE, windowClosesAt: null, timezone: zone }],
      });
      const { granted } = await world.admission.admit(inUtc("UTC"));
      expect(granted[0]?.policy?.zones).toMatchObject({ country: null, count: 1 });
      const away = await world.admission.admit(inUtc("Asia/Tokyo"));
      expect(rules(away)).toEqual(["callableHours"]);
      const dialBy = millisOf(granted[0]?.dialBy ?? now);
      expect(dialBy).toBeLessThanOrEqual(millisOf(plusMillis(now, 120_000)));
    });

    describe("at the dial", () => {
      it("refuses by another version, without the dial and the slot of the call itself", async () => {
        const owner = await ownerWith({ ...oneAtATime, attemptsPerNumber: { month: 1 } });
        const [callId = "call_"] = grantedCalls(await one(owner));
        expect(await judged(owner, callId)).toBeNull();
        expect((await judged(owner, someCall()))?.refusals.map(({ rule }) => rule)).toEqual([
          "oneCallAtATime",
          "attemptsPerNumber",
        ]);
        await world.setPolicy(owner, 2, FREE);
        expect(await judged(owner, someCall())).toBeNull();
        const second = grantedCalls(await one(owner))[0] ?? "call_";
        await world.setPolicy(owner, 3, { ...FREE, attemptsPerNumber: { month: 1 } });
        expect(await judged(owner, second)).toMatchObject({ policyVersion: 3, callId: second });
      });

      it("takes nothing, and knows the zone that its slot was given", async () => {
        const owner = await ownerWith({ ...FREE, attemptsPerNumber: { day: 1 } });
        const nobody: PhoneNumber = "+88210123456";
        const candidate = { callId: someCall(), phoneNumber: nobody, windowClosesAt: null };
        const request = {
          ...{ owner, campaignId: null, pricePerMinute: PRICE, connection: null },
          ...{ maxConcurrentCalls: null, maxCallsPerSecond: null },
        };
        const unknown = await world.admission.admit({ ...request, candidates: [candidate] });
        expect(rules(unknown)).toEqual(["zone_unknown"]);
        await world.admission.admit({
          ...request,
          candidates: [{ ...candidate, timezone: "Europe/Istanbul" }],
        });
        expect(await judged(owner, candidate.callId, nobody)).toBeNull();
        expect((await judged(owner, someCall(), nobody))?.refusals).toMatchObject([{ rule: "zone_unknown" }]);
        expect(await world.admission.account(owner)).toMatchObject({ liveCalls: 1 });
      });

      it("allows everything where there is no policy", async () => {
        expect(await judged(await someOwner(world), someCall())).toBeNull();
      });
    });
  });
}
