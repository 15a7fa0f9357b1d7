import { describe, expect, it } from "vitest";
import { groupCommit } from "../../../../infrastructure/webhook/outbox/postgres-outbox.ts";

describe("groupCommit", () => {
  it("runs what waits together, one group at a time", async () => {
    const groups: number[][] = [];
    let running = 0;
    const commit = groupCommit<number>(async (items) => {
      expect(++running).toBe(1);
      groups.push([...items]);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    }, 100);
    const first = commit([1, 2]);
    const second = commit([3]);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, second, commit([4])]);
    expect(groups).toEqual([[1, 2, 3], [4]]);
  });

  it("fails for every caller of a group that fails, and goes on with the next", async () => {
    const commit = groupCommit<string>((items) => {
      return items.includes("bad") ? Promise.reject(new Error("refused")) : Promise.resolve();
    }, 1);
    const results = await Promise.allSettled([commit(["bad"]), commit(["good"])]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("does not run the items of a group that failed one by one: what failed it concerns all", async () => {
    let runs = 0;
    const commit = groupCommit<string>(() => {
      runs += 1;
      return Promise.reject(new Error("the database is away"));
    }, 10);
    const results = await Promise.allSettled([commit(["one"]), commit(["other"])]);
    expect([results.map(({ status }) => status), runs]).toEqual([["rejected", "rejected"], 1]);
  });

  it("keeps groups to their largest size, and never splits one caller's items", async () => {
    const groups: number[] = [];
    const commit = groupCommit<number>(async (items) => void groups.push(items.length), 10);
    await Promise.all([commit(Array(8).fill(0)), commit(Array(8).fill(0)), commit(Array(25).fill(0))]);
    expect(groups).toEqual([8, 8, 25]);
  });

  it("runs nothing for nothing", async () => {
    const commit = groupCommit(() => Promise.reject(new Error("must not run")), 10);
    await expect(commit([])).resolves.toBeUndefined();
  });
});
