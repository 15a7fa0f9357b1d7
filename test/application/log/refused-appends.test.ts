import { expect, it } from "vitest";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import { add, create, failureOf, ORIGIN, STREAM, squadLog, storedSquad } from "./squad-log.ts";

/** `judge` throws what the log says instead of appending so many events. */
function refusing(judge: (events: number, stream: string) => void) {
  return (log: EventStore): EventStore => ({
    ...log,
    append: async (stream, expected, events) => {
      judge(events.length, stream);
      return log.append(stream, expected, events);
    },
  });
}

const conflict = new EventStoreError({ kind: "conflict", stream: STREAM, expected: 1, actual: 2 });

it("gives up a command whose stream others write faster: 50 Conflicts are decided again, the next is told", async () => {
  let left = 200;
  const wrap = refusing(() => {
    left -= 1;
    if (left >= 0) throw conflict;
  });
  const { appends, squads } = squadLog({ database: await storedSquad(), wrap });
  expect(await failureOf(squads.handle(STREAM, [add("a")], ORIGIN))).toContain("conflict");
  expect(appends).toHaveLength(51);
});

it("appends in halves what is too large together, and answers each", async () => {
  const tooLarge = { kind: "too_large", what: "append", bytes: 2_000_000, limit: 1_048_576 } as const;
  const wrap = refusing((events) => {
    if (events > 2) throw new EventStoreError(tooLarge);
  });
  const { appends, members, squads } = squadLog({ database: await storedSquad(), wrap });
  // The first is under way already when the others come.
  const names = ["first", "a", "b", "c", "d"];
  const answers = await Promise.all(
    names.map(async (name) => (await squads.handle(STREAM, [add(name)], ORIGIN)).revision),
  );
  expect(answers).toEqual([1, 3, 3, 5, 5]);
  expect(appends).toEqual([1, 4, 2, 2]);
  expect(await members()).toEqual(names.map((name) => `mbr_${name}`));
});

it("does not try parts of what fails for another reason than its events: all that waited together are told", async () => {
  const wrap = refusing(() => {
    throw new Error("certificate has expired");
  });
  const { appends, squads } = squadLog({ wrap });
  const told = await Promise.all(
    ["a", "b", "c"].map((name) =>
      failureOf(squads.handle(STREAM, [create, add(name)], ORIGIN, { expectNew: true })),
    ),
  );
  expect(told).toEqual(Array.from({ length: 3 }, () => "Error: certificate has expired"));
  // The first alone, then those that waited for it.
  expect(appends).toEqual([2, 3]);
});
