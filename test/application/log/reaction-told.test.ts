import { describe, expect, it } from "vitest";
import { type ReactionDeps, runReaction } from "../../../application/log/reaction.ts";
import type { Checkpoint } from "../../../application/ports/checkpoints.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { StoredEvent } from "../../../application/ports/event-store.ts";
import type { FeedBatch } from "../../../application/ports/feed.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { createMemoryCheckpoints } from "../../../simulation/memory/checkpoints.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { dialingBegan, recordedRequest } from "../../projections/example-events.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { type Line, settled } from "./followed-log.ts";
import { codec } from "./log-of-calls.ts";

const BEGAN = dialingBegan("call_1", "2026-09-01T10:00:00.000Z");

/** The event with this number, written at this second of 10:00. */
function event(number: number, second: number, of: DomainEvent = BEGAN): RecordedEvent {
  const created: Instant = `2026-09-01T10:00:${String(second).padStart(2, "0")}.000Z`;
  return { ...recordedRequest(number - 1), id: `event-${number}`, created, event: of };
}

function batch(events: readonly RecordedEvent[], position: string, caughtUp = false): FeedBatch {
  return { events, position, caughtUp };
}

type Options = Partial<Pick<ReactionDeps, "turns" | "eventStore">> & {
  readonly handle?: (events: readonly RecordedEvent[]) => Promise<void>;
  readonly batches?: readonly FeedBatch[];
};

/** A reaction to calls that begin, at 10:00:30, which is given these batches. */
async function reactionTo({ handle = async () => undefined, batches = [], ...others }: Options) {
  const clock = movingClock(Date.parse("2026-09-01T10:00:30.000Z"));
  const memory = createMemoryCheckpoints();
  const stop = new AbortController();
  const lines: Line[] = [];
  const saves: Checkpoint[] = [];
  const note: ReactionDeps["logger"]["warn"] = (fields, message) => void lines.push({ fields, message });
  const world = { checkpoints: memory, failures: 0 };
  const start = () =>
    runReaction(
      {
        feed: {
          follow: async function* ({ signal }) {
            yield* batches;
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          },
        },
        checkpoints: {
          ...memory,
          save: async (name, checkpoint) => {
            if (world.failures-- > 0) throw new Error("no table of checkpoints");
            saves.push(checkpoint);
            await memory.save(name, checkpoint);
          },
        },
        codec,
        clock,
        logger: { ...silentLogger, warn: note, error: note },
        isTransient: (error) => error instanceof Error && error.message === "away",
        eventStore: { readAll: async () => ({ events: [], next: "", atEnd: true }) },
        ...others,
      },
      { name: "dial-log", types: ["CallDialingBegan"], handle },
      stop.signal,
    );
  const pass = async (millis: number) => {
    await settled();
    clock.advance(millis);
    await settled();
  };
  return { clock, lines, memory, pass, saves, start, stop, world };
}

describe("what a reaction is given", () => {
  it("are the events of its types, and nothing at all where a batch has none", async () => {
    const given: string[][] = [];
    const handle = async (events: readonly RecordedEvent[]) => void given.push(events.map(({ id }) => id));
    const request = recordedRequest(0).event;
    const mixed = [event(1, 1, request), event(2, 2), event(3, 3, request), event(4, 4)];
    const batches = [batch(mixed, "4"), batch([event(5, 5, request)], "5"), batch([], "6", true)];
    const { pass, start } = await reactionTo({ handle, batches });
    const running = start();
    await pass(0);
    expect(given).toEqual([["event-2", "event-4"]]);
    expect(running.status().position).toBe("6");
  });
});

describe("the checkpoint of a reaction", () => {
  it("names the last event at or before it, also after batches and restarts without one", async () => {
    const three = [event(1, 1), event(2, 2), event(3, 3)];
    const first = await reactionTo({ batches: [batch(three, "3")] });
    first.start();
    await first.pass(0);
    expect(first.saves).toEqual([{ position: "3", eventId: "event-3" }]);
    const second = await reactionTo({ batches: [batch([], "9")] });
    await second.memory.save("dial-log", { position: "3", eventId: "event-3" });
    second.start();
    await second.pass(0);
    expect(second.saves).toEqual([{ position: "9", eventId: "event-3" }]);
  });

  it("that cannot be saved is told with its reason, once, before the reaction starts over", async () => {
    const batches = [batch([event(1, 1)], "1"), batch([event(2, 2)], "2")];
    let handled = 0;
    const handle = async () => {
      handled += 1;
      await settled();
    };
    const { lines, pass, saves, start, world } = await reactionTo({ handle, batches });
    world.failures = 2;
    start();
    for (let turn = 0; turn < 5; turn += 1) await pass(0);
    const problem = "Error: no table of checkpoints";
    expect(lines).toEqual([
      { fields: { processor: "dial-log", problem }, message: "reaction starts over from its checkpoint" },
    ]);
    await pass(4_999);
    expect([handled, saves]).toEqual([2, []]);
    await pass(1);
    for (let turn = 0; turn < 5; turn += 1) await pass(250);
    expect([handled, saves.at(-1)]).toEqual([4, { position: "2", eventId: "event-2" }]);
  });
});

