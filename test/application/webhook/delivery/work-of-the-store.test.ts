import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { type WatchedDeliveryStore, watchedDeliveryStore } from "../../../support/watched-delivery-store.ts";
import {
  type LoopWorld,
  urlOf,
  webhookEntry,
  webhookLoopWorld,
} from "../../../support/webhook-loop-world.ts";

/** How often the loop asks its store: an idle service leaves the database alone. */
const owner: OwnerId = "usr_a";
const other: OwnerId = "usr_b";

let store: WatchedDeliveryStore;
let world: LoopWorld;
beforeEach(async () => {
  store = watchedDeliveryStore();
  world = webhookLoopWorld({ wrapStore: store.wrap });
  await world.settle();
});
afterEach(() => world.close());

/** An endpoint that answers at once, with one webhook delivered. */
async function known(of: OwnerId): Promise<void> {
  world.putEndpoint(of);
  world.receivers.always(urlOf(of), 200);
  await world.enqueue(webhookEntry(of, `proof${of}`));
}
const forget = () => {
  for (const calls of Object.values(store.given)) calls.length = 0;
};

describe("a claim", () => {
  it("is about those alone for whom something may be due", async () => {
    await known(owner);
    await known(other);
    forget();
    for (const call of ["1", "2", "3"]) await world.enqueue(webhookEntry(other, call));
    const claimed = store.given.claim.flatMap(([claims]) => claims.map((claim) => claim.owner));
    expect(claimed.length).toBeGreaterThan(0);
    expect(new Set(claimed)).toEqual(new Set([other]));
    expect(store.given.claim.every(([claims]) => claims.length > 0)).toBe(true);
  });

  it("is made twice for a webhook: for it, and to see that nothing is left", async () => {
    await known(owner);
    forget();
    await world.enqueue(webhookEntry(owner, "1"));
    await world.pass(5_000);
    expect(store.given.claim).toHaveLength(2);
  });
});

describe("a webhook for an endpoint", () => {
  it("that this process holds is sent without a look at leases or at what else is due", async () => {
    await known(owner);
    forget();
    await world.enqueue(webhookEntry(owner, "1"));
    expect([store.given.lease.length, store.given.dueOwners.length]).toEqual([0, 0]);
  });

  it("that it does not hold yet takes one lease, that of the endpoint, and reads no more than that", async () => {
    await known(owner);
    forget();
    await known(other);
    const asked = store.given.lease.map(([, owners]) => owners.join());
    expect([asked.length, new Set(asked)]).toEqual([1, new Set([other])]);
    expect(store.given.dueOwners).toEqual([]);
    expect(store.given.oldestUndelivered).toEqual([]);
  });
});

describe("attempts that a process lost", () => {
  it("are looked for at once when an endpoint comes to this one, then every five seconds", async () => {
    await known(owner);
    for (const to of [owner, other]) world.receivers.always(urlOf(to), null);
    await world.enqueue(webhookEntry(owner, "hangs"));
    await world.pass(5_000);
    forget();
    world.putEndpoint(other);
    await world.enqueue(webhookEntry(other, "hangs"));
    expect(store.given.recoverUnknown.map(([owners]) => owners)).toEqual([[other]]);
    forget();
    await world.pass(10_000);
    expect(store.given.recoverUnknown.map(([owners]) => owners.toSorted())).toEqual([
      [owner, other],
      [owner, other],
    ]);
  });
});

describe("an idle minute", () => {
  it("asks for due work and the oldest webhook at their pace, and for nothing else", async () => {
    forget();
    await world.pass(60_000);
    expect(store.given.dueOwners).toHaveLength(60);
    expect(store.given.oldestUndelivered).toHaveLength(4);
    const { lease, claim, giveBack, record, recoverUnknown, hold, release, retire } = store.given;
    expect([lease, claim, giveBack, record, recoverUnknown, hold, release, retire].flat()).toEqual([]);
  });

  it("looks for what is too old once in ten, and goes on while there is some", async () => {
    forget();
    for (let minute = 0; minute < 9; minute += 1) {
      world.clock.advance(60_000);
      await world.settle();
    }
    expect(store.given.retire).toHaveLength(0);
    world.clock.advance(60_000);
    await world.settle();
    expect(store.given.retire).toHaveLength(1);
  });
});

describe("ends of attempts", () => {
  const endOf = (request: { readonly answer: (status: number) => void } | undefined) => request?.answer(200);
  const recorded = () => store.given.record.map(([attempts]) => attempts.length);
  /** Nine end together: the first is written at once, then the eight of meanwhile. */
  const nineEnded = async () => {
    for (const to of [owner, other]) {
      await known(to);
      world.receivers.always(urlOf(to), null);
      await world.enqueue(...Array.from({ length: 8 }, (_, index) => webhookEntry(to, `${to}${index}`)));
    }
    forget();
    for (const request of world.receivers.open().slice(0, 9)) endOf(request);
    await world.settle();
    expect(recorded()).toEqual([1, 8]);
  };

  it("gather for five milliseconds after a busy write, to be written together", async () => {
    await nineEnded();
    for (const _of of [1, 2]) {
      endOf(world.receivers.open()[0]);
      await world.settle();
    }
    world.clock.advance(4);
    await world.settle();
    expect(recorded()).toEqual([1, 8]);
    world.clock.advance(1);
    await world.settle();
    expect(recorded()).toEqual([1, 8, 2]);
  });

  it("are written at once by a stop, which does not wait for more", async () => {
    await nineEnded();
    for (const request of world.receivers.open()) endOf(request);
    await world.settle();
    await world.loop.stop(10_000);
    expect(recorded()).toEqual([1, 8, 7]);
  });
});

describe("the lease of an endpoint", () => {
  const isHeld = () => (world.state.endpoints.get(owner)?.lease ?? null) !== null;

  it("is kept while webhooks come, and for ten seconds after the last one, whoever wakes the loop", async () => {
    await known(owner);
    for (const call of ["1", "2", "3"]) {
      await world.pass(7_000);
      await world.enqueue(webhookEntry(owner, call));
    }
    expect(store.given.release).toEqual([]);
    for (let second = 0; second < 10; second += 1) {
      world.loop.wake([owner]);
      await world.pass(1_000);
    }
    expect(isHeld()).toBe(true);
    await world.pass(1_000);
    expect(isHeld()).toBe(false);
  });

  it("is not taken any more once the loop has stopped", async () => {
    world.putEndpoint(owner);
    const letGo = store.holdLeases();
    await world.settle();
    let isStopped = false;
    const stopping = world.loop.stop(1_000).then(() => {
      isStopped = true;
    });
    await world.settle();
    expect(isStopped).toBe(false);
    letGo();
    await stopping;
    expect(isHeld()).toBe(false);
  });
});
