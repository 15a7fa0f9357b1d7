import fc from "fast-check";
import { expect, it } from "vitest";
import { createLiveMap, createRecentMap } from "../../application/recent-map.ts";

const KEPT_WHEN_OVER = 1_000;

it("keeps the entries that were used last, however they were used", () => {
  const map = createRecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.get("a");
  map.get("a");
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  map.get("a");
  map.set("c", 4);
  map.set("d", 5);
  expect([map.get("a"), map.get("c"), map.get("d")]).toEqual([undefined, 4, 5]);
});

it("knows nothing of an entry that was used last and deleted", () => {
  const map = createRecentMap<string, number>(2);
  map.set("a", 1);
  map.delete("a");
  expect(map.get("a")).toBeUndefined();
  map.set("b", 2);
  map.set("a", 3);
  expect([map.get("b"), map.get("a"), map.size()]).toEqual([2, 3, 2]);
});

it("spares what is in use, and lets it go later", () => {
  const used = new Set(["a"]);
  const map = createRecentMap<string, string>(1, (value) => !used.has(value));
  map.set("a", "a");
  map.set("b", "b");
  expect([map.get("a"), map.get("b")]).toEqual(["a", undefined]);
  used.clear();
  map.set("c", "c");
  expect([map.get("a"), map.get("c")]).toEqual([undefined, "c"]);
});

it("keeps as many as its limit says, and lets the oldest go with the next", () => {
  const map = createRecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect([map.size(), map.get("a"), map.get("b")]).toEqual([2, 1, 2]);
  map.set("c", 3);
  expect([map.size(), map.get("a")]).toEqual([2, undefined]);
});

it("lets no more go than must, however many may", () => {
  const map = createRecentMap<string, number>(3);
  for (const [place, key] of ["a", "b", "c", "d"].entries()) map.set(key, place);
  expect([map.size(), map.get("b")]).toEqual([3, 1]);
});

it("takes an entry that is set again for one that was used last", () => {
  const map = createRecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([3, undefined, 4]);
});

it("keeps nothing of what was asked for and is not there", () => {
  const map = createRecentMap<string, number>(2);
  map.set("a", 1);
  for (const key of ["x", "y", "z"]) expect(map.get(key)).toBeUndefined();
  expect([map.size(), map.get("a")]).toEqual([1, 1]);
});

it("keeps what a plain list in the order of use keeps, whatever is done to it", () => {
  const steps = fc.array(
    fc.record({ what: fc.constantFrom("get", "set", "set", "delete"), key: fc.nat(7), mayGo: fc.boolean() }),
    { maxLength: 60, size: "max" },
  );
  const property = fc.property(fc.integer({ min: 1, max: 4 }), steps, (limit, given) => {
    const map = createRecentMap<number, boolean>(limit, (mayGo) => mayGo);
    let plain: (readonly [number, boolean])[] = [];
    for (const { what, key, mayGo } of given) {
      const known = plain.find(([each]) => each === key);
      const rest = plain.filter((each) => each !== known);
      if (what === "get") {
        expect(map.get(key)).toBe(known?.[1]);
        if (known !== undefined) plain = [...rest, known];
      } else if (what === "set") {
        map.set(key, mayGo);
        plain = [...rest, [key, mayGo]];
        for (const each of [...plain])
          if (plain.length > limit && each[1]) plain = plain.filter((other) => other !== each);
      } else {
        map.delete(key);
        plain = rest;
      }
      expect(map.size()).toBe(plain.length);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

it("keeps as much as weighs what its limit says, counted anew where an entry is set again", () => {
  const map = createRecentMap<string, number>(
    10,
    () => true,
    (value) => value,
  );
  for (const [key, value] of Object.entries({ a: 4, b: 6, c: 1 })) map.set(key, value);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 6, 1]);
  map.set("b", 1);
  map.set("d", 8);
  expect([map.get("b"), map.get("c"), map.get("d")]).toEqual([1, 1, 8]);
  map.delete("d");
  map.set("e", 8);
  expect([map.get("b"), map.get("c"), map.get("e")]).toEqual([1, 1, 8]);
  map.set("huge", 11);
  expect(map.size()).toBe(0);
});

it("lets what is over push out only what is over, and keeps the last thousand of it", () => {
  const map = createLiveMap<string, number>(3);
  for (const key of ["a", "b", "c"]) map.set(key, 0);
  for (let index = 0; index <= KEPT_WHEN_OVER; index += 1) {
    map.set("d", index);
    map.over("d");
    map.set(`over ${index}`, index);
    map.over(`over ${index}`);
  }
  expect(["a", "b", "c"].map(map.get)).toEqual([undefined, 0, 0]);
  expect([map.get("over 0"), map.get("over 2"), map.get("d")]).toEqual([undefined, 2, KEPT_WHEN_OVER]);
  expect(map.size()).toBe(2 + KEPT_WHEN_OVER);
});

it("spares what is in use, also when it is over", () => {
  const map = createLiveMap<string, string>(2, (value) => value !== "in use");
  map.set("a", "in use");
  map.over("a");
  for (let index = 0; index <= KEPT_WHEN_OVER; index += 1) {
    map.set(`${index}`, "free");
    map.over(`${index}`);
  }
  expect([map.get("a"), map.get("0"), map.get(`${KEPT_WHEN_OVER}`)]).toEqual(["in use", undefined, "free"]);
});

it("is a map, as long as nothing has to go", () => {
  const keys = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("set" as const), key: keys, value: fc.nat() }),
    fc.record({ kind: fc.constantFrom("delete" as const, "over" as const), key: keys }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = createLiveMap<string, number>(3);
      const model = new Map<string, number>();
      for (const each of steps) {
        if (each.kind === "set") {
          map.set(each.key, each.value);
          model.set(each.key, each.value);
        } else {
          map[each.kind](each.key);
          if (each.kind === "delete") model.delete(each.key);
        }
        expect(["a", "b", "c"].map((key) => [map.has(key), map.get(key)])).toEqual(
          ["a", "b", "c"].map((key) => [model.has(key), model.get(key)]),
        );
        expect(map.size()).toBe(model.size);
      }
    }),
  );
});
