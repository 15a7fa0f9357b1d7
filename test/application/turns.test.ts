import { describe, expect, it } from "vitest";
import { createTurns } from "../../application/turns.ts";

const refusal = () => new Error("busy");

/** Work that begins when its turn comes, and ends when the test says so. */
function watched(limits: { readonly atOnce: number; readonly waitingOfOne: number }) {
  const turns = createTurns({ ...limits, refusal });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (whose: string, name = whose) =>
    turns(whose, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, take, end };
}

describe("turns", () => {
  it("run so many at once, the others in the order in which they came", async () => {
    const { begun, take, end } = watched({ atOnce: 2, waitingOfOne: 9 });
    const all = ["a", "b", "c", "d"].map((whose) => take(whose));
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c", "d"]) await end(name);
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  });

  it("never run two of one at the same time, so that nobody takes them all", async () => {
    const { begun, take, end } = watched({ atOnce: 2, waitingOfOne: 9 });
    const all = [take("a", "a1"), take("a", "a2"), take("b"), take("c")];
    expect(begun).toEqual(["a1", "b"]);
    await end("b");
    expect(begun).toEqual(["a1", "b", "c"]);
    await end("a1");
    expect(begun).toEqual(["a1", "b", "c", "a2"]);
    for (const name of ["c", "a2"]) await end(name);
    await Promise.all(all);
  });

  it("refuse whoever is one too many of one that wait, and none of another", async () => {
    const { begun, take, end } = watched({ atOnce: 1, waitingOfOne: 1 });
    const all = [take("a", "a1"), take("a", "a2")];
    await expect(take("a", "a3")).rejects.toThrow("busy");
    all.push(take("b"));
    for (const name of ["a1", "a2", "b"]) await end(name);
    await Promise.all(all);
    expect(begun).toEqual(["a1", "a2", "b"]);
  });

  it("go on after work that failed", async () => {
    const turns = createTurns({ atOnce: 1, waitingOfOne: 1, refusal });
    const failed = turns("a", () => Promise.reject(new Error("away")));
    const after = turns("b", async () => "done");
    await expect(failed).rejects.toThrow("away");
    expect(await after).toBe("done");
  });
});
