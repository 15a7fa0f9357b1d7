import { expect, it } from "vitest";
import type { ListLoad, ListNumbers } from "../../../application/ports/list-numbers.ts";
import { type NumbersFile, replaceNumbers } from "../../../application/suppression/replace-numbers.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { movingClock } from "../../support/moving-clock.ts";

const clock = movingClock();
const CALLER = { owner: "usr_1", actor: "key_1", correlationId: "r" } as const;
const REQUEST = { listId: "spl_1", asOf: null, force: false, signal: new AbortController().signal } as const;

function fileOf(count: number, rejected = 0): NumbersFile {
  return {
    numbers: Float64Array.from({ length: count }, (_, index) => 12_025_550_000 + index),
    duplicates: 0,
    rejected: {
      count: rejected,
      items: [{ line: 2, phoneNumber: "x", reason: "not_e164" }].slice(0, rejected),
    },
    sha256: "ab",
  };
}

/** A list with so many numbers; tells what was loaded, and whether it was left. */
function listOf(before: number) {
  const seen = { loaded: [] as number[], ended: 0, asOf: "" };
  const load: ListLoad = {
    before,
    replace: async ({ numbers, asOf }) => {
      seen.loaded.push(numbers.length);
      seen.asOf = asOf;
      return { added: numbers.length, removed: before };
    },
    end: async () => {
      seen.ended += 1;
    },
  };
  const listNumbers: ListNumbers = { begin: async () => load };
  return { seen, listNumbers };
}

async function outcome(
  before: number,
  file: NumbersFile,
  changes: Partial<Parameters<typeof replaceNumbers>[2]> = {},
) {
  const { seen, listNumbers } = listOf(before);
  const read = async () => file;
  const answer = await replaceNumbers({ listNumbers, clock }, CALLER, { ...REQUEST, read, ...changes });
  return { ...seen, answer: answer.ok ? "replaced" : answer.refusal.code };
}

it.each([
  [99, 1, "replaced"],
  [100, 80, "replaced"],
  [100, 79, "LIST_SHRINKS"],
  [1_000, 799, "LIST_SHRINKS"],
  [0, 1, "replaced"],
])("a list of %i numbers and a file of %i: %s", async (before, count, expected) => {
  const { answer, loaded, ended } = await outcome(before, fileOf(count));
  expect([answer, loaded, ended]).toEqual([expected, expected === "replaced" ? [count] : [], 1]);
  expect((await outcome(before, fileOf(count), { force: true })).answer).toBe("replaced");
});

it.each([
  [99, 1, "replaced"],
  [98, 1, "VALIDATION_ERROR"],
  [0, 0, "VALIDATION_ERROR"],
])("a file with %i numbers and %i other rows: %s, forced or not", async (count, rejected, expected) => {
  expect((await outcome(0, fileOf(count, rejected))).answer).toBe(expected);
  expect((await outcome(0, fileOf(count, rejected), { force: true })).answer).toBe(expected);
});

it("is of today unless it says its day, which may be a minute ahead", async () => {
  const now = clock.nowMillis();
  expect((await outcome(0, fileOf(1))).asOf).toBe(clock.now());
  const inAMinute = instantFromMillis(now + 60_000);
  expect(await outcome(0, fileOf(1), { asOf: inAMinute })).toMatchObject({
    answer: "replaced",
    asOf: inAMinute,
  });
  const later = instantFromMillis(now + 60_001);
  expect(await outcome(0, fileOf(1), { asOf: later })).toMatchObject({
    answer: "VALIDATION_ERROR",
    ended: 0,
  });
});

it("reads no file that cannot be loaded, and leaves the list when the file breaks off", async () => {
  const read = () => Promise.reject(new Error("cut short"));
  for (const [begun, code] of [
    ["busy", "LIST_BUSY"],
    ["too_many", "CONCURRENCY_LIMIT_REACHED"],
    ["not_found", "SUPPRESSION_LIST_NOT_FOUND"],
  ] as const) {
    const listNumbers: ListNumbers = { begin: async () => begun };
    const answer = await replaceNumbers({ listNumbers, clock }, CALLER, { ...REQUEST, read });
    expect(answer).toMatchObject({ ok: false, refusal: { code } });
  }
  const { seen, listNumbers } = listOf(5);
  await expect(replaceNumbers({ listNumbers, clock }, CALLER, { ...REQUEST, read })).rejects.toThrow(
    "cut short",
  );
  expect(seen).toMatchObject({ loaded: [], ended: 1 });
});
