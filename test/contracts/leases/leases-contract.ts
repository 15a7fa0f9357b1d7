import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Leases } from "../../../application/ports/leases.ts";
import type { LeasesSeen } from "../../../simulation/memory/leases.ts";

export type LeasesWorld = {
  readonly leases: Leases & LeasesSeen;
  readonly pass: (millis: number) => Promise<void>;
  readonly end: () => Promise<void>;
};

const TTL = 60_000;

/** Exclusive, expiring ownership. */
export function leasesContract(makeWorld: () => Promise<LeasesWorld>): void {
  let world: LeasesWorld;
  let leases: Leases & LeasesSeen;
  let number = 0;
  let name: string;
  beforeAll(async () => {
    world = await makeWorld();
    leases = world.leases;
  });
  afterAll(() => world.end());
  beforeEach(() => {
    number += 1;
    name = `campaign ${number}`;
  });

  it("gives a free name to the first who asks, and to nobody else", async () => {
    expect(await leases.acquire(name, "a", TTL)).toBe(true);
    expect(await leases.acquire(name, "b", TTL)).toBe(false);
    expect(await leases.holder(name)).toBe("a");
  });

  it("gives it to exactly one of many who ask at once", async () => {
    const holders = Array.from({ length: 12 }, (_, index) => `holder ${index}`);
    const got = await Promise.all(holders.map((holder) => leases.acquire(name, holder, TTL)));
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  it("prolongs what its holder acquires again", async () => {
    await leases.acquire(name, "a", TTL);
    await world.pass(TTL - 10_000);
    expect(await leases.acquire(name, "a", TTL)).toBe(true);
    await world.pass(TTL - 10_000);
    expect(await leases.holder(name)).toBe("a");
  });

  it("is nobody's after its time, and anybody's who asks then", async () => {
    await leases.acquire(name, "a", TTL);
    await world.pass(TTL + 1);
    expect(await leases.holder(name)).toBeNull();
    expect(await leases.acquire(name, "b", TTL)).toBe(true);
  });

  it("renews what its holder still holds, and says which", async () => {
    const [lost, others] = [`${name} lost`, `${name} others`];
    await leases.acquire(name, "a", TTL);
    await leases.acquire(lost, "a", 1_000);
    await leases.acquire(others, "b", TTL);
    await world.pass(10_000);
    const renewed = await leases.renew([name, lost, others, `${name} unknown`], "a", TTL);
    expect(renewed).toEqual(new Set([name]));
    await world.pass(TTL - 5_000);
    expect(await leases.holder(name)).toBe("a");
  });

  it("renews nothing for no names", async () => {
    expect(await leases.renew([], "a", TTL)).toEqual(new Set());
  });

  it("is free at once when its holder releases it", async () => {
    await leases.acquire(name, "a", TTL);
    await leases.release(name, "b");
    expect(await leases.holder(name)).toBe("a");
    await leases.release(name, "a");
    expect(await leases.acquire(name, "b", TTL)).toBe(true);
  });

  it("finds what was acquired and not renewed in time, the longest lapsed first", async () => {
    const [first, second, held] = [`${name}/first`, `${name}/second`, `${name}/held`];
    await leases.acquire(second, "a", 2_000);
    await leases.acquire(first, "a", 1_000);
    await leases.acquire(held, "a", TTL);
    await world.pass(10_000);
    expect(await leases.abandoned(`${name}/`, 10)).toEqual([first, second]);
    expect(await leases.abandoned(`${name}/`, 1)).toEqual([first]);
  });

  it("finds nothing abandoned that was released or taken over", async () => {
    const [released, taken] = [`${name}/released`, `${name}/taken`];
    await leases.acquire(released, "a", 1_000);
    await leases.acquire(taken, "a", 1_000);
    await world.pass(10_000);
    await leases.release(released, "a");
    await leases.acquire(taken, "b", TTL);
    expect(await leases.abandoned(`${name}/`, 10)).toEqual([]);
  });

  it("finds what a process held that goes by its old name again, and nothing of others", async () => {
    await leases.acquire(`${name}/before`, "a", TTL);
    await leases.acquire(`${name}/of another`, "b", TTL);
    expect(await leases.abandoned(`${name}/`, 10, "a")).toEqual([`${name}/before`]);
  });

  it("takes a prefix as it is written", async () => {
    await leases.acquire(`${name}x%`, "a", 1_000);
    await world.pass(10_000);
    expect(await leases.abandoned(`${name}%`, 10)).toEqual([]);
    expect(await leases.abandoned(`${name}x%`, 10)).toEqual([`${name}x%`]);
  });
}
