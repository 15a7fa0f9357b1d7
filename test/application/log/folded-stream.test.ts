import { expect, it } from "vitest";
import { catchUp, DamagedStreamError, headOf, unread } from "../../../application/log/folded-stream.ts";
import { START } from "../../../application/ports/event-store.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import { isCampaignEvent } from "../../../domain/event-kinds.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { longCampaign } from "../../projections/long-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { settled } from "./followed-log.ts";
import { codec } from "./log-of-calls.ts";
import { add, ORIGIN, rename, STREAM, squadLog, storedSquad } from "./squad-log.ts";

/** A squad whose stream goes on with so many events of this type that have nothing of its schema. */
async function squadWith(type: string, count = 1) {
  const database = await storedSquad();
  const log = memoryLog({ database }).eventStore;
  const metadata = { ...ORIGIN, schemaVersion: 1 };
  const data = { nonsense: true };
  const events = Array.from({ length: count }, () => ({ id: systemIds.uuid(), type, data, metadata }));
  await log.append(STREAM, 0, events);
  return database;
}

it("refuses to decide on a stream with an event that cannot be read, and names it", async () => {
  const { appends, members, squads } = squadLog({ database: await squadWith("SquadMemberAdded") });
  const failure = await squads.handle(STREAM, [add("a")], ORIGIN).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DamagedStreamError);
  expect(String(failure)).toMatch(/^DamagedStreamError: squad-sqd_1@1 SquadMemberAdded: ./);
  await expect(members()).rejects.toThrow("squad-sqd_1@1");
  expect([appends, squads.isAtHand(STREAM)]).toEqual([[], false]);
});

it("passes over a type of a newer release, and appends behind it", async () => {
  const { members, squads } = squadLog({ database: await squadWith("SquadPainted") });
  expect((await squads.handle(STREAM, [add("a")], ORIGIN)).revision).toBe(2);
  expect(await members()).toEqual(["mbr_a"]);
});

it("speaks of the event that cannot be read also where the page behind it failed", async () => {
  const { members } = squadLog({
    database: await squadWith("SquadMemberAdded", 1_000),
    wrap: (log) => ({
      ...log,
      read: (stream, options) =>
        options?.from === 0 ? log.read(stream, options) : Promise.reject(new Error("away")),
    }),
  });
  await expect(members()).rejects.toThrow("squad-sqd_1@1");
  await settled();
});

it("finds nothing in a stream that never was, and never takes a log that is away for that", async () => {
  const { squads } = squadLog();
  expect(await squads.query(STREAM, (state, head) => [state.squadId, head])).toEqual([
    null,
    { revision: -1, position: START },
  ]);
  const away = squadLog({ wrap: (log) => ({ ...log, read: () => Promise.reject(new Error("away")) }) });
  await expect(away.members()).rejects.toThrow("away");
});

it("folds a long stream page by page of 1,000 events, each event once", async () => {
  const database = await storedSquad();
  const changes = Array.from({ length: 1_500 }, (_, number) => ({
    type: "SquadChanged" as const,
    data: { squadId: "sqd_1", at: "2026-09-01T10:00:00.000Z", changes: { name: `Team ${number}` } } as const,
  }));
  await memoryLog({ database, codec }).store(STREAM, ...changes);
  const { reads, squads } = squadLog({ database });
  expect(await squads.query(STREAM, ({ name }, head) => [name, head])).toEqual([
    "Team 1499",
    { revision: 1_500, position: "1501" },
  ]);
  expect(reads).toEqual([0, 1_000]);
  expect((await squads.handle(STREAM, [rename("Crew")], ORIGIN)).revision).toBe(1_501);
});

it.each([512, 999, 1_000, 1_001, 2_000, 5_000])(
  "folds a random campaign of %i events as if in one go, also when it grew",
  async (size) => {
    const events = longCampaign(size, size);
    const { eventStore } = memoryLog();
    const folded = unread(campaignDecider);
    const deps = { eventStore, codec, decider: campaignDecider, isEvent: isCampaignEvent };
    for (let from = 0; from < size; from += 700) {
      const more = await eventsToAppend(codec, "usr_1", events.slice(from, from + 700));
      await eventStore.append("campaign-cmp_1", from === 0 ? "no_stream" : from - 1, more);
      await catchUp(deps, "campaign-cmp_1", folded);
    }
    expect(headOf(folded).revision).toBe(size - 1);
    expect(folded.state).toEqual(events.reduce(campaignDecider.evolve, campaignDecider.initialState()));
  },
);
