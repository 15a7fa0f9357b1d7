import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Admitted } from "../../../domain/admission/grants.ts";
import { instantFromMillis, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  type AdmissionWorld,
  ask,
  grantedCalls,
  hangUp,
  type MakeAdmissionWorld,
  someCall,
  someCalls,
  someCampaign,
  someConnection,
  someOwner,
  wakesOf,
} from "./admission-world.ts";

const dialTimes = ({ granted }: Admitted) => granted.map(({ dialAt }) => millisOf(dialAt));
const gaps = (times: readonly number[]) =>
  times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN));

/** What a connection allows, whoever calls through it. */
export function connectionContract(makeWorld: MakeAdmissionWorld): void {
  describe("connections", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());
    const delayOf = async (admitted: Admitted) =>
      (dialTimes(admitted)[0] ?? Number.NaN) - millisOf(await world.now());

    it("keeps the dials of all owners through one connection apart, and those of another one go on", async () => {
      const [one, other] = [await someOwner(world), await someOwner(world)];
      const connection = someConnection({ callsPerSecond: 2 });
      const times = [
        ...dialTimes(await ask(world, one, someCalls(3), { connection })),
        ...dialTimes(await ask(world, other, someCalls(3), { connection })),
      ];
      expect(gaps(times)).toEqual([500, 500, 500, 500, 500]);
      const quick = await ask(world, one, [someCall()], {
        connection: someConnection({ callsPerSecond: 2 }),
      });
      expect(await delayOf(quick)).toBeLessThan(400);
    });

    it("dials at the latest of the turns of plan, campaign and connection", async () => {
      const owner = await someOwner(world, { maxCallsPerSecond: 4 });
      const slow = { connection: someConnection({ callsPerSecond: 2 }) };
      expect(gaps(dialTimes(await ask(world, owner, someCalls(3), slow)))).toEqual([500, 500]);
      const quick = { connection: someConnection({ callsPerSecond: 100 }), campaignId: someCampaign() };
      const other = await someOwner(world, { maxCallsPerSecond: 4 });
      expect(gaps(dialTimes(await ask(world, other, someCalls(3), quick)))).toEqual([250, 250]);
      const campaign = { ...quick, campaignId: someCampaign(), maxCallsPerSecond: 1 };
      const third = await someOwner(world, { maxCallsPerSecond: 4 });
      expect(gaps(dialTimes(await ask(world, third, someCalls(3), campaign)))).toEqual([1_000, 1_000]);
    });

    it("lets an owner whose plan is slow hold no other one of the connection up", async () => {
      const [slow, other] = [await someOwner(world, { maxCallsPerSecond: 0.2 }), await someOwner(world)];
      const connection = someConnection({ callsPerSecond: 2 });
      const far = dialTimes(await ask(world, slow, someCalls(3), { connection }));
      const near = dialTimes(await ask(world, other, someCalls(10), { connection }));
      expect(gaps(far)).toEqual([5_000, 5_000]);
      expect((near[0] ?? 0) - (far[0] ?? 0)).toBe(500);
      const apart = gaps([...far, ...near].sort((a, b) => a - b));
      expect(Math.min(...apart)).toBeGreaterThanOrEqual(499);
    });

    it("refuses a single call whose turn lies more than 30 s ahead, and a campaign one beyond 2 s", async () => {
      const [one, other] = [
        await someOwner(world, { maxConcurrentCalls: 100 }),
        await someOwner(world, { maxConcurrentCalls: 100 }),
      ];
      const connection = someConnection({ callsPerSecond: 1 });
      const campaign = await ask(world, one, someCalls(9), { connection, campaignId: someCampaign() });
      expect(campaign).toMatchObject({ granted: { length: 3 }, refusal: "pace" });
      const singles = await ask(world, other, someCalls(40), { connection });
      expect(singles).toMatchObject({ granted: { length: 28 }, refusal: "carrier" });
      const last = dialTimes(singles).at(-1) ?? Number.NaN;
      expect(last - (dialTimes(campaign)[0] ?? 0)).toBe(30_000);
      const late = await ask(world, one, someCalls(1), { connection, campaignId: someCampaign() });
      expect(late).toMatchObject({ granted: [], refusal: "carrier" });
    });

    it("lets no more calls be out through it than it has lines, and wakes who waits when one is free", async () => {
      const [one, other] = [await someOwner(world), await someOwner(world)];
      const connection = someConnection({ maxConcurrentCalls: 2 });
      const campaignId = someCampaign();
      const held = grantedCalls(await ask(world, one, someCalls(3), { connection }));
      expect(held).toHaveLength(2);
      expect(await ask(world, one, [someCall()], { connection })).toEqual({
        granted: [],
        refusal: "carrier",
      });
      const waiting = await ask(world, other, someCalls(2), { connection, campaignId });
      expect(waiting).toEqual({ granted: [], refusal: "carrier" });
      const { woken, stop } = wakesOf(world, other);
      await hangUp(world, held.slice(0, 1));
      await eventually("the wake", () => woken.includes(campaignId));
      stop();
      const granted = await ask(world, other, someCalls(2), { connection, campaignId });
      expect(granted).toMatchObject({ granted: { length: 1 }, refusal: "carrier" });
    });

    it("shares its turns out among the campaigns that wait for them", async () => {
      const owners = [await someOwner(world), await someOwner(world)];
      const connection = someConnection({ callsPerSecond: 2 });
      const got = [0, 0];
      const campaigns = owners.map(() => someCampaign());
      const begun = performance.now();
      for (let second = 0; second < 12; second += 1) {
        for (const [index, owner] of owners.entries()) {
          const campaign = { connection, campaignId: campaigns[index] ?? null };
          const calls = grantedCalls(await ask(world, owner, someCalls(9), campaign));
          got[index] = (got[index] ?? 0) + calls.length;
          await hangUp(world, calls);
        }
        await world.pass(1_000);
      }
      // 24 turns in 12 s, and those of the 2 s ahead of the last question.
      const [first = 0, second = 0] = got;
      expect(first + second).toBeGreaterThanOrEqual(24);
      // The time that the questions themselves take on a busy machine brings two more turns each second.
      const more = Math.floor((2 * (performance.now() - begun)) / 1_000);
      expect(Math.abs(first - second)).toBeLessThanOrEqual(5 + more);
    });

    it("moves the next turn when the carrier has too much to do, twice as far while that goes on", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 100 });
      const connection = someConnection();
      const next = async () => delayOf(await ask(world, owner, [someCall()], { connection }));
      expect(await next()).toBeLessThan(500);
      await world.admission.slowDown(connection.key, 2_000);
      // Told of a dial that was under way: it counts for the same slowing.
      await world.admission.slowDown(connection.key, 2_000);
      const first = await next();
      expect([first > 1_000, first <= 2_100]).toEqual([true, true]);
      await world.pass(2_000);
      await world.admission.slowDown(connection.key, 500);
      const second = await next();
      expect([second > 3_000, second <= 4_100]).toEqual([true, true]);
      await world.pass(4_000);
      await world.admission.tookDial(connection.key, 0);
      await world.admission.slowDown(connection.key, 10);
      const third = await next();
      expect([third > 0, third <= 1_100]).toEqual([true, true]);
    });

    it("is over with a dial that began after it, also for whoever did not see it, and says carrier only for its pause", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 100 });
      const connection = someConnection({ callsPerSecond: 1 });
      const campaign = { connection, campaignId: someCampaign() };
      await ask(world, owner, [someCall()], { connection });
      await world.admission.slowDown(connection.key, 4_000);
      expect(await ask(world, owner, someCalls(9), campaign)).toEqual({ granted: [], refusal: "carrier" });
      await world.pass(4_000);
      expect(await ask(world, owner, someCalls(9), campaign)).toMatchObject({ refusal: "pace" });
      const next = async () => {
        const turn = await world.admission.takeTurn(connection, plusMillis(await world.now(), 60_000));
        return turn === null ? null : millisOf(turn) - millisOf(await world.now());
      };
      // Began before the slowing: the next one is twice as long.
      await world.admission.tookDial(connection.key, 60_000);
      await world.admission.slowDown(connection.key, 1_000);
      expect(await next()).toBeGreaterThan(7_000);
      await world.pass(8_000);
      await world.admission.tookDial(connection.key, 0);
      await world.admission.slowDown(connection.key, 1_000);
      expect(await next()).toBeLessThan(3_000);
    });

    it("says carrier no more once a dial was taken, though the turn that the slowing moved stays", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 100 });
      const connection = someConnection({ callsPerSecond: 1 });
      const campaign = { connection, campaignId: someCampaign() };
      await ask(world, owner, [someCall()], { connection });
      await world.admission.slowDown(connection.key, 20_000);
      expect(await ask(world, owner, [someCall()], campaign)).toEqual({ granted: [], refusal: "carrier" });
      await world.admission.tookDial(connection.key, 0);
      expect(await ask(world, owner, [someCall()], campaign)).toEqual({ granted: [], refusal: "pace" });
    });

    it("gives a dial that missed its turn the next one, and none when that comes too late", async () => {
      const owner = await someOwner(world);
      const connection = someConnection({ callsPerSecond: 1 });
      const [first = 0] = dialTimes(await ask(world, owner, [someCall()], { connection }));
      const before = instantFromMillis(first + 1_500);
      expect(await world.admission.takeTurn(connection, before)).toBe(instantFromMillis(first + 1_000));
      expect(await world.admission.takeTurn(connection, before)).toBeNull();
      const [next = 0] = dialTimes(await ask(world, owner, [someCall()], { connection }));
      expect(next - first).toBe(2_000);
    });

    it("slows no further than by 60 s, and tells a campaign that it waits for the carrier", async () => {
      const owner = await someOwner(world);
      const connection = someConnection({ callsPerSecond: 50 });
      const campaignId = someCampaign();
      await ask(world, owner, [someCall()], { connection });
      await world.admission.slowDown(connection.key, 3_600_000);
      const refused = { granted: [], refusal: "carrier" };
      expect(await ask(world, owner, [someCall()], { connection, campaignId })).toEqual(refused);
      expect(await ask(world, owner, [someCall()], { connection })).toEqual(refused);
      await world.pass(31_000);
      expect(await ask(world, owner, [someCall()], { connection })).toMatchObject({ refusal: null });
      const { woken, stop } = wakesOf(world, owner);
      await world.pass(30_000);
      await ask(world, owner, [someCall()], { connection });
      await eventually("the wake", () => woken.includes(campaignId));
      stop();
    });
  });
}
