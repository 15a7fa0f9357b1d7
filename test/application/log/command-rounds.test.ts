import { describe, expect, it } from "vitest";
import { add, create, failureOf, ORIGIN, rename, STREAM, squadLog, storedSquad } from "./squad-log.ts";

describe("a command", () => {
  it("on a stream that is not in memory is decided after one read, and appended once", async () => {
    const { appends, reads, squads } = squadLog({ database: await storedSquad(add("a")) });
    await squads.handle(STREAM, [add("b")], ORIGIN);
    expect([reads, appends]).toEqual([[0], [1]]);
  });

  it("that was carried out by another process long ago is found in the log, without an append", async () => {
    const { appends, reads, squads } = squadLog({ database: await storedSquad() });
    const { events, revision } = await squads.handle(STREAM, [create], ORIGIN);
    expect([events, revision]).toEqual([[], 0]);
    expect([reads, appends]).toEqual([[0], []]);
  });

  it("waits with others for the append that is under way, 200 at the most in the next one", async () => {
    const { appends, squads } = squadLog({ database: await storedSquad() });
    const names = Array.from({ length: 202 }, (_, number) => `Team ${number}`);
    const handled = await Promise.all(names.map((name) => squads.handle(STREAM, [rename(name)], ORIGIN)));
    expect(appends).toEqual([1, 200, 1]);
    expect(handled.map(({ events }) => events.length)).toEqual(names.map(() => 1));
  });

  it("that expects a new stream reads nothing; where the stream is there, it is read then", async () => {
    const database = await storedSquad(add("a"));
    const { appends, reads, squads } = squadLog({ database });
    expect(await failureOf(squads.handle(STREAM, [add("b")], ORIGIN, { expectNew: true }))).toBeNull();
    expect([reads, appends]).toEqual([[0], [1]]);
    const fresh = squadLog();
    await fresh.squads.handle(STREAM, [create], ORIGIN, { expectNew: true });
    expect([fresh.reads, fresh.appends]).toEqual([[], [1]]);
  });

  it("that is refused by the state of a stream that this process owns costs no read, also not the next one", async () => {
    const { members, reads, squads } = squadLog();
    await squads.handle(STREAM, [create, add("a")], ORIGIN, { expectNew: true });
    const twice = squads.handle(STREAM, [add("b", "a")], ORIGIN, { owned: true });
    expect(await failureOf(twice)).toBe("squad.member-exists");
    expect(await members()).toEqual(["mbr_a"]);
    expect(reads).toEqual([]);
  });

  it("that is so already in a stream that this process owns costs no read", async () => {
    const { reads, squads } = squadLog();
    await squads.handle(STREAM, [create], ORIGIN, { expectNew: true });
    const { events } = await squads.handle(STREAM, [rename("Team")], ORIGIN, { owned: true });
    expect([events, reads]).toEqual([[], []]);
  });

  it("of lasting kind is refused only after what another process wrote is read", async () => {
    const one = squadLog();
    await one.squads.handle(STREAM, [create, add("a")], ORIGIN, { expectNew: true });
    const other = squadLog({ database: one.database });
    await other.squads.handle(STREAM, [{ ...removal("a") }], ORIGIN);
    const added = await one.squads.handle(STREAM, [add("b", "a")], ORIGIN, { lasting: true });
    expect(added.events.map(({ type }) => type)).toEqual(["SquadMemberAdded"]);
    expect(one.reads).toEqual([2]);
  });
});

describe("a Conflict", () => {
  it("costs only what is new, where the state was left alone", async () => {
    const one = squadLog();
    await one.squads.handle(STREAM, [create, add("a")], ORIGIN, { expectNew: true });
    await squadLog({ database: one.database }).squads.handle(STREAM, [add("b")], ORIGIN);
    await one.squads.handle(STREAM, [add("c")], ORIGIN);
    expect(one.reads).toEqual([2]);
    expect(await one.members()).toEqual(["mbr_a", "mbr_b", "mbr_c"]);
  });

  it("forgets what a unit of several commands had folded: nothing undurable is decided on", async () => {
    const one = squadLog();
    await one.squads.handle(STREAM, [create], ORIGIN, { expectNew: true });
    await squadLog({ database: one.database }).squads.handle(STREAM, [add("z", "a")], ORIGIN);
    const unit = one.squads.handle(STREAM, [add("b"), add("c", "a")], ORIGIN);
    expect(await failureOf(unit)).toBe("squad.member-exists");
    expect(await one.members()).toEqual(["mbr_z"]);
  });
});

describe("a refused unit of several commands", () => {
  it("leaves nothing of its first commands in memory", async () => {
    const { members, squads } = squadLog();
    await squads.handle(STREAM, [create], ORIGIN, { expectNew: true });
    const unit = squads.handle(STREAM, [add("a"), add("b", "a")], ORIGIN, { owned: true });
    expect(await failureOf(unit)).toBe("squad.member-exists");
    expect(await members()).toEqual([]);
  });

  it("is nothing to those that wait behind it: they are decided as if it had never been", async () => {
    const { members, squads } = squadLog({ database: await storedSquad() });
    // The first is under way already when the others come, which are decided together.
    const [, refused, taken] = await Promise.all([
      failureOf(squads.handle(STREAM, [add("x")], ORIGIN)),
      failureOf(squads.handle(STREAM, [add("a"), add("b", "a")], ORIGIN)),
      failureOf(squads.handle(STREAM, [add("c", "a")], ORIGIN)),
    ]);
    expect([refused, taken]).toEqual(["squad.member-exists", null]);
    expect(await members()).toEqual(["mbr_x", "mbr_c"]);
  });
});

function removal(name: string) {
  const memberId = `mbr_${name}` as const;
  return { type: "RemoveMember", memberId, now: "2026-09-01T10:00:00.000Z" } as const;
}
