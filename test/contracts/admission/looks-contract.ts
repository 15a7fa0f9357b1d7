import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import {
  type AdmissionWorld,
  ask,
  hangUp,
  type MakeAdmissionWorld,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";

/** When somebody has to look at a call. */
export function looksContract(makeWorld: MakeAdmissionWorld): void {
  describe("looks", () => {
    let world: AdmissionWorld;
    let calls: readonly [CallId, CallId, CallId];
    let now: Instant;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());
    beforeEach(async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 2 });
      const [one = "call_", two = "call_", three = "call_"] = someCalls(3);
      calls = [one, two, three];
      now = await world.now();
      await ask(world, owner, calls);
    });

    const due = async (at: Instant, limit = 100) => {
      const slots = await world.admission.dueLooks(at, limit);
      return slots.filter(({ callId }) => calls.includes(callId)).map(({ callId }) => callId);
    };
    const lookAt = (index: 0 | 1 | 2, millis: number) =>
      world.admission.setNextLooks([{ callId: calls[index], at: plusMillis(now, millis) }]);
    const later = plusMillis("2099-01-01T00:00:00.000Z", 0);

    it("looks first at the dial of a call that waits for its turn, else at the end of its time to dial", async () => {
      const slots = await world.admission.dueLooks(later, 100);
      const mine = slots.filter(({ callId }) => calls.includes(callId));
      expect(mine.map(({ callId }) => callId)).toEqual([calls[1], calls[2], calls[0]]);
      for (const { callId, nextLookAt, dialAt, dialBy } of mine)
        expect(nextLookAt).toBe(callId === calls[0] ? dialBy : dialAt);
    });

    it("leaves a campaign's call, whose runner waits for its turn, until the end of its time to dial", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 2 });
      const inCampaign = someCalls(2);
      await ask(world, owner, inCampaign, { campaignId: someCampaign(), maxConcurrentCalls: 10 });
      const slots = await world.admission.dueLooks(later, 100);
      const mine = slots.filter(({ callId }) => inCampaign.includes(callId));
      expect(mine.map(({ nextLookAt }) => nextLookAt)).toEqual(mine.map(({ dialBy }) => dialBy));
      expect(mine).toHaveLength(2);
    });

    it("finds what is due, the longest due first, no more than asked for", async () => {
      await lookAt(0, 3_000);
      await lookAt(1, 1_000);
      await lookAt(2, 2_000);
      expect(await due(plusMillis(now, 2_500))).toEqual([calls[1], calls[2]]);
      expect(await world.admission.dueLooks(later, 1)).toHaveLength(1);
    });

    it("is due at the very moment", async () => {
      await lookAt(0, 100);
      expect(await due(plusMillis(now, 100))).toContain(calls[0]);
      expect(await due(plusMillis(now, 99))).not.toContain(calls[0]);
    });

    it("tells owner, campaign and times of a slot", async () => {
      const owner = await someOwner(world);
      const campaignId = someCampaign();
      const { granted } = await ask(world, owner, someCalls(1), { campaignId });
      const [grant] = granted;
      const slots = await world.admission.dueLooks(later, 100);
      const slot = slots.find(({ callId }) => callId === grant?.callId);
      expect(slot).toMatchObject({ owner, campaignId, dialAt: grant?.dialAt, dialBy: grant?.dialBy });
    });

    it("says until when a session is due of a call whose carrier was told where to open it", async () => {
      const by = plusMillis(now, 15_000);
      await world.admission.expectSession(calls[1], by);
      const slots = await world.admission.dueLooks(later, 100);
      const dueBy = calls.map((callId) => slots.find((slot) => slot.callId === callId)?.sessionDueBy);
      expect(dueBy).toEqual([undefined, by, undefined]);
      await hangUp(world, [calls[1]]);
      await world.admission.expectSession(calls[1], by);
      expect(await due(later)).not.toContain(calls[1]);
    });

    it("knows the earliest look of all", async () => {
      await lookAt(2, -3_600_000);
      expect(await world.admission.nextLookAt()).toBe(plusMillis(now, -3_600_000));
    });

    it("forgets a call that was closed, and ignores a look set for it", async () => {
      await hangUp(world, calls);
      await lookAt(0, -1_000);
      expect(await due(later)).toEqual([]);
    });

    it("keeps the later given of two looks at one call", async () => {
      const [callId] = calls;
      const at = (millis: number) => ({ callId, at: plusMillis(now, millis) });
      await world.admission.setNextLooks([at(9_000), at(1_000), at(5_000)]);
      expect(await due(plusMillis(now, 4_999))).not.toContain(callId);
      expect(await due(plusMillis(now, 5_000))).toContain(callId);
    });

    it("has nothing to look at when nobody calls", async () => {
      const empty = await makeWorld();
      expect(await empty.admission.nextLookAt()).toBeNull();
      expect(await empty.admission.dueLooks(later, 10)).toEqual([]);
      await empty.end();
    });
  });
}
