import { beforeEach, describe, expect, it } from "vitest";
import type { Suppressions } from "../../../application/ports/configuration/suppressions.ts";
import type { Directory } from "../../../application/ports/directory.ts";
import type { HeardOptOut, OptOuts } from "../../../application/ports/opt-outs.ts";
import { EVENT_BODIES, type NumberSuppressedBody } from "../../../contract/webhook-body.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import type { MovingClock } from "../../support/moving-clock.ts";

/** One list, and two processes at it. */
export type OptOutWorld = {
  readonly optOuts: OptOuts;
  readonly again: OptOuts;
  readonly suppressions: Suppressions;
  readonly directory: Pick<Directory, "suppressed">;
  readonly clock: MovingClock;
  /** Sets an endpoint that takes number.suppressed. */
  readonly tell: (owner: OwnerId) => Promise<void>;
  /** Bodies of all webhooks that were queued for this owner, the oldest first. */
  readonly told: (owner: OwnerId) => Promise<readonly string[]>;
  /** The list as it was before the number came onto it. */
  readonly lose: (owner: OwnerId, phoneNumber: PhoneNumber) => Promise<void>;
};

const NUMBER: PhoneNumber = "+15005550006";
const ASKED = "Asked on the call not to be called again";
const UNREADABLE = "What was said on the call cannot be read";

