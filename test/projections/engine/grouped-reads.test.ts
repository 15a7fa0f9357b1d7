import { expect, it } from "vitest";
import type { CallId } from "../../../domain/shared/ids.ts";
import { groupedReads, inPlaces, type Wanted } from "../../../projections/engine/grouped-reads.ts";

/** Finds every id but "call_missing"; notes who was read together. */
function reading(fail: Error | null = null) {
  const groups: (readonly Wanted<CallId>[])[] = [];
  const find = groupedReads<CallId, string>(async (wanted) => {
    groups.push(wanted);
    if (fail !== null) throw fail;
    return wanted.map(({ owner, id }) => (id === "call_missing" ? null : `${owner} ${id}`));
  });
  return { groups, find };
}

it("reads together what is asked for at the same moment, and answers each what it asked for", async () => {
  const { groups, find } = reading();
  const asked = [find("usr_1", "call_1"), find("usr_2", "call_1"), find("usr_1", "call_missing")];
  expect(await Promise.all(asked)).toEqual(["usr_1 call_1", "usr_2 call_1", null]);
  expect(groups.map(({ length }) => length)).toEqual([3]);
});

it("reads again for whoever asks after a read has begun", async () => {
  const { groups, find } = reading();
  await find("usr_1", "call_1");
  await find("usr_1", "call_1");
  expect(groups).toHaveLength(2);
});

it("fails for all of a group at once", async () => {
  const { groups, find } = reading(new Error("read models are gone"));
  const ends = await Promise.allSettled([find("usr_1", "call_1"), find("usr_1", "call_2")]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(groups).toHaveLength(1);
});

it("puts rows to the places that they name", () => {
  const rows = [{ place: 3 }, { place: 1 }];
  expect(inPlaces(["a", "b", "c"], rows)).toEqual([{ place: 1 }, null, { place: 3 }]);
});
