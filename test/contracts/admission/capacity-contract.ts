import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const FULL = { granted: [], refusal: "capacity" };

/** What all processes together can hold; a world of its own each, because everything that is open counts. */
export function capacityContract(makeWorld: MakeAdmissionWorld): void {
  describe("capacity", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    it("grants what nobody limits, and counts it when somebody does", async () => {
      const [one, other] = [await someOwner(world), await someOwner(world)];
      const held = grantedCalls(await ask(world, one, someCalls(3)));
      await world.setCapacity({ text: 5, audio: 5 });
      expect(await ask(world, other, someCalls(4))).toMatchObject({
        granted: { length: 2 },
        refusal: "capacity",
      });
      expect(await ask(world, one, [someCall()])).toEqual(FULL);
      await hangUp(world, held);
      const again = await ask(world, one, someCalls(9));
      expect(again).toMatchObject({ granted: { length: 3 }, refusal: "capacity" });
      await world.setCapacity(null);
      expect(await ask(world, one, someCalls(4))).toMatchObject({ refusal: null });
    });

    it("wakes whoever waits when a slot is free, and when a process comes", async () => {
      const [one, other] = [await someOwner(world), await someOwner(world)];
      const campaignId = someCampaign();
      await world.setCapacity({ text: 0, audio: 0 });
      expect(await ask(world, other, [someCall()], { campaignId })).toEqual(FULL);
      const { woken, stop } = wakesOf(world, other);
      await world.setCapacity({ text: 1_000, audio: 1_000 });
      await eventually("the wake by a process", () => woken.includes(campaignId));
      const { granted } = await ask(world, one, someCalls(10));
      await world.setCapacity({ text: 1, audio: 1 });
      expect(await ask(world, other, [someCall()], { campaignId })).toEqual(FULL);
      woken.length = 0;
      await world.setCapacity({ text: 10 + (await openBeside(world, 10)), audio: 1_000 });
      await hangUp(
        world,
        granted.slice(0, 1).map(({ callId }) => callId),
      );
      await eventually("the wake by an end", () => woken.includes(campaignId));
      stop();
    });

    it("takes a conversation of sound for as many of text as a process holds of them", async () => {
      const fresh = await makeWorld();
      const owner = await someOwner(fresh, { maxConcurrentCalls: 100 });
      const sound = { connection: someConnection({ audio: true }) };
      await fresh.setCapacity({ text: 20, audio: 2 });
      expect(await ask(fresh, owner, [someCall()], sound)).toMatchObject({ refusal: null });
      const text = await ask(fresh, owner, someCalls(11));
      expect(text).toMatchObject({ granted: { length: 10 }, refusal: "capacity" });
      expect(await ask(fresh, owner, [someCall()], sound)).toEqual(FULL);
      await hangUp(fresh, grantedCalls(text));
      expect(await ask(fresh, owner, someCalls(2), sound)).toMatchObject({
        granted: { length: 1 },
        refusal: "capacity",
      });
      await fresh.end();
    });

    it.each([
      ["text", { text: 3, audio: 0 }],
      ["sound", { text: 0, audio: 3 }],
    ] as const)(
      "holds as many conversations of %s as the processes say where they hold nothing else",
      async (kind, limits) => {
        const fresh = await makeWorld();
        const owner = await someOwner(fresh);
        const text = { connection: someConnection() };
        const sound = { connection: someConnection({ audio: true }) };
        const [held, other] = kind === "text" ? [text, sound] : [sound, text];
        // Open before anybody said what it can hold: it still takes a place.
        expect(await ask(fresh, owner, [someCall()], other)).toMatchObject({ refusal: null });
        await fresh.setCapacity(limits);
        expect(await ask(fresh, owner, [someCall()], other)).toEqual(FULL);
        const first = await ask(fresh, owner, someCalls(9), held);
        expect(first).toMatchObject({ granted: { length: 2 }, refusal: "capacity" });
        expect(await ask(fresh, owner, [someCall()], held)).toEqual(FULL);
        await hangUp(fresh, grantedCalls(first).slice(0, 1));
        expect(await ask(fresh, owner, someCalls(2), held)).toMatchObject({ granted: { length: 1 } });
        await fresh.end();
      },
    );
  });
}

/**
 * Slots that earlier tests left open, beside these: what still fits under a high limit
 * tells how many there are.
 */
async function openBeside(world: AdmissionWorld, own: number): Promise<number> {
  const owner = await someOwner(world, { maxConcurrentCalls: 10_000 });
  await world.setCapacity({ text: 1_000, audio: 1_000 });
  const all = grantedCalls(await ask(world, owner, someCalls(1_000)));
  await hangUp(world, all);
  return 1_000 - all.length - own;
}