/** What every adapter of OptOuts and Suppressions promises together. */
export function optOutsContract(name: string, open: () => OptOutWorld): void {
  describe(name, () => {
    let world: OptOutWorld;
    let owner: OwnerId;
    beforeEach(() => {
      world = open();
      owner = systemIds.next("usr");
    });

    const heard = (changes: Partial<HeardOptOut> = {}): HeardOptOut => ({
      callId: systemIds.next("call"),
      owner,
      campaignId: systemIds.next("cmp"),
      phoneNumber: NUMBER,
      by: "words",
      messageIndex: 3,
      saidAt: plusMillis(world.clock.now(), -1_000),
      ...changes,
    });
    const shown = () => world.suppressions.get(owner, NUMBER);
    const isListed = async () => (await world.directory.suppressed(owner, [NUMBER])).has(NUMBER);
    const told = async (): Promise<readonly NumberSuppressedBody[]> =>
      (await world.told(owner)).map((body) => JSON.parse(body).data);
    const dueCalls = async () =>
      (await world.optOuts.due(10_000)).filter((each) => each.owner === owner).map(({ callId }) => callId);
    const takeOff = async () => {
      const calls = (await world.optOuts.unrevoked(owner, NUMBER)).map(({ callId }) => callId);
      return world.suppressions.takeOff(owner, NUMBER, "key_1", calls);
    };

    describe("an opt-out of a call", () => {
      it("is an entry, the first line of its history, a webhook and an event that is due", async () => {
        await world.tell(owner);
        const optOut = heard();
        const { callId, campaignId } = optOut;
        await world.optOuts.list(optOut);
        const at = world.clock.now();
        const entry = { phoneNumber: NUMBER, reason: ASKED, source: "call", callId };
        const line = { action: "listed", reason: ASKED, source: "call", by: null, callId, at };
        expect(await shown()).toEqual({ ...entry, listed: true, createdAt: at, history: [line] });
        expect(await isListed()).toBe(true);
        const [body] = await told();
        expect(body).toEqual({ ...entry, campaignId, occurredAt: at, eventId: expect.any(String) });
        const { rows } = await world.suppressions.list(owner, { limit: 10, after: null });
        expect(rows).toEqual([{ ...entry, createdAt: at }]);
        expect((await world.optOuts.due(10_000)).filter((each) => each.owner === owner)).toEqual([optOut]);
        expect(await world.optOuts.unrevoked(owner, NUMBER)).toEqual([optOut]);
      });

      it("is listed once, however often and by how many processes at once", async () => {
        await world.tell(owner);
        const optOut = heard();
        const many = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? world.optOuts : world.again));
        await Promise.all(many.map((each) => each.list(optOut)));
        world.clock.advance(5_000);
        await world.again.list({ ...optOut, by: "model", messageIndex: null });
        expect(await told()).toHaveLength(1);
        expect((await shown())?.history).toHaveLength(1);
        expect(await dueCalls()).toEqual([optOut.callId]);
        expect((await world.optOuts.unrevoked(owner, NUMBER))[0]).toEqual(optOut);
      });

      it("does not put the number back that somebody took off since", async () => {
        const optOut = heard();
        await world.optOuts.list(optOut);
        expect(await takeOff()).toBe("taken_off");
        await world.again.list(optOut);
        await world.again.recorded(optOut);
        expect(await isListed()).toBe(false);
        expect(await dueCalls()).toEqual([]);
      });

      it("takes over an entry that is there, and keeps the reason that somebody wrote", async () => {
        await world.tell(owner);
        await world.suppressions.add(owner, NUMBER, "Order of the court", "key_1");
        const since = world.clock.now();
        world.clock.advance(60_000);
        const optOut = heard();
        const { callId } = optOut;
        await world.optOuts.list(optOut);
        const entry = await shown();
        expect(entry).toMatchObject({
          source: "call",
          callId,
          reason: "Order of the court",
          createdAt: since,
        });
        expect(entry?.history).toMatchObject([
          { action: "taken_over", reason: ASKED, source: "call", by: null, callId, at: world.clock.now() },
          { action: "listed", reason: "Order of the court", source: "api", by: "key_1", callId: null },
        ]);
        expect(await told()).toMatchObject([
          { source: "api", callId: null },
          { source: "call", callId, reason: "Order of the court" },
        ]);
      });

      it("says its own reason where nobody wrote one, and the latest call has the entry", async () => {
        await world.suppressions.add(owner, NUMBER, null, "key_1");
        const [first, second] = [heard(), heard()];
        await world.optOuts.list(first);
        await world.optOuts.list(second);
        expect(await shown()).toMatchObject({ reason: ASKED, callId: second.callId });
        expect((await world.optOuts.unrevoked(owner, NUMBER)).map(({ callId }) => callId)).toEqual([
          first.callId,
          second.callId,
        ]);
      });

      it("of two calls at once is one entry, and both are known", async () => {
        await Promise.all([world.optOuts.list(heard()), world.again.list(heard())]);
        expect((await shown())?.history.map(({ action }) => action)).toEqual(["taken_over", "listed"]);
        expect(await dueCalls()).toHaveLength(2);
      });

      it("is no other owner's", async () => {
        await world.optOuts.list(heard());
        const other = systemIds.next("usr");
        expect(await world.suppressions.get(other, NUMBER)).toBeNull();
        expect(await world.optOuts.unrevoked(other, NUMBER)).toEqual([]);
        expect(await world.suppressions.takeOff(other, NUMBER, "key_2", [])).toBe("not_listed");
        expect(await isListed()).toBe(true);
      });
    });

    describe("the event of the call", () => {
      it("is due until it is recorded, the oldest first", async () => {
        const [first, second] = [heard(), heard({ phoneNumber: "+15005550007" })];
        await world.optOuts.list(first);
        await world.optOuts.list(second);
        expect(await dueCalls()).toEqual([first.callId, second.callId]);
        await world.optOuts.recorded(first);
        await world.optOuts.recorded(first);
        expect(await dueCalls()).toEqual([second.callId]);
        expect(await world.optOuts.due(0)).toEqual([]);
      });

      it("lists the number of a call that is not known, because the database was restored", async () => {
        await world.tell(owner);
        const optOut = heard();
        await world.optOuts.recorded(optOut);
        expect(await shown()).toMatchObject({ listed: true, callId: optOut.callId });
        expect(await dueCalls()).toEqual([]);
        await world.optOuts.list(optOut);
        expect(await told()).toHaveLength(1);
      });
    });

    describe("taking a number off", () => {
      it("is told in its history with the key, and its entry is gone", async () => {
        const optOut = heard();
        await world.optOuts.list(optOut);
        world.clock.advance(1_000);
        expect(await takeOff()).toBe("taken_off");
        const { callId } = optOut;
        const at = world.clock.now();
        const nothing = { listed: false, reason: null, source: null, callId: null, createdAt: null };
        expect(await shown()).toMatchObject({ phoneNumber: NUMBER, ...nothing });
        expect((await shown())?.history).toMatchObject([
          { action: "removed", reason: ASKED, source: "call", by: "key_1", callId, at },
          { action: "listed" },
        ]);
        expect(await takeOff()).toBe("not_listed");
        expect(await world.optOuts.unrevoked(owner, NUMBER)).toEqual([]);
      });

      it("is not done while a call has asked that is not among the revoked ones", async () => {
        const [first, second] = [heard(), heard()];
        await world.optOuts.list(first);
        await world.again.list(second);
        const ended = await world.suppressions.takeOff(owner, NUMBER, "key_1", [first.callId]);
        expect([ended, await isListed()]).toEqual(["heard_again", true]);
        expect(await takeOff()).toBe("taken_off");
      });

      it("beside an opt-out of the same moment never loses it", async () => {
        for (let round = 0; round < 10; round += 1) {
          await world.optOuts.list(heard());
          const calls = (await world.optOuts.unrevoked(owner, NUMBER)).map(({ callId }) => callId);
          const [ended] = await Promise.all([
            world.suppressions.takeOff(owner, NUMBER, "key_1", calls),
            world.again.list(heard()),
          ]);
          expect(["taken_off", "heard_again"]).toContain(ended);
          expect(await isListed()).toBe(true);
        }
      });

      it("shows the newest 100 changes of a number", async () => {
        for (let round = 0; round < 51; round += 1) {
          await world.suppressions.add(owner, NUMBER, String(round), "key_1");
          await world.suppressions.takeOff(owner, NUMBER, "key_1", []);
        }
        const history = (await shown())?.history ?? [];
        expect(history).toHaveLength(100);
        expect([history[0], history[99]]).toMatchObject([
          { action: "removed", reason: "50" },
          { action: "listed", reason: "1" },
        ]);
      });

      it("is not asked of a number that was never listed", async () => {
        expect(await shown()).toBeNull();
        expect(await takeOff()).toBe("not_listed");
      });
    });

    describe("a list that was restored to an older state", () => {
      it("gets each number back whose opt-out was not revoked, once", async () => {
        await world.tell(owner);
        const [first, second, other] = [heard(), heard(), heard({ phoneNumber: "+15005550007" })];
        for (const each of [first, second, other]) await world.optOuts.list(each);
        await world.optOuts.listAgain();
        await world.lose(owner, NUMBER);
        const added = await Promise.all([world.optOuts.listAgain(), world.again.listAgain()]);
        expect(added[0] + added[1]).toBe(1);
        expect(await shown()).toMatchObject({ listed: true, source: "call", callId: second.callId });
        expect(await world.optOuts.listAgain()).toBe(0);
        expect(await told()).toHaveLength(3);
      });

      it("does not get back what was taken off by hand, or revoked in the log", async () => {
        const [first, second] = [heard(), heard({ phoneNumber: "+15005550007" })];
        await world.optOuts.list(first);
        await takeOff();
        await world.optOuts.revoked(second);
        await world.optOuts.recorded(second);
        await world.optOuts.list(second);
        expect(await world.optOuts.listAgain()).toBe(0);
        expect(await world.directory.suppressed(owner, [NUMBER, "+15005550007"])).toEqual(new Set());
        expect(await dueCalls()).toEqual([]);
      });
    });

    describe("a call whose words cannot be read", () => {
      const call = () => ({ ...heard(), by: "words" as const });

      it("keeps its number on the list until somebody takes it off", async () => {
        await world.tell(owner);
        const unread = call();
        const { callId, campaignId } = unread;
        await world.optOuts.refuse({ callId, owner, campaignId, phoneNumber: NUMBER });
        expect(await shown()).toMatchObject({ listed: true, source: "call", callId, reason: UNREADABLE });
        expect(await told()).toMatchObject([{ callId, campaignId, reason: UNREADABLE }]);
        expect([await dueCalls(), await world.optOuts.unrevoked(owner, NUMBER)]).toEqual([[], []]);
        expect(await takeOff()).toBe("taken_off");
        await world.again.refuse(unread);
        expect(await isListed()).toBe(false);
        expect(await world.optOuts.listAgain()).toBe(0);
      });

      it("gets its number back on a list that was restored", async () => {
        await world.optOuts.refuse(call());
        await world.optOuts.listAgain();
        await world.lose(owner, NUMBER);
        expect(await world.optOuts.listAgain()).toBe(1);
        expect(await shown()).toMatchObject({ listed: true, reason: UNREADABLE });
      });

      it("leaves an entry that is there as it is", async () => {
        await world.suppressions.add(owner, NUMBER, "Asked by letter", "key_1");
        await world.optOuts.refuse(call());
        expect(await shown()).toMatchObject({ source: "api", callId: null, reason: "Asked by letter" });
        expect((await shown())?.history).toHaveLength(1);
      });

      it("asks after all, when its words can be read", async () => {
        const unread = call();
        await world.optOuts.refuse(unread);
        await takeOff();
        await world.optOuts.list(unread);
        expect(await shown()).toMatchObject({ listed: true, reason: ASKED, callId: unread.callId });
        expect(await dueCalls()).toEqual([unread.callId]);
        const other = heard({ phoneNumber: "+15005550007" });
        await world.optOuts.refuse(other);
        await world.optOuts.list(other);
        expect(await world.suppressions.get(owner, "+15005550007")).toMatchObject({ reason: ASKED });
      });
    });

    describe("number.suppressed", () => {
      it("is queued for each new entry, one by one and many at once, and for none that was there", async () => {
        await world.tell(owner);
        await world.suppressions.add(owner, NUMBER, "Asked us", "key_1");
        await world.suppressions.add(owner, NUMBER, "Asked again", "key_1");
        const reasons = new Map<PhoneNumber, string | null>([
          [NUMBER, "a list"],
          ["+15005550007", "a list"],
          ["+15005550008", null],
        ]);
        expect(await world.suppressions.addAll(owner, reasons, "key_1")).toBe(2);
        const bodies = await world.told(owner);
        for (const body of bodies)
          expect(EVENT_BODIES.get("number.suppressed")?.parse(JSON.parse(body))).toEqual(JSON.parse(body));
        const all = (await told()).toSorted((a, b) => (a.phoneNumber < b.phoneNumber ? -1 : 1));
        expect(all).toMatchObject([
          { phoneNumber: NUMBER, source: "api", reason: "Asked us", callId: null, campaignId: null },
          { phoneNumber: "+15005550007", source: "import", reason: "a list" },
          { phoneNumber: "+15005550008", source: "import", reason: null },
        ]);
        expect((await world.suppressions.get(owner, "+15005550008"))?.history).toMatchObject([
          { action: "listed", source: "import", by: "key_1" },
        ]);
      });

      it("has an id for each entry: one that comes back is another", async () => {
        await world.tell(owner);
        await world.suppressions.add(owner, NUMBER, null, "key_1");
        await world.suppressions.takeOff(owner, NUMBER, "key_1", []);
        await world.suppressions.add(owner, NUMBER, null, "key_1");
        expect(new Set((await told()).map(({ eventId }) => eventId)).size).toBe(2);
      });

      it("is not made for an owner whose endpoint does not take it", async () => {
        await world.optOuts.list(heard());
        expect(await world.told(owner)).toEqual([]);
      });
    });
  });
}
