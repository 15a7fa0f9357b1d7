import { expect, it } from "vitest";
import type { CallId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { addId, bytesOfIds, idAt, isIdAt, noIds } from "../../../projections/history/folds/packed-ids.ts";

const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const ODD: readonly CallId[] = [
  "call_",
  "call_1",
  "call_01JD9H7K3XF5SR2M8Y4N6P0Q1W",
  "call_01jd9h7k3xf5sr2m8y4n6p0q1",
  "call_01jd9h7k3xf5sr2m8y4n6p0q1ww",
  "call_01jd9h7k3xf5sr2m8y4n6p0qiü",
];

it("answers every id as it was, drawn by the service or not, and takes no other for it", () => {
  const ids = noIds<CallId>("call_");
  const turned = Array.from({ length: 32 }, (_, turn) => LETTERS.slice(turn) + LETTERS.slice(0, turn));
  const given: CallId[] = [...turned.map((text): CallId => `call_${text.slice(0, 26)}`), ...ODD];
  for (let count = 0; count < 500; count += 1) given.push(systemIds.next("call"));
  expect(given.map((id) => addId(ids, id))).toEqual(given.map((_, place) => place));
  expect(given.map((_, place) => idAt(ids, place))).toEqual(given);
  for (const [place, id] of given.entries()) {
    expect(isIdAt(ids, place, id)).toBe(true);
    expect(isIdAt(ids, place, given[(place + 1) % given.length] ?? id)).toBe(false);
  }
});

it("keeps an id that the service draws in 25 bytes at the most, room to grow included", () => {
  const ids = noIds<CallId>("call_");
  for (let count = 0; count < 10_000; count += 1) addId(ids, systemIds.next("call"));
  expect(bytesOfIds(ids)).toBeLessThanOrEqual(10_000 * 25 + 100);
});
