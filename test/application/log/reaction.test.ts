import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFeed } from "../../../application/log/feed.ts";
import { everybodysTurn } from "../../../application/log/in-turn.ts";
import { type ReactionDeps, type RunningReaction, runReaction } from "../../../application/log/reaction.ts";
import type { Checkpoint, Checkpoints, ParkedEvent } from "../../../application/ports/checkpoints.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { ProcessorTurns } from "../../../application/ports/processor-turns.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { appendBegins, codec } from "./log-of-calls.ts";

class Away extends Error {}

let log: EventStore;
let stop: AbortController;
let saved: Map<string, Checkpoint>;
let parked: ParkedEvent[];

beforeEach(() => {
  log = memoryLog({ clock: systemClock }).eventStore;
  stop = new AbortController();
  saved = new Map();
  parked = [];
});

afterEach(() => stop.abort());

const checkpoints: Checkpoints = {
  load: async (name) => saved.get(name) ?? null,
  save: async (name, checkpoint) => void saved.set(name, checkpoint),
  park: async (processor, { position, stream, type }, problem) =>
    void parked.push({ processor, position, stream, type, problem }),
  parked: async () => parked,
};

function react(
  handle: (events: readonly RecordedEvent[]) => Promise<void>,
  types: readonly RecordedEvent["event"]["type"][] = ["CallDialingBegan"],
  others: Partial<Pick<ReactionDeps, "clock" | "checkpoints" | "turns">> = {},
): RunningReaction {
  const shared = { codec, clock: systemClock, logger: silentLogger, checkpoints, ...others };
  const feed = createFeed({
    ...shared,
    eventStore: log,
    metrics: silentMetrics,
    parkDamaged: async () => undefined,
  });
  return runReaction(
    {
      ...shared,
      feed,
      eventStore: log,
      isTransient: (error) => error instanceof Away,
    },
    { name: "test", types, handle },
    stop.signal,
  );
}

const checkpointAt = (position: string) =>
  eventually("the checkpoint", () => saved.get("test")?.position === position);

