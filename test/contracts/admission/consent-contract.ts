import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Admitted } from "../../../domain/admission/grants.ts";
import type { ConsentTimes, Policy } from "../../../domain/policy/policy.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import {
  type AdmissionWorld,
  ask,
  type MakeAdmissionWorld,
  NUMBER,
  someCall,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";

const DAY = 86_400_000;
const FREE: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};
const asking: Policy = { ...FREE, requireConsent: true };
const monthly: Policy = { ...FREE, listMaxAgeDays: 30 };

/** Consent and the age of lists, judged where slots are taken. */
export function consentContract(makeWorld: MakeAdmissionWorld): void {
  describe("consent and lists", () => {
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
    const one = (owner: OwnerId, consent: ConsentTimes | null = null) =>
      ask(world, owner, someCalls(1), { consent, campaignId: someCampaign() });
    const judged = (owner: OwnerId, consent: ConsentTimes | null = null) =>
      world.admission.judge({
        ...{ owner, callId: someCall(), phoneNumber: NUMBER, isSingle: true, timezone: null },
        consent,
      });
    const refusals = ({ byPolicy = [] }: Admitted) => byPolicy.flatMap((refused) => refused.refusals);
    const checks = ({ granted }: Admitted) => granted.flatMap(({ policy }) => policy?.checks ?? []);
    const rule = "consent";
    const nobody = { until: null, heldBy: null };

    it("dials only who has given consent, and stores which", async () => {
      const owner = await ownerWith(asking);
      const at = plusMillis(await world.now(), -DAY);
      expect(refusals(await one(owner))).toEqual([{ rule, value: null, limit: null, ...nobody }]);
      expect(checks(await one(owner, { at }))).toEqual([{ rule, value: at, limit: null }]);
      const past = plusMillis(at, 1);
      const expired = { rule, value: at, limit: past, ...nobody };
      expect(refusals(await one(owner, { at, expiresAt: past }))).toEqual([expired]);
      expect((await judged(owner, { at, expiresAt: past }))?.refusals).toEqual([expired]);
      expect(await judged(owner, { at })).toBeNull();
      expect(checks(await one(await someOwner(world)))).toEqual([]);
    });

    it("dials nobody after the consent has expired", async () => {
      const owner = await ownerWith(asking);
      const now = await world.now();
      const expiresAt = plusMillis(now, 10_000);
      const { granted } = await one(owner, { at: now, expiresAt });
      expect(granted.map(({ dialBy }) => dialBy)).toEqual([expiresAt]);
    });

    describe("that may be 30 days old", () => {
      const standing = async (...ages: readonly (number | null)[]) => {
        const owner = await ownerWith(monthly);
        const now = await world.now();
        const days = ages.map((age): Instant | null => (age === null ? null : plusMillis(now, -age)));
        await world.setLists(owner, days);
        return { owner, days };
      };
      const listAge = { rule: "listAge", limit: 30 };

      it("refuse without an active one, and with one that has no numbers", async () => {
        const none = await standing();
        const refused = [{ ...listAge, value: null, ...nobody }];
        expect(refusals(await one(none.owner))).toEqual(refused);
        const { owner } = await standing(DAY, null);
        expect(refusals(await one(owner))).toEqual(refused);
        expect((await judged(owner))?.refusals).toEqual(refused);
      });

      it("refuse by the oldest, and name its day", async () => {
        const { owner, days } = await standing(DAY, 31 * DAY, 2 * DAY);
        const refused = [{ ...listAge, value: days[1], ...nobody }];
        expect(refusals(await one(owner))).toEqual(refused);
        expect((await judged(owner))?.refusals).toEqual(refused);
        await world.setPolicy(owner, 2, { ...monthly, listMaxAgeDays: 32 });
        expect(checks(await one(owner))).toEqual([{ rule: "listAge", value: days[1], limit: 32 }]);
        expect(await judged(owner)).toBeNull();
        await world.setPolicy(owner, 3, FREE);
        expect(checks(await one(owner))).toEqual([]);
      });

      it("let nobody be dialled after they are too old", async () => {
        const { owner, days } = await standing(DAY, 30 * DAY - 12_000);
        const { granted } = await one(owner);
        expect(granted.map(({ dialBy }) => dialBy)).toEqual([plusMillis(days[1] ?? "9Z", 30 * DAY)]);
      });

      it("are those of each owner, also in one transaction", async () => {
        const [old, young] = [await standing(31 * DAY), await standing(DAY)];
        const answers = await Promise.all([one(old.owner), one(young.owner), one(await ownerWith(FREE))]);
        expect(answers.map(({ granted }) => granted.length)).toEqual([0, 1, 1]);
        expect(await Promise.all([judged(old.owner), judged(young.owner)])).toMatchObject([
          { refusals: [{ rule: "listAge" }] },
          null,
        ]);
      });
    });

    it("of excepted single calls only the age of lists is asked", async () => {
      const owner = await ownerWith({ ...asking, listMaxAgeDays: 30, exceptSingleCalls: true });
      const single = await ask(world, owner, someCalls(1));
      expect(refusals(single).map((each) => each.rule)).toEqual(["listAge"]);
      expect(refusals(await one(owner)).map((each) => each.rule)).toEqual([rule, "listAge"]);
    });
  });
}
