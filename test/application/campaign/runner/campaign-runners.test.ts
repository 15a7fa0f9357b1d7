import { describe, expect, it } from "vitest";
import { STREAM } from "./runner-world.ts";
import { LEASE, LONG_MILLIS, runnersOf, WAITING } from "./runners-world.ts";

describe("campaigns that nobody runs", () => {
  it("are looked for four times in the life of a lease, also after a failure", async () => {
    const tries: number[] = [];
    const { runs, passed, said, holder, runners } = await runnersOf(WAITING, {
      differing: ({ leases, clock }) => ({
        leases: {
          ...leases,
          abandoned: async (...args) => {
            tries.push(clock.monotonicMillis());
            if (tries.length === 1) throw new TypeError("away");
            return leases.abandoned(...args);
          },
        },
      }),
    });
    await runners.announce("cmp_1");
    const { ends } = runs();
    await passed(5_001);
    expect(tries).toEqual([0, 2_500, 5_000]);
    const why = { error: new TypeError("away") };
    expect(said).toEqual([["error", "abandoned campaigns not taken over; tries again", why]]);
    expect(await holder()).toBe("one");
    await ends();
  });

  it("are left for the next look when one cannot be taken now", async () => {
    let fails = false;
    const { runs, passed, said, holder, runners } = await runnersOf(WAITING, {
      differing: ({ leases }) => ({
        leases: {
          ...leases,
          acquire: async (...args) => {
            if (fails) throw new TypeError("away");
            return leases.acquire(...args);
          },
        },
      }),
    });
    await runners.announce("cmp_1");
    fails = true;
    await passed(2);
    const { ends } = runs();
    await passed(100);
    fails = false;
    await passed(2_500);
    const why = { error: new TypeError("away") };
    expect(said).toEqual([["error", "abandoned campaigns not taken over; tries again", why]]);
    expect([await holder(), runners.status().parked]).toEqual(["one", 0]);
    await ends();
  });

  it("are taken up at once by the process that held them before it was started again", async () => {
    const { stores, runs, passed, holder, runners } = await runnersOf(WAITING);
    await stores.leases.acquire(LEASE, "one", LONG_MILLIS);
    const { ends } = runs();
    await passed(10);
    expect([await holder(), runners.oldestDueSince()]).toEqual(["one", null]);
    await ends();
    await passed(2);
    expect(await holder()).toBeNull();
  });

  it("are not taken by a process that keeps none", async () => {
    const { runs, passed, holder, runners } = await runnersOf(WAITING, { keeps: false });
    await runners.announce("cmp_1");
    const { ends } = runs();
    await passed(10_000);
    expect(await holder()).toBeNull();
    await ends();
  });

  it("are searched for the moment that one is heard to start by itself, and half a second later", async () => {
    const tries: number[] = [];
    const { runs, passed, store } = await runnersOf([], {
      differing: ({ leases, clock }) => ({
        leases: {
          ...leases,
          abandoned: async () => {
            tries.push(clock.monotonicMillis());
            return [];
          },
        },
      }),
    });
    const { ends } = runs();
    await passed(1_000);
    await store(STREAM, ...WAITING);
    await passed(1_000);
    expect([tries.length, tries[0]]).toEqual([3, 0]);
    expect(tries[1]).toBeGreaterThanOrEqual(1_000);
    expect(tries[1]).toBeLessThan(1_100);
    expect((tries[2] ?? 0) - (tries[1] ?? 0)).toBe(500);
    await ends();
  });
});

describe("a campaign that cannot be read", () => {
  it("is left aside, and holds no other up", async () => {
    const { stores, runs, passed, said, holder, runners } = await runnersOf(WAITING, {
      gone: new Set(["campaign-cmp_0"]),
    });
    await stores.leases.acquire("campaign:cmp_0", "two", 1);
    await stores.leases.acquire(LEASE, "two", 1);
    await passed(2);
    const { ends } = runs();
    await passed(10);
    expect(await holder()).toBe("one");
    expect(said).toMatchObject([
      ["error", "left aside for good", { processor: "campaign-runner", campaignId: "cmp_0" }],
    ]);
    expect(runners.status()).toMatchObject({ name: "campaign-runner", parked: 1 });
    await ends();
  });

  const unreadable = async (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `cmp_x${index}`);
    const known = await runnersOf(WAITING, { gone: new Set(ids.map((id) => `campaign-${id}`)) });
    for (const id of ids) await known.stores.leases.acquire(`campaign:${id}`, "two", 1);
    await known.passed(2);
    const { ends } = known.runs();
    await known.passed(100);
    return { ...known, ends };
  };

  it("is left to others for a day", async () => {
    const { passed, seen, ends } = await unreadable(99);
    await passed(5_000);
    expect(seen.acquired).toHaveLength(99);
    await ends();
  });

  it("hides no other one behind a hundred of its kind", async () => {
    const { stores, passed, holder, ends } = await unreadable(100);
    await stores.leases.acquire(LEASE, "two", 1);
    await passed(5_000);
    expect(await holder()).toBe("one");
    await ends();
  });
});

describe("leases that cannot be renewed", () => {
  it("are tried again a third of their life later", async () => {
    let fails = true;
    const { runs, passed, runners, said, holder } = await runnersOf(WAITING, {
      differing: ({ leases }) => ({
        leases: {
          ...leases,
          renew: async (...args) => {
            if (fails) throw new TypeError("away");
            return leases.renew(...args);
          },
        },
      }),
    });
    await runners.announce("cmp_1");
    await passed(2);
    const { ends } = runs();
    await passed(3_400);
    expect(said).toEqual([["error", "leases not renewed; tries again", { error: new TypeError("away") }]]);
    fails = false;
    await passed(10_000);
    expect([await holder(), said.length]).toEqual(["one", 1]);
    await ends();
  });
});
