import { describe, expect, it } from "vitest";
import { createCommandHandler } from "../../../application/log/handle-command.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { isSquadEvent } from "../../../domain/event-kinds.ts";
import { squadDecider } from "../../../domain/squad/decider.ts";
import { settled } from "./followed-log.ts";
import { add, create, failureOf, ORIGIN, STREAM, squadLog, storedSquad } from "./squad-log.ts";

/** A process that keeps so many streams in memory. */
function keeping(keptStreams: number, wrap?: (log: EventStore) => EventStore) {
  const { appends, database, deps, reads } = squadLog(wrap && { wrap });
  const squads = createCommandHandler({ ...deps, decider: squadDecider, isEvent: isSquadEvent, keptStreams });
  const begin = (stream: string) => squads.handle(stream, [create], ORIGIN, { expectNew: true });
  return { appends, begin, database, reads, squads };
}

/** Appends wait until `open`. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const wrap = (log: EventStore): EventStore => ({
    ...log,
    append: async (...append) => {
      await gate.promise;
      return log.append(...append);
    },
  });
  return { open: gate.resolve, wrap };
}

describe("a stream in memory", () => {
  it("is at hand: it is answered without a read, and decided without one", async () => {
    const { begin, reads, squads } = keeping(2);
    expect(squads.isAtHand(STREAM)).toBe(false);
    await begin(STREAM);
    expect(squads.isAtHand(STREAM)).toBe(true);
    expect(await squads.query(STREAM, (state, head) => [state.name, head])).toEqual([
      "Team",
      { revision: 0, position: "1" },
    ]);
    expect(reads).toEqual([]);
  });

  it("is read again when a fresh answer is asked for, from what is new on", async () => {
    const { begin, reads, squads } = keeping(2);
    await begin(STREAM);
    await settled();
    await squads.query(STREAM, () => null, { fresh: true });
    expect(reads).toEqual([1]);
  });

  it("is let go when more are used later than are kept", async () => {
    const { begin, squads } = keeping(2);
    const streams = ["squad-1", "squad-2", "squad-3"];
    await begin("squad-1");
    await begin("squad-2");
    await settled();
    await squads.query("squad-1", () => null);
    await begin("squad-3");
    expect(streams.map((stream) => squads.isAtHand(stream))).toEqual([true, false, true]);
  });

  it("is not at hand any more after a failure, for nobody knows what was written", async () => {
    const { squads } = squadLog({
      wrap: (log) => ({
        ...log,
        append: async (stream, expected, events) => {
          await log.append(stream, expected, events);
          throw new Error("the connection broke");
        },
      }),
    });
    const lost = squads.handle(STREAM, [create], ORIGIN, { expectNew: true });
    expect(squads.isAtHand(STREAM)).toBe(true);
    expect(await failureOf(lost)).toContain("broke");
    expect(squads.isAtHand(STREAM)).toBe(false);
    expect(await squads.query(STREAM, ({ name }) => name)).toBe("Team");
  });
});

describe("a stream at work", () => {
  it("is spared, so that its commands queue in one place however many others are at work", async () => {
    const { open, wrap } = gated();
    const { appends, begin, squads } = keeping(1, wrap);
    const streams = ["squad-1", "squad-2", "squad-3"];
    const begun = streams.map(begin);
    expect(streams.map((stream) => squads.isAtHand(stream))).toEqual([true, true, true]);
    const added = streams.map((stream) => squads.handle(stream, [add("a")], ORIGIN));
    open();
    await Promise.all([...begun, ...added]);
    expect(appends).toHaveLength(6);
  });

  it("answers a query after the append that is under way, with what it wrote", async () => {
    const { open, wrap } = gated();
    const { members, squads } = squadLog({ database: await storedSquad(), wrap });
    expect(await members()).toEqual([]);
    const added = squads.handle(STREAM, [add("a")], ORIGIN);
    const asked = members();
    open();
    await added;
    expect(await asked).toEqual(["mbr_a"]);
  });
});
