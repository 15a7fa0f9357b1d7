import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LostSlot } from "../../../domain/admission/requests.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import {
  type AdmissionWorld,
  ask,
  hangUp,
  type MakeAdmissionWorld,
  NUMBER,
  PRICE,
  someCall,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";

/** Reservations, charges, top-ups: each once by its cause, all of them in the ledger. */
export function creditsContract(makeWorld: MakeAdmissionWorld): void {
  describe("credits", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    const slotFor = async (owner: OwnerId): Promise<LostSlot> => {
      const now = await world.now();
      const times = { dialAt: now, dialBy: plusMillis(now, 15_000), nextLookAt: plusMillis(now, 30_000) };
      return { callId: someCall(), owner, campaignId: someCampaign(), phoneNumber: NUMBER, ...times };
    };
    const story = async (owner: OwnerId) =>
      (await world.ledger(owner)).map(({ cause, amount, balance, reserved }) => [
        cause,
        amount,
        balance,
        reserved,
      ]);

    it("releases the reservation and charges the cost at the end, once however often it is told", async () => {
      const owner = await someOwner(world, {}, 5 * PRICE);
      const call = someCall();
      await ask(world, owner, [call]);
      await hangUp(world, [call], 3_000);
      await Promise.all([hangUp(world, [call], 3_000), hangUp(world, [call, call], 9_999)]);
      expect(await story(owner)).toEqual([
        ["top_up", 5 * PRICE, 5 * PRICE, 0],
        ["reserve", PRICE, 5 * PRICE, PRICE],
        ["release", PRICE, 5 * PRICE, 0],
        ["charge", 3_000, 5 * PRICE - 3_000, 0],
      ]);
    });

    it("writes no entry for a call that cost nothing, and none for a price of 0", async () => {
      const owner = await someOwner(world, {}, PRICE);
      const [paid, free] = [someCall(), someCall()];
      await ask(world, owner, [paid]);
      await ask(world, owner, [free], { pricePerMinute: 0 });
      await hangUp(world, [paid, free], 0);
      expect((await story(owner)).map(([cause]) => cause)).toEqual(["top_up", "reserve", "release"]);
      expect(await world.admission.account(owner)).toEqual({ balance: PRICE, reserved: 0, liveCalls: 0 });
    });

    it("lets the balance fall below 0 by what a call cost more than it reserved", async () => {
      const owner = await someOwner(world, {}, PRICE);
      const call = someCall();
      await ask(world, owner, [call]);
      await hangUp(world, [call], 3 * PRICE);
      expect(await world.admission.account(owner)).toMatchObject({ balance: -2 * PRICE, reserved: 0 });
      expect(await ask(world, owner, [someCall()])).toEqual({ granted: [], refusal: "credits" });
    });

    it("ignores the end of a call that it does not know", async () => {
      await hangUp(world, [someCall()], PRICE);
      const owner = await someOwner(world, {}, PRICE);
      expect(await world.admission.account(owner)).toMatchObject({ balance: PRICE });
    });

    it("tops up once per owner and reference", async () => {
      const [owner, other] = [await someOwner(world, {}, 0), await someOwner(world, {}, 0)];
      await Promise.all([1, 2, 3].map(() => world.admission.topUp(owner, PRICE, "invoice 7")));
      expect(await world.admission.topUp(owner, 5 * PRICE, "invoice 7")).toMatchObject({ balance: PRICE });
      expect(await world.admission.topUp(other, PRICE, "invoice 7")).toMatchObject({ balance: PRICE });
      expect(await world.ledger(owner)).toMatchObject([
        { cause: "top_up", reference: "invoice 7", callId: null },
      ]);
    });

    it("names the call of each movement", async () => {
      const owner = await someOwner(world);
      const call = someCall();
      await ask(world, owner, [call]);
      await hangUp(world, [call], 3_000);
      expect(
        (await world.ledger(owner)).map(({ cause, callId, reference }) => [cause, callId, reference]),
      ).toEqual([
        ["top_up", null, "first"],
        ["reserve", call, null],
        ["release", call, null],
        ["charge", call, null],
      ]);
    });

    it("makes the slot of a call that has none, above every limit, once", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 1 }, PRICE);
      await ask(world, owner, [someCall()]);
      const slot = await slotFor(owner);
      await Promise.all([world.admission.ensure(slot, PRICE), world.admission.ensure(slot, PRICE)]);
      expect(await world.admission.account(owner)).toEqual({
        balance: PRICE,
        reserved: 2 * PRICE,
        liveCalls: 2,
      });
      await hangUp(world, [slot.callId], 500);
      expect(await world.admission.account(owner)).toMatchObject({ balance: PRICE - 500, liveCalls: 1 });
    });

    it("ensures nothing for a call whose slot is there or was closed", async () => {
      const owner = await someOwner(world);
      const slot = await slotFor(owner);
      await ask(world, owner, [slot.callId]);
      await world.admission.ensure(slot, PRICE);
      await hangUp(world, [slot.callId]);
      await world.admission.ensure(slot, PRICE);
      expect(await world.admission.account(owner)).toMatchObject({ reserved: 0, liveCalls: 0 });
    });

    it("ensures nothing for a call that ended so long ago that its slot is forgotten", async () => {
      const owner = await someOwner(world);
      const slot = await slotFor(owner);
      await ask(world, owner, [slot.callId]);
      await hangUp(world, [slot.callId]);
      await world.pass(25 * 3_600_000);
      await world.admission.ensure(slot, PRICE);
      expect(await world.admission.account(owner)).toMatchObject({ reserved: 0, liveCalls: 0 });
    });

    it("answers an empty account for an owner it never saw", async () => {
      expect(await world.admission.account("usr_never")).toEqual({ balance: 0, reserved: 0, liveCalls: 0 });
    });

    it("adds up to the balance and the reservations, whatever happened", async () => {
      const owner = await someOwner(world);
      const calls = someCalls(8);
      await ask(world, owner, calls);
      await hangUp(world, calls.slice(0, 5), 1_234);
      const sums = { top_up: 0, reserve: 0, release: 0, charge: 0 };
      for (const { cause, amount } of await world.ledger(owner)) sums[cause] += amount;
      expect(await world.admission.account(owner)).toEqual({
        balance: sums.top_up - sums.charge,
        reserved: sums.reserve - sums.release,
        liveCalls: 3,
      });
    });
  });
}
