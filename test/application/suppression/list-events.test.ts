import { afterEach, expect, it } from "vitest";
import { createGivenUp } from "../../../application/given-up.ts";
import { suppressionListStream } from "../../../application/log/stream-names.ts";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import type { SuppressionLists } from "../../../application/ports/suppression-lists.ts";
import { runListEvents } from "../../../application/suppression/list-events.ts";
import { NO_LISTS } from "../../../domain/policy/list-age.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import type { SuppressionListChanged } from "../../../domain/suppression/events.ts";
import { createMemoryDatabase } from "../../../infrastructure/log/memory/database.ts";
import { createMemoryLists, type MemoryLists } from "../../../simulation/memory/suppressions/lists.ts";
import { memoryLog } from "../../support/memory-log.ts";

const OWNER = "usr_1";
const LIST = "spl_1";
const STREAM = suppressionListStream(LIST);
const OTHER = suppressionListStream("spl_2");
const HOUR = 3_600_000;

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

const at = (place: number): Instant => instantFromMillis(Date.UTC(2026, 8, 1) + place);
const idOf = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
const event = (place: number, listId: `spl_${string}` = LIST): SuppressionListChanged => ({
  type: "SuppressionListChanged",
  data: {
    ...{ owner: OWNER, listId, name: `Name ${place}`, kind: "registry" },
    ...{ active: true, deleted: false, at: at(place) },
  },
});

/** The settings changed: `place` is the event's time and id. */
const change = (lists: MemoryLists, place: number, listId: `spl_${string}` = LIST) =>
  lists.set(OWNER, NO_LISTS, { eventId: idOf(place), actor: "key_1", event: event(place, listId) });

function world() {
  const database = createMemoryDatabase();
  const lists = createMemoryLists();
  /** One process, until it stops; it ends when what it began has ended. */
  const process = (
    wrap: (log: EventStore) => EventStore = (log) => log,
    port: Pick<SuppressionLists, "unpublished" | "published" | "onChange"> = lists,
  ) => {
    const log = memoryLog({ database, wrap });
    const stop = new AbortController();
    stops.push(stop);
    const givenUp = createGivenUp(log.logger);
    const deps = { ...log, lists: port, givenUp, longestWaitMillis: HOUR };
    void runListEvents(deps, stop.signal);
    return { log, givenUp, stop: () => stop.abort() };
  };
  const stored = (stream = STREAM) => database.streams.get(stream)?.events ?? [];
  return { database, lists, process, stored };
}

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
const settle = async () => {
  for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
};
const leftIn = async (lists: MemoryLists) => (await lists.unpublished(100)).length;

it("tells the log each change in its order, under its own id, by who made it", async () => {
  const { lists, process, stored } = world();
  change(lists, 1);
  const { log } = process();
  await settle();
  change(lists, 2);
  await settle();
  expect(idsOf(stored())).toEqual([idOf(1), idOf(2)]);
  expect((await log.recorded(STREAM)).map(({ event, metadata }) => [event, metadata.actor])).toEqual([
    [event(1), "key_1"],
    [event(2), "key_1"],
  ]);
  expect(await leftIn(lists)).toBe(0);
});

it.each(["before the append", "after the append", "before it is known"])(
  "killed %s, the next process leaves exactly one event of each change",
  async (moment) => {
    const { lists, process, stored } = world();
    change(lists, 1);
    change(lists, 2);
    const dies = () => new Promise<never>(() => undefined);
    process(
      (log) => ({
        ...log,
        append: async (...given) => {
          if (moment === "before the append") return dies();
          const result = await log.append(...given);
          return moment === "after the append" ? dies() : result;
        },
      }),
      { ...lists, published: dies },
    );
    await settle();
    expect(stored()).toHaveLength(moment === "before the append" ? 0 : 1);
    process();
    await settle();
    expect(idsOf(stored())).toEqual([idOf(1), idOf(2)]);
    expect(await leftIn(lists)).toBe(0);
  },
);

it("leaves one event of each change when two processes tell them at once", async () => {
  const { lists, process, stored } = world();
  for (let place = 1; place <= 30; place += 1) change(lists, place);
  process();
  process();
  await settle();
  await settle();
  expect(idsOf(stored())).toEqual(Array.from({ length: 30 }, (_none, index) => idOf(index + 1)));
});

it("finds an event that is there already below later ones, as after a restore of the settings", async () => {
  const { lists, process, stored } = world();
  for (let place = 1; place <= 60; place += 1) change(lists, place);
  const first = process();
  await settle();
  await settle();
  expect(stored()).toHaveLength(60);
  first.stop();
  change(lists, 3);
  process();
  await settle();
  expect(stored()).toHaveLength(60);
  expect(await leftIn(lists)).toBe(0);
});

it("reads no further back than the change is old", async () => {
  const { lists, process, stored } = world();
  for (let place = 1; place <= 60; place += 1) change(lists, place);
  const { log } = process();
  await settle();
  await settle();
  const before = log.reads.length;
  change(lists, 61);
  await settle();
  expect([stored().length, log.reads.length - before]).toEqual([61, 1]);
});

it("goes on with the other changes where the log refuses one for good, and says so", async () => {
  const { lists, process, stored } = world();
  change(lists, 1);
  change(lists, 2, "spl_2");
  const { givenUp, log } = process((memory) => ({
    ...memory,
    append: async (stream, ...rest) => {
      if (stream === STREAM) throw new EventStoreError({ kind: "deleted", stream });
      return memory.append(stream, ...rest);
    },
  }));
  await settle();
  expect([stored(), idsOf(stored(OTHER))]).toEqual([[], [idOf(2)]]);
  expect(givenUp.count("list-events")).toBe(1);
  expect(log.said.map(([, message]) => message)).toEqual(["left aside for good"]);
  change(lists, 3, "spl_2");
  await settle();
  expect(stored(OTHER)).toHaveLength(2);
});

it("tries again while the log is away", async () => {
  const { lists, process, stored } = world();
  let isAway = true;
  change(lists, 1);
  const { log } = process((memory) => ({
    ...memory,
    read: async (...given) => {
      if (isAway) throw new EventStoreError({ kind: "unavailable", cause: "away" });
      return memory.read(...given);
    },
  }));
  await settle();
  expect(stored()).toEqual([]);
  isAway = false;
  log.clock.advance(1_000);
  await settle();
  expect(idsOf(stored())).toEqual([idOf(1)]);
});
