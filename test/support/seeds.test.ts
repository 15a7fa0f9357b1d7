import { expect, it } from "vitest";
import { FIRST_SEED, seedOf, WITHOUT_GIT } from "./seeds.ts";

it("begins at a seed of the commit, the same each time, another for another commit", () => {
  expect(seedOf("5403899400000000000000000000000000000000\n")).toBe(0x54038994);
  expect(seedOf("f403899400000000000000000000000000000000")).toBe(0x74038994);
  expect(seedOf("0000000000000000000000000000000000000000")).toBe(0);
});

it("begins at a fixed seed without git", () => {
  expect(seedOf(null)).toBe(WITHOUT_GIT);
  expect(Number.isSafeInteger(FIRST_SEED)).toBe(true);
});
