import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClaimedDelivery } from "../../../application/ports/delivery-store.ts";
import { erasedBody } from "../../../application/webhook/erased-body.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { HELD_MILLIS } from "../../../domain/webhook/endpoint-health.ts";
import { ALL_KINDS, DEFAULT_KINDS } from "../../../domain/webhook/kinds.ts";
import {
  anyEntry,
  campaignEntry,
  claim,
  DELIVERED,
  ended,
  entry,
  numberEntry,
  type OutboxWorld,
  other,
  owner,
  retired,
  retryAt,
} from "./world.ts";

/** What every outbox promises (docs/delivery.md); memory and PostgreSQL pass the same cases. */
export function webhookOutboxContract(name: string, open: () => Promise<OutboxWorld>): void {
  describe(name, () => {
    let world: OutboxWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const claimOne = async (version = 1): Promise<ClaimedDelivery> => {
      const [delivery] = await claim(world, 1, version);
      if (delivery === undefined) throw new Error("nothing was due");
      return delivery;
    };

    describe("enqueue", () => {
      it("queues nothing while the owner never set an endpoint", async () => {
        await world.outbox.enqueue([entry("call.ended")]);
        await world.putEndpoint(owner);
        expect(await claim(world)).toEqual([]);
        expect(world.queued).toEqual([]);
      });

      it("queues an event once, however often and with whatever body it comes again", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended"), entry("call.ended")]);
        await world.outbox.enqueue([{ ...entry("call.ended"), body: "{}" }]);
        const claimed = await claim(world);
        expect(claimed.map(({ body }) => body)).toEqual([entry("call.ended").body]);
      });

      it("queues an event once when it comes many times at the same moment", async () => {
        await world.putEndpoint(owner);
        await Promise.all(Array.from({ length: 20 }, () => world.outbox.enqueue([entry("call.ended")])));
        expect(await claim(world)).toHaveLength(1);
      });

      it("queues only the kinds that the endpoint asks for", async () => {
        await world.putEndpoint(owner, { events: ["call.ended"] });
        await world.outbox.enqueue([entry("call.started"), entry("call.ended")]);
        expect((await claim(world)).map(({ eventId }) => eventId)).toEqual(["call.ended call_1"]);
      });

      it.each(ALL_KINDS)("queues %s for an endpoint that names it, and for no other", async (kind) => {
        await world.putEndpoint(owner, { events: ALL_KINDS.filter((each) => each !== kind) });
        expect(await world.outbox.takes(owner, kind)).toBe(false);
        await world.outbox.enqueue([anyEntry(kind)]);
        const version = await world.putEndpoint(owner, { events: [kind] });
        expect(await claim(world, 10, version)).toEqual([]);
        expect(await world.outbox.takes(owner, kind)).toBe(true);
        expect(await world.outbox.takes(other, kind)).toBe(false);
        await world.outbox.enqueue([{ ...anyEntry(kind), eventId: "again" }]);
        expect((await claim(world, 10, version)).map(({ eventId }) => eventId)).toEqual(["again"]);
      });

      it("queues the default kinds alone for an endpoint that names none", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue(ALL_KINDS.map(anyEntry));
        expect(await world.statuses(owner)).toHaveLength(DEFAULT_KINDS.length);
      });

      it("tells whose deliveries were queued", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended"), entry("call.ended", "2", other)]);
        expect(world.queued).toEqual([owner]);
      });

      it("holds what comes for an endpoint that is disabled, and frees it when it is enabled", async () => {
        await world.putEndpoint(owner, { enabled: false });
        await world.outbox.enqueue([entry("call.ended")]);
        expect(await world.statuses(owner)).toEqual(["held"]);
        const version = await world.putEndpoint(owner);
        expect(await claim(world, 10, version)).toHaveLength(1);
      });
    });

    describe("pending ends", () => {
      const callId: CallId = "call_1";
      const end = (millis: number) => ({ callId, owner, due: plusMillis(world.clock.now(), millis) });

      it("are due at their time, the longest due first", async () => {
        await world.outbox.deferEnds([end(2_000), { ...end(1_000), callId: "call_2" }]);
        expect(await world.outbox.nextEndDue()).toBe(end(1_000).due);
        expect(await world.outbox.dueEnds(end(999).due, 10)).toEqual([]);
        const due = await world.outbox.dueEnds(end(2_000).due, 10);
        expect(due).toEqual([{ ...end(1_000), callId: "call_2" }, end(2_000)]);
      });

      it("keep their earliest time", async () => {
        await world.outbox.deferEnds([end(5_000)]);
        await world.outbox.deferEnds([end(9_000)]);
        expect(await world.outbox.nextEndDue()).toBe(end(5_000).due);
        await world.outbox.deferEnds([end(1_000)]);
        expect(await world.outbox.nextEndDue()).toBe(end(1_000).due);
        await world.outbox.deferEnds([{ ...end(900), callId: "call_2" }, end(800), end(700), end(950)]);
        expect(await world.outbox.dueEnds(end(9_000).due, 10)).toEqual([
          end(700),
          { ...end(900), callId: "call_2" },
        ]);
      });

      it("are cleared by the call.ended of their call, also when no endpoint takes it", async () => {
        await world.outbox.deferEnds([end(1_000)]);
        await world.outbox.enqueue([entry("call.ended")]);
        expect(await world.outbox.nextEndDue()).toBeNull();
      });

      it("are known to wait until then", async () => {
        await world.outbox.deferEnds([end(1_000)]);
        expect([await world.outbox.endWaits(callId), await world.outbox.endWaits("call_2")]).toEqual([
          true,
          false,
        ]);
        await world.outbox.enqueue([entry("call.ended")]);
        expect(await world.outbox.endWaits(callId)).toBe(false);
      });

      it("wait no more when they are dropped, and leave the others waiting", async () => {
        await world.outbox.deferEnds([end(1_000), { ...end(2_000), callId: "call_2" }]);
        await world.outbox.dropEnds([callId]);
        await world.outbox.dropEnds([callId, "call_unknown"]);
        expect((await world.outbox.dueEnds(end(9_000).due, 10)).map((due) => due.callId)).toEqual(["call_2"]);
      });

      it("are not made for a call whose call.ended is queued, and not cleared by its call.started", async () => {
        await world.putEndpoint(owner);
        await world.outbox.deferEnds([{ ...end(1_000), callId: "call_2" }]);
        await world.outbox.enqueue([entry("call.ended"), entry("call.started", "2")]);
        await world.outbox.deferEnds([end(1_000)]);
        expect((await world.outbox.dueEnds(end(9_000).due, 10)).map((due) => due.callId)).toEqual(["call_2"]);
      });
    });

    describe("claim", () => {
      it("hands out each delivery once, oldest due first, with its attempt counted", async () => {
        await world.putEndpoint(owner);
        for (const call of ["1", "2", "3"]) {
          await world.outbox.enqueue([entry("call.ended", call)]);
          world.clock.advance(1);
        }
        const first = await claim(world, 2);
        expect(first.map(({ eventId, attempt }) => [eventId, attempt])).toEqual([
          ["call.ended call_1", 1],
          ["call.ended call_2", 1],
        ]);
        expect((await claim(world, 2)).map(({ eventId }) => eventId)).toEqual(["call.ended call_3"]);
        expect(await claim(world)).toEqual([]);
      });

      it("hands out many at once in the order in which they are due, those of one moment by their ids", async () => {
        await world.putEndpoint(owner);
        const count = 40;
        await world.outbox.enqueue(
          Array.from({ length: count }, (_, index) => entry("call.ended", String(index))),
        );
        const first = await claim(world, count);
        const ids = first.map(({ id }) => id);
        expect(ids).toEqual(ids.toSorted());
        const now = world.clock.nowMillis();
        // Two become due with each millisecond, the last ones first.
        const retries = first.map((delivery, index) =>
          ended(world, delivery, retryAt(now + Math.floor((count - 1 - index) / 2))),
        );
        await world.store.record(retries, []);
        world.clock.advance(count);
        const again = (await claim(world, count)).map(({ id }) => ids.indexOf(id));
        const pairs = Array.from({ length: count / 2 }, (_, pair) => count - 2 - 2 * pair);
        expect(again).toEqual(pairs.flatMap((at) => [at, at + 1]));
      });

      it("hands out nothing twice to claims of the same moment", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue(
          Array.from({ length: 40 }, (_, index) => entry("call.ended", String(index))),
        );
        const claims = await Promise.all(Array.from({ length: 8 }, () => claim(world, 10)));
        const ids = claims.flat().map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      });

      it("hands out nothing for settings of another version", async () => {
        const version = await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        expect(await claim(world, 10, version + 1)).toEqual([]);
      });

      it("keeps the body byte for byte on every attempt", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const first = await claimOne();
        await world.store.record([ended(world, first, retryAt(world.clock.nowMillis()))], []);
        const second = await claimOne();
        expect(second.body).toBe(entry("call.ended").body);
        expect(second).toMatchObject({ id: first.id, attempt: 2, failures: 1 });
      });

      it("sends nothing but the emptied body once the words of its call are erased", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        await world.outbox.emptyCalls(["call_1", "call_unknown"]);
        await world.outbox.emptyCalls(["call_1"]);
        const claimed = await claimOne();
        expect(claimed.body).toBe(erasedBody(entry("call.ended").body));
        expect(claimed.body).toContain('"erased":true');
      });

      it("gives back a start that was never sent, uncounted", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        await world.store.giveBack([await claimOne()]);
        expect(await claimOne()).toMatchObject({ attempt: 1 });
      });
    });

    describe("order within a call", () => {
      const startThenEnd = async (): Promise<ClaimedDelivery> => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended"), entry("call.started")]);
        const claimed = await claim(world);
        expect(claimed.map(({ eventId }) => eventId)).toEqual(["call.started call_1"]);
        const [started] = claimed;
        if (started === undefined) throw new Error("no call.started");
        return started;
      };

      it("holds call.ended back until call.started is delivered", async () => {
        const started = await startThenEnd();
        expect(await claim(world)).toEqual([]);
        await world.store.record([ended(world, started, DELIVERED)], []);
        expect(await claimOne()).toMatchObject({ eventId: "call.ended call_1" });
      });

      it("holds call.ended back until call.started has failed three times", async () => {
        let started = await startThenEnd();
        for (const failures of [1, 2]) {
          await world.store.record([ended(world, started, retryAt(world.clock.nowMillis(), failures))], []);
          const claimed = await claim(world);
          expect(claimed.map(({ id }) => id)).toEqual([started.id]);
          started = { ...started, attempt: claimed[0]?.attempt ?? 0 };
        }
        const later = world.clock.nowMillis() + 60_000;
        await world.store.record([ended(world, started, retryAt(later, 3))], []);
        expect(await claimOne()).toMatchObject({ eventId: "call.ended call_1" });
      });

      it("lets call.ended go when call.started is dead", async () => {
        const started = await startThenEnd();
        const dead = { class: "refused", status: "dead", failures: 1, nextAttemptAtMillis: null } as const;
        await world.store.record([ended(world, started, dead)], []);
        expect(await claimOne()).toMatchObject({ eventId: "call.ended call_1" });
      });

      it("never lets one call wait for another", async () => {
        await startThenEnd();
        await world.outbox.enqueue([entry("call.ended", "2")]);
        expect(await claimOne()).toMatchObject({ eventId: "call.ended call_2" });
      });
    });

    describe("order within a campaign", () => {
      const [started, paused, resumed] = [
        campaignEntry("campaign.started", 4),
        campaignEntry("campaign.paused", 5),
        campaignEntry("campaign.resumed", 9),
      ];
      const openEndpoint = () => world.putEndpoint(owner, { events: [...ALL_KINDS] });

      it("holds each event back until the one before is delivered, told together or one by one", async () => {
        await openEndpoint();
        await world.outbox.enqueue([paused, started]);
        await world.outbox.enqueue([resumed]);
        for (const next of [started, paused, resumed]) {
          const delivery = await claimOne();
          expect(delivery.eventId).toBe(next.eventId);
          expect(await claim(world)).toEqual([]);
          await world.store.record([ended(world, delivery, DELIVERED)], []);
        }
      });

      it("lets the next one go after three failures of the one before", async () => {
        await openEndpoint();
        await world.outbox.enqueue([started, paused]);
        const first = await claimOne();
        const later = world.clock.nowMillis() + 60_000;
        await world.store.record([ended(world, first, retryAt(later, 2))], []);
        expect(await claim(world)).toEqual([]);
        const again = { ...first, attempt: 1 };
        world.clock.advance(60_000);
        again.attempt = (await claimOne()).attempt;
        await world.store.record([ended(world, again, retryAt(later + 60_000, 3))], []);
        expect(await claimOne()).toMatchObject({ eventId: paused.eventId });
      });

      it("waits for nothing of other campaigns, and not for the campaign's calls", async () => {
        await openEndpoint();
        await world.outbox.enqueue([
          started,
          campaignEntry("campaign.started", 7, "2"),
          { ...entry("call.started"), campaignId: started.campaignId },
        ]);
        expect(await claim(world)).toHaveLength(3);
      });
    });

    describe("order of a number", () => {
      it("sends a number's second entry after its first, and waits for no other number, call or campaign", async () => {
        await world.putEndpoint(owner, { events: [...ALL_KINDS] });
        await world.outbox.enqueue([numberEntry(2), numberEntry(1), numberEntry(1, "+15005550007")]);
        await world.outbox.enqueue([entry("call.started"), campaignEntry("campaign.started", 1)]);
        const first = await claim(world);
        const ids = [numberEntry(1), numberEntry(1, "+15005550007"), entry("call.started")];
        expect(first.map(({ eventId }) => eventId).toSorted()).toEqual(
          [...ids, campaignEntry("campaign.started", 1)].map(({ eventId }) => eventId).toSorted(),
        );
        await world.store.record(
          first.map((each) => ended(world, each, DELIVERED)),
          [],
        );
        expect(await claimOne()).toMatchObject({ eventId: numberEntry(2).eventId });
      });
    });

    describe("record", () => {
      it("makes a retry due at its time", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const at = world.clock.nowMillis() + 5_000;
        await world.store.record([ended(world, await claimOne(), retryAt(at))], []);
        world.clock.advance(4_999);
        expect(await claim(world)).toEqual([]);
        world.clock.advance(1);
        expect(await claim(world)).toHaveLength(1);
      });

      it("leaves an attempt that was recorded before as it is", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const delivery = await claimOne();
        await world.store.record([ended(world, delivery, DELIVERED)], []);
        await world.store.record([ended(world, delivery, retryAt(0))], []);
        expect(await world.statuses(owner)).toEqual(["delivered"]);
        expect(await world.attemptClasses(delivery)).toEqual(["delivered"]);
      });

      it.each(["gone", "failing", "misconfigured"] as const)(
        "takes an endpoint out of use as %s, and holds everything that waits",
        async (reason) => {
          await world.putEndpoint(owner);
          await world.outbox.enqueue([entry("call.ended"), entry("call.ended", "2")]);
          const held = { class: "gone", status: "held", failures: 0, nextAttemptAtMillis: null } as const;
          await world.store.record([ended(world, await claimOne(), held)], [retired(world, reason)]);
          expect(await world.statuses(owner)).toEqual(["held", "held"]);
          const [leased] = await world.store.lease("w1", [owner], 1_000);
          expect(leased).toMatchObject({ inUse: false, version: 2 });
        },
      );

      it("retires nothing by an attempt that was made with older settings", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const delivery = await claimOne();
        const version = await world.putEndpoint(owner);
        const held = { class: "gone", status: "held", failures: 0, nextAttemptAtMillis: null } as const;
        await world.store.record([ended(world, delivery, held)], [retired(world, "gone", 1)]);
        expect(await claim(world, 10, version)).toHaveLength(1);
      });

      it("keeps an endpoint's health for the next deliverer", async () => {
        await world.putEndpoint(owner);
        const breaker = {
          failures: 7,
          openUntilMillis: world.clock.nowMillis() + 30_000,
          waitMillis: 60_000,
        };
        const health = { breaker, silentSinceMillis: world.clock.nowMillis() - 1_000, exhausted: true };
        const record = {
          owner,
          version: 1,
          health,
          proven: true,
          retire: null,
          atMillis: world.clock.nowMillis(),
        };
        await world.store.record([], [record]);
        expect(await world.store.lease("w1", [owner], 1_000)).toMatchObject([{ health, proven: true }]);
        const closed = { ...health, breaker: { ...breaker, openUntilMillis: null } };
        await world.store.record([], [{ ...record, health: closed, proven: false }]);
        expect(await world.store.lease("w1", [owner], 1_000)).toMatchObject([
          { health: closed, proven: false },
        ]);
      });
    });

    describe("hold", () => {
      it("holds what waits of an endpoint that is out of use, for seven days, and of no other", async () => {
        await world.putEndpoint(owner);
        await world.putEndpoint(other);
        await world.outbox.enqueue([entry("call.ended"), entry("call.ended", "2", other)]);
        const started = await claimOne();
        await world.putEndpoint(owner, { enabled: false });
        await world.store.giveBack([started]);
        expect(await world.statuses(owner)).toEqual(["pending"]);
        await world.store.hold([owner, other], world.clock.nowMillis());
        expect([await world.statuses(owner), await world.statuses(other)]).toEqual([["held"], ["pending"]]);
        world.clock.advance(HELD_MILLIS - 1);
        expect(await world.store.retire(world.clock.nowMillis(), 10)).toBe(0);
        world.clock.advance(1);
        expect(await world.store.retire(world.clock.nowMillis(), 10)).toBe(1);
        expect(await world.statuses(owner)).toEqual(["dead"]);
      });
    });

    describe("attempts of a process that died", () => {
      it("are logged as unknown and due again with the same event id", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const lost = await claimOne();
        world.clock.advance(20_001);
        const now = world.clock.nowMillis();
        expect(await world.store.recoverUnknown([owner], now - 20_000, now, [])).toBe(1);
        expect(await world.attemptClasses(lost)).toEqual(["unknown"]);
        expect(await claimOne()).toMatchObject({
          eventId: lost.eventId,
          attempt: 2,
          failures: 0,
          recovering: true,
        });
      });

      it("are not touched before their time, nor while this process has them under way", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const { id } = await claimOne();
        const now = world.clock.nowMillis();
        expect(await world.store.recoverUnknown([owner], now, now, [])).toBe(0);
        expect(await world.store.recoverUnknown([owner], now + 1, now, [id])).toBe(0);
        expect(await world.store.recoverUnknown([other], now + 1, now, [])).toBe(0);
      });

      it("leave alone the others that were started with them", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended", "1"), entry("call.ended", "2")]);
        const [lost, known] = await claim(world);
        if (lost === undefined || known === undefined) throw new Error("two were due");
        const now = world.clock.nowMillis() + 1;
        expect(await world.store.recoverUnknown([owner], now, now, [known.id])).toBe(1);
        world.clock.advance(1);
        expect((await claim(world)).map(({ id, attempt }) => [id, attempt])).toEqual([[lost.id, 2]]);
        await world.store.record([ended(world, known, DELIVERED)], []);
        expect(await world.attemptClasses(known)).toEqual(["delivered"]);
        expect((await world.statuses(owner)).toSorted()).toEqual(["delivered", "sending"]);
      });

      it("are not given back, nor ended, by who had them before", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const lost = await claimOne();
        const now = world.clock.nowMillis() + 1;
        await world.store.recoverUnknown([owner], now, now, []);
        world.clock.advance(1);
        await claimOne();
        await world.store.giveBack([lost]);
        await world.store.record([ended(world, lost, DELIVERED)], []);
        expect(await world.statuses(owner)).toEqual(["sending"]);
        expect(await claim(world)).toEqual([]);
      });

      it("do not count when their end comes after all", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        const lost = await claimOne();
        const now = world.clock.nowMillis();
        await world.store.recoverUnknown([owner], now + 1, now, []);
        await world.store.record([ended(world, lost, DELIVERED)], []);
        expect(await world.statuses(owner)).toEqual(["retrying"]);
      });
    });

    describe("owners", () => {
      it("are due with something to deliver or to recover, and not before", async () => {
        await world.putEndpoint(owner);
        expect(await world.store.dueOwners("w1", world.clock.nowMillis(), 10)).toEqual([]);
        await world.outbox.enqueue([entry("call.ended")]);
        expect(await world.store.dueOwners("w1", world.clock.nowMillis(), 10)).toEqual([owner]);
        const delivery = await claimOne();
        expect(await world.store.dueOwners("w1", world.clock.nowMillis(), 10)).toEqual([owner]);
        await world.store.record([ended(world, delivery, retryAt(world.clock.nowMillis() + 1))], []);
        expect(await world.store.dueOwners("w1", world.clock.nowMillis(), 10)).toEqual([]);
      });

      it("belong to one worker at a time", async () => {
        await world.putEndpoint(owner);
        await world.outbox.enqueue([entry("call.ended")]);
        expect(await world.store.lease("w1", [owner, other], 60_000)).toHaveLength(1);
        expect(await world.store.lease("w2", [owner], 60_000)).toEqual([]);
        expect(await world.store.dueOwners("w2", world.clock.nowMillis(), 10)).toEqual([]);
        expect(await world.store.lease("w1", [owner], 60_000)).toHaveLength(1);
        await world.store.release("w1", [owner]);
        expect(await world.store.lease("w2", [owner], 60_000)).toHaveLength(1);
      });
    });

    describe("time", () => {
      it("lets what is held for seven days die", async () => {
        await world.putEndpoint(owner, { enabled: false });
        await world.outbox.enqueue([entry("call.ended")]);
        await world.outbox.enqueue([entry("call.ended", "2")]);
        world.clock.advance(HELD_MILLIS - 1);
        expect(await world.store.retire(world.clock.nowMillis(), 10)).toBe(0);
        expect(await world.statuses(owner)).toEqual(["held", "held"]);
        world.clock.advance(1);
        for (const left of [1, 0]) {
          expect(await world.store.retire(world.clock.nowMillis(), 1)).toBe(1);
          const held = (await world.statuses(owner)).filter((status) => status === "held");
          expect(held).toHaveLength(left);
        }
        expect(await world.statuses(owner)).toEqual(["dead", "dead"]);
      });

      it("tells the oldest event that is not delivered, held ones too", async () => {
        expect(await world.store.oldestUndelivered()).toBeNull();
        await world.putEndpoint(owner, { enabled: false });
        const queuedAt = world.clock.nowMillis();
        await world.outbox.enqueue([entry("call.ended")]);
        world.clock.advance(5_000);
        expect(await world.store.oldestUndelivered()).toBe(queuedAt);
      });
    });
  });
}
