import { expect, it } from "vitest";
import { groupRunner } from "../../../infrastructure/postgres/group-runner.ts";

const lost = () => Object.assign(new Error("terminating connection"), { code: "57P01" });

/** Runs groups that answer ten times their numbers; notes each group. */
function recording(fail: (group: readonly number[]) => Error | null = () => null, largest = 100) {
  const groups: (readonly number[])[] = [];
  const run = groupRunner<number, number>(async (numbers) => {
    groups.push(numbers);
    const error = fail(numbers);
    if (error !== null) throw error;
    return numbers.map((number) => number * 10);
  }, largest);
  return { groups, run };
}

it("runs together what waits at the same moment, and gives each its own answer", async () => {
  const { groups, run } = recording();
  expect(await Promise.all([1, 2, 3].map(run))).toEqual([10, 20, 30]);
  expect(groups).toEqual([[1, 2, 3]]);
});

it("gathers what arrives while a group is under way", async () => {
  const { groups, run } = recording();
  const first = run(1).then(() => Promise.all([run(4), run(5)]));
  await Promise.all([first, run(2), run(3)]);
  expect(groups).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it("runs no more than the largest group at once", async () => {
  const { groups, run } = recording(undefined, 2);
  await Promise.all([1, 2, 3, 4, 5].map(run));
  expect(groups).toEqual([[1, 2], [3, 4], [5]]);
});

it("fails all of a group when the database was away, and repeats none of it", async () => {
  const { groups, run } = recording(lost);
  const ends = await Promise.allSettled([1, 2].map(run));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(groups).toEqual([[1, 2]]);
});

it("lets a wrong operation fail alone", async () => {
  const { run } = recording((group) => (group.includes(2) ? new Error("value out of range") : null));
  const ends = await Promise.allSettled([1, 2, 3].map(run));
  expect(ends).toMatchObject([
    { status: "fulfilled", value: 10 },
    { status: "rejected", reason: { message: "value out of range" } },
    { status: "fulfilled", value: 30 },
  ]);
});

it("goes on after a failure", async () => {
  let failing = true;
  const { run } = recording(() => (failing ? lost() : null));
  await expect(run(1)).rejects.toThrow("terminating");
  failing = false;
  expect(await run(2)).toBe(20);
});
