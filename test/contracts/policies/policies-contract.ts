import { beforeEach, describe, expect, it } from "vitest";
import type { Policies } from "../../../application/ports/policies.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";

/** One store, and two processes at it. */
export type PoliciesWorld = {
  readonly policies: Policies;
  readonly again: Policies;
  /** Resolves when it holds, within a second. */
  readonly soon: (what: string, holds: () => Promise<boolean>) => Promise<void>;
};

const POLICY: Policy = {
  callableHours: { start: 9, end: 20, days: [1, 2, 3, 4, 5], excludedDates: ["2026-10-29"] },
  attemptsPerNumber: { day: 2, month: 12 },
  oneCallAtATime: true,
  exceptSingleCalls: true,
};
const OFF: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

/** What every adapter of Policies promises. */
export function policiesContract(name: string, open: () => PoliciesWorld): void {
  describe(name, () => {
    let world: PoliciesWorld;
    let owner: OwnerId;
    beforeEach(() => {
      world = open();
      owner = systemIds.next("usr");
    });

    it("has none before the first, and then what was stored, for this owner only", async () => {
      expect(await world.policies.inForce(owner)).toBeNull();
      await world.policies.store(owner, 1, POLICY);
      expect(await world.policies.inForce(owner)).toEqual({ version: 1, policy: POLICY });
      expect(await world.policies.inForce(systemIds.next("usr"))).toBeNull();
    });

    it("takes only a higher version: an older one, and the same one again, change nothing", async () => {
      await world.policies.store(owner, 3, OFF);
      for (const version of [2, 3]) await world.policies.store(owner, version, POLICY);
      expect(await world.policies.inForce(owner)).toEqual({ version: 3, policy: OFF });
      await world.policies.store(owner, 5, POLICY);
      expect(await world.policies.inForce(owner)).toEqual({ version: 5, policy: POLICY });
    });

    it("is known to another process within a second, which hears of the change", async () => {
      await world.policies.store(owner, 1, OFF);
      const heard: OwnerId[] = [];
      const unsubscribe = world.again.onChange((changed) => heard.push(changed));
      await world.soon("the first version", async () => (await world.again.inForce(owner))?.version === 1);
      heard.length = 0;
      await world.policies.store(owner, 2, POLICY);
      await world.soon("the second version", async () => (await world.again.inForce(owner))?.version === 2);
      await world.soon("the change", async () => heard.includes(owner));
      unsubscribe();
      heard.length = 0;
      await world.policies.store(owner, 3, OFF);
      await world.soon("the third version", async () => (await world.again.inForce(owner))?.version === 3);
      expect(heard).toEqual([]);
    });

    it("is what the log says after an accepted restore, also where a later version was", async () => {
      const forgotten = systemIds.next("usr");
      await world.policies.store(owner, 7, OFF);
      await world.policies.store(forgotten, 1, OFF);
      await world.policies.replaceAll(new Map([[owner, { version: 3, policy: POLICY }]]));
      for (const at of [world.policies, world.again]) {
        await world.soon("the older version", async () => (await at.inForce(owner))?.version === 3);
        await world.soon("that there is none", async () => (await at.inForce(forgotten)) === null);
      }
      await world.policies.store(owner, 4, OFF);
      expect(await world.policies.inForce(owner)).toEqual({ version: 4, policy: OFF });
    });

    it("ends with the highest of many that are stored at once by both", async () => {
      const versions = Array.from({ length: 20 }, (_none, place) => ((place * 7) % 20) + 1);
      await Promise.all(
        versions.map((version, place) => {
          const at = place % 2 === 0 ? world.policies : world.again;
          return at.store(owner, version, version === 20 ? POLICY : OFF);
        }),
      );
      for (const at of [world.policies, world.again])
        await world.soon("the highest", async () => (await at.inForce(owner))?.version === 20);
      expect((await world.policies.inForce(owner))?.policy).toEqual(POLICY);
    });
  });
}