describe("how far behind a reaction is", () => {
  it("is counted from the last event that it took, until it has caught up", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let round = 0;
    const handle = async () => {
      await gates[round]?.promise;
      round += 1;
    };
    const events = [event(1, 1), event(2, 2), event(3, 3)];
    const batches = [batch(events, "3"), batch([], "4"), batch([event(5, 5)], "5", true)];
    const { pass, start } = await reactionTo({ handle, batches });
    const { status } = start();
    await pass(0);
    expect(status()).toMatchObject({ position: "", lagMillis: 29_000 });
    gates[0]?.resolve();
    await pass(0);
    expect(status()).toMatchObject({ position: "4", lagMillis: 27_000 });
    gates[1]?.resolve();
    await pass(0);
    expect(status()).toMatchObject({ position: "5", lagMillis: 0 });
  });

  it("is told by who has not its turn from the other's checkpoint; it moves only when that does", async () => {
    const { clock, memory, pass, start } = await reactionTo({ turns: { tryTake: async () => null } });
    await memory.save("dial-log", { position: "7", eventId: null });
    const { status } = start();
    await pass(0);
    const first = clock.now();
    expect(status()).toMatchObject({ position: "7", lastMovedAt: first });
    await pass(1_000);
    expect(status().lastMovedAt).toBe(first);
    await memory.save("dial-log", { position: "8", eventId: null });
    await pass(1_000);
    expect(status()).toMatchObject({ position: "8", lastMovedAt: clock.now() });
  });
});

describe("what a reaction leaves aside", () => {
  const stored: StoredEvent = { ...event(1, 1), type: "CallDialingBegan", data: {} };

  it("is counted from the start on, without that of others", async () => {
    const { memory, pass, start } = await reactionTo({});
    await memory.park("dial-log", stored, "cannot take this one");
    await memory.park("webhooks", stored, "cannot take this one");
    await memory.park("webhooks", { ...stored, position: "2" }, "cannot take this one");
    const { status } = start();
    await pass(0);
    expect(status().parked).toBe(1);
  });

  it("is told to the operator: which event, of what type, and why", async () => {
    const handle = async () => Promise.reject(new RangeError("cannot take this one"));
    const { lines, memory, pass, start } = await reactionTo({ handle, batches: [batch([event(1, 1)], "1")] });
    start();
    await pass(0);
    const problem = "RangeError: cannot take this one";
    const fields = { processor: "dial-log", position: "1", type: "CallDialingBegan", problem };
    expect(lines).toEqual([{ fields, message: "event parked" }]);
    expect(await memory.parked()).toMatchObject([{ processor: "dial-log", position: "1", problem }]);
  });
});

it("a reaction that is to stop while a store is away passes over nothing that it has not done", async () => {
  const handle = async () => Promise.reject(new Error("away"));
  const { pass, saves, start, stop } = await reactionTo({ handle, batches: [batch([event(1, 1)], "1")] });
  const { finished, status } = start();
  await pass(0);
  stop.abort();
  await finished;
  expect([status().position, saves]).toEqual(["", []]);
});

it("a reaction says that a store is away each time it tries: after 100 ms, then after twice as long", async () => {
  let away = 2;
  const handle = async () => {
    away -= 1;
    if (away >= 0) throw new Error("away");
  };
  const { lines, pass, start } = await reactionTo({ handle, batches: [batch([event(1, 1)], "1", true)] });
  const { status } = start();
  await pass(0);
  const line = {
    fields: { processor: "dial-log", error: "Error: away" },
    message: "a store is away, tries again",
  };
  expect(lines).toEqual([line]);
  await pass(100);
  await pass(199);
  expect(status().position).toBe("");
  await pass(1);
  expect(lines).toEqual([line, line]);
  expect(status()).toMatchObject({ position: "1", parked: 0 });
});
