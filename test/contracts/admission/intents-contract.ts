import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plusMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import {
  type AdmissionWorld,
  ask,
  hangUp,
  type MakeAdmissionWorld,
  PRICE,
  someCall,
  someCampaign,
  someOwner,
} from "./admission-world.ts";

const ASKED: PhoneNumber = "+12025550123";
const OTHER: PhoneNumber = "+12025550124";

/** Dials of a number that may begin. */
export function intentsContract(makeWorld: MakeAdmissionWorld): void {
  describe("intents to dial", () => {
    let world: AdmissionWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(() => world.end());

    it("are the open slots of this owner for this number, with the end of their time to dial", async () => {
      const [owner, stranger] = [await someOwner(world), await someOwner(world)];
      const [single, inCampaign, elsewhere, strangers] = [someCall(), someCall(), someCall(), someCall()];
      const { granted } = await ask(world, owner, [single], { phoneNumber: ASKED });
      const inOne = { phoneNumber: ASKED, campaignId: someCampaign() };
      const { granted: more } = await ask(world, owner, [inCampaign], inOne);
      await ask(world, owner, [elsewhere], { phoneNumber: OTHER });
      await ask(world, stranger, [strangers], { phoneNumber: ASKED });
      const intents = await world.admission.openIntents(owner, ASKED);
      const expected = [...granted, ...more].map(({ callId, dialBy }) => ({ callId, dialBy }));
      expect(intents.toSorted((a, b) => (a.callId < b.callId ? -1 : 1))).toEqual(expected);
    });

    it("are none where nobody was admitted, and none any more when their slots are closed", async () => {
      const owner = await someOwner(world, { maxConcurrentCalls: 1 });
      const [first, refused] = [someCall(), someCall()];
      await ask(world, owner, [first], { phoneNumber: OTHER });
      await ask(world, owner, [refused], { phoneNumber: ASKED });
      expect(await world.admission.openIntents(owner, ASKED)).toEqual([]);
      await hangUp(world, [first]);
      expect(await world.admission.openIntents(owner, OTHER)).toEqual([]);
    });

    it("are also those of calls whose slot was lost and made again", async () => {
      const [owner, now] = [await someOwner(world), await world.now()];
      const [callId, dialBy] = [someCall(), plusMillis(now, 15_000)];
      const slot = { callId, owner, campaignId: null, phoneNumber: ASKED, dialAt: now, dialBy };
      await world.admission.ensure({ ...slot, nextLookAt: dialBy }, PRICE);
      expect(await world.admission.openIntents(owner, ASKED)).toEqual([{ callId, dialBy }]);
    });

    it("keep their number when they are granted again", async () => {
      const owner = await someOwner(world);
      const callId = someCall();
      await ask(world, owner, [callId], { phoneNumber: ASKED });
      await ask(world, owner, [callId], { phoneNumber: OTHER });
      expect(await world.admission.openIntents(owner, ASKED)).toMatchObject([{ callId }]);
    });
  });
}