describe("a reaction", () => {
  it("is given its types in order, and saves its checkpoint after the work", async () => {
    const seen: number[] = [];
    react(async (events) => {
      expect(saved.get("test")).toBeUndefined();
      seen.push(...events.map(({ revision }) => revision));
    });
    await checkpointAt(await appendBegins(log, "a", 5));
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  it("moves its checkpoint over events that are not its own", async () => {
    const running = react(async () => expect.unreachable(), ["CallCompleted"]);
    const head = await appendBegins(log, "a", 5);
    await checkpointAt(head);
    expect(running.status()).toMatchObject({ name: "test", position: head });
  });

  it("goes on from its checkpoint after a restart", async () => {
    const seen: string[] = [];
    react(async (events) => void seen.push(...events.map(({ stream }) => stream)));
    await checkpointAt(await appendBegins(log, "a", 1));
    stop.abort();
    stop = new AbortController();
    const head = await appendBegins(log, "b", 1);
    react(async (events) => void seen.push(...events.map(({ stream }) => stream)));
    await checkpointAt(head);
    expect(seen).toEqual(["call-call_a", "call-call_b"]);
  });

  it("stays and tries again while a store is away", async () => {
    let attempts = 0;
    react(async () => {
      attempts += 1;
      if (attempts < 3) throw new Away();
    });
    await checkpointAt(await appendBegins(log, "a", 1));
    expect(attempts).toBe(3);
    expect(parked).toEqual([]);
  });

  it("parks what fails for good, and does all the rest", async () => {
    const done = new Set<number>();
    react(async (events) => {
      if (events.some(({ revision }) => revision === 2)) throw new Error("cannot take this one");
      for (const { revision } of events) done.add(revision);
    });
    const head = await appendBegins(log, "a", 5);
    await checkpointAt(head);
    expect([...done]).toEqual([0, 1, 3, 4]);
    expect(parked).toMatchObject([
      { processor: "test", type: "CallDialingBegan", problem: "Error: cannot take this one" },
    ]);
  });

  it("tells where it is, how far behind, and what it left aside", async () => {
    const gate = Promise.withResolvers<void>();
    const running = react(async (events) => {
      await gate.promise;
      if (events.some(({ revision }) => revision === 1)) throw new Error("cannot take this one");
    });
    const head = await appendBegins(log, "a", 3);
    await eventually("it to be behind", () => running.status().lagMillis > 0);
    gate.resolve();
    await checkpointAt(head);
    expect(running.status()).toMatchObject({ position: head, lagMillis: 0, parked: 1 });
  });

  it("starts over from its checkpoint after a failure that is none of an event's", async () => {
    const clock = movingClock();
    let loads = 0;
    const load: Checkpoints["load"] = async (name) => {
      loads += 1;
      if (loads === 1) throw new Error("no table of checkpoints");
      return checkpoints.load(name);
    };
    react(async () => undefined, undefined, { clock, checkpoints: { ...checkpoints, load } });
    const head = await appendBegins(log, "a", 1);
    await eventually("the first try", () => loads === 1);
    await eventually("the second", () => {
      clock.advance(1_000);
      return saved.get("test")?.position === head;
    });
    expect(loads).toBe(2);
  });

  it("saves its checkpoint at once, then four times a second at the most, and the last one by itself", async () => {
    const clock = movingClock();
    const saves: string[] = [];
    const save: Checkpoints["save"] = async (name, checkpoint) => {
      saves.push(checkpoint.position);
      await checkpoints.save(name, checkpoint);
    };
    const running = react(async () => undefined, undefined, { clock, checkpoints: { ...checkpoints, save } });
    const first = await appendBegins(log, "a", 1);
    await checkpointAt(first);
    let last = first;
    for (const call of ["b", "c", "d"]) {
      last = await appendBegins(log, call, 1);
      await eventually("the event", () => running.status().position === last);
    }
    clock.advance(249);
    expect(saves).toEqual([first]);
    clock.advance(1);
    await checkpointAt(last);
    expect(saves).toEqual([first, last]);
  });

  it("goes on with its work while its checkpoint is saved", async () => {
    const gate = Promise.withResolvers<void>();
    const save: Checkpoints["save"] = async (name, checkpoint) => {
      await gate.promise;
      await checkpoints.save(name, checkpoint);
    };
    const running = react(async () => undefined, undefined, { checkpoints: { ...checkpoints, save } });
    await appendBegins(log, "a", 1);
    const head = await appendBegins(log, "b", 1);
    await eventually("both events", () => running.status().position === head);
    expect(saved.size).toBe(0);
    gate.resolve();
    await checkpointAt(head);
  });

  it("saves what is not saved yet when it is to stop", async () => {
    const running = react(async () => undefined, undefined, { clock: movingClock() });
    await checkpointAt(await appendBegins(log, "a", 1));
    const head = await appendBegins(log, "b", 1);
    await eventually("the event", () => running.status().position === head);
    stop.abort();
    await running.finished;
    expect(saved.get("test")?.position).toBe(head);
  });

  it("starts over when its checkpoint cannot be saved for good", async () => {
    const clock = movingClock();
    let refused = 0;
    const save: Checkpoints["save"] = async (name, checkpoint) => {
      refused += 1;
      if (refused <= 2) throw new Error("no table of checkpoints");
      await checkpoints.save(name, checkpoint);
    };
    const seen: string[] = [];
    const handle = async (events: readonly RecordedEvent[]) =>
      void seen.push(...events.map(({ stream }) => stream));
    react(handle, undefined, { clock, checkpoints: { ...checkpoints, save } });
    await appendBegins(log, "a", 1);
    await eventually("the refusal", () => refused === 1);
    const head = await appendBegins(log, "b", 1);
    await eventually("the second try", () => {
      clock.advance(1_000);
      return saved.get("test")?.position === head;
    });
    expect(seen).toEqual(["call-call_a", "call-call_b", "call-call_a", "call-call_b"]);
  });

  it("ends when it is to stop, also while a store is away", async () => {
    const running = react(() => Promise.reject(new Away()));
    await appendBegins(log, "a", 1);
    stop.abort();
    await running.finished;
    expect(saved.size).toBe(0);
  });

  it("leaves the work to the process whose turn it is, and tells how far that one is", async () => {
    const first = await appendBegins(log, "a", 1);
    const turns: ProcessorTurns = { tryTake: async () => null };
    saved.set("test", { position: first, eventId: null });
    const running = react(async () => expect.unreachable(), undefined, { turns });
    await eventually("the position", () => running.status().position === first);
    expect(running.status().lagMillis).toBe(0);
    await appendBegins(log, "b", 1);
    await eventually("it to be behind", () => running.status().lagMillis > 0);
  });

  it("stops when its turn is lost, and goes on from the checkpoint when it has it again", async () => {
    const lost = new AbortController();
    let tries = 0;
    const tryTake: ProcessorTurns["tryTake"] = async (name) => {
      tries += 1;
      return tries === 1 ? { lost: lost.signal, release: () => undefined } : everybodysTurn.tryTake(name);
    };
    const seen: string[] = [];
    const handle = async (events: readonly RecordedEvent[]) =>
      void seen.push(...events.map(({ stream }) => stream));
    react(handle, undefined, { turns: { tryTake } });
    await checkpointAt(await appendBegins(log, "a", 1));
    lost.abort();
    await checkpointAt(await appendBegins(log, "b", 1));
    expect(seen).toEqual(["call-call_a", "call-call_b"]);
    expect(tries).toBe(2);
  });
});
