import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import type { OwnerEventsPage } from "../../../application/ports/queries/history-records.ts";
import type { Queries } from "../../../application/ports/queries.ts";
import type { HistoryRecord } from "../../../contract/history.ts";
import { type ReadModels, readModelsFor } from "../../../projections/read-models.ts";
import { at } from "../../domain/campaign/example-campaign.ts";
import { randomHistory } from "../random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "../read-world.ts";

const history = randomHistory(41, 300);
const mine = history.filter(({ owner }) => owner === "usr_1");

/**
 * As on PostgreSQL, where the log is asked by owner; and as on EventStoreDB, through the
 * read model owner-events.
 */
describe.each(["from the log", "from the index"])("an owner's events, %s", (how) => {
  let world: ReadWorld;
  let models: ReadModels;
  let queries: Queries;
  beforeEach(async () => {
    world = await openReadWorld();
    const indexed = how === "from the index";
    models = world.start({ projections: readModelsFor(indexed ? "esdb://" : null, world.eventStore) });
    queries = queriesOf(world, models, { ownerEventsIndexed: indexed });
  });
  afterEach(() => world.close());

  it("come oldest first, page by page, none of another owner's", async () => {
    await happened(history);
    const rows: HistoryRecord[] = [];
    let [after, atEnd] = [START, false];
    while (!atEnd) {
      const page = await queries.ownerEvents("usr_1", {}, { after, limit: 17 });
      rows.push(...page.rows);
      ({ next: after, atEnd } = page);
    }
    expect(rows.map(({ stream, type }) => [stream, type])).toEqual(
      mine.map(({ stream, event }) => [stream, event.type]),
    );
  });

  it("can be narrowed to types and to one stream", async () => {
    await happened(history);
    const created = mine.find(({ event }) => event.type === "CampaignCreated");
    if (created?.event.type !== "CampaignCreated") throw new Error("no campaign in the history");
    const filter = { types: ["CampaignCreated"], streamOf: created.event.data.campaignId };
    const { rows } = await queries.ownerEvents("usr_1", filter, { after: START, limit: 50 });
    expect(rows.map(({ stream }) => stream)).toEqual([created.stream]);
    expect((await queries.ownerEvents("usr_2", filter, { after: START, limit: 50 })).rows).toEqual([]);
  });

  it("are a stretch of the log, from either end, without the events at its bounds", async () => {
    await happened(history);
    const all = (await queries.ownerEvents("usr_1", {}, { after: START, limit: 10_000 })).rows;
    const positionAt = (place: number) => all[place]?.position ?? START;
    const stretch = { after: positionAt(10), before: positionAt(40) };
    const asked = async (page: Partial<OwnerEventsPage>) =>
      (await queries.ownerEvents("usr_1", {}, { limit: 50, ...stretch, ...page })).rows;
    expect(await asked({})).toEqual(all.slice(11, 40));
    expect(await asked({ backward: true })).toEqual(all.slice(11, 40).toReversed());
    expect(await asked({ backward: true, limit: 5 })).toEqual(all.slice(35, 40).toReversed());
    expect(await asked({ after: START, limit: 3 })).toEqual(all.slice(0, 3));
    expect(await asked({ before: positionAt(11) })).toEqual([]);
  });

  it("are recent from a position on that has no more than so many behind it", async () => {
    await happened(history);
    const { floor, reaches } = await queries.recent("usr_1", START, 20);
    expect(reaches).toBe(false);
    const { rows } = await queries.ownerEvents("usr_1", {}, { after: floor, limit: 10_000 });
    expect(rows.length).toBeLessThanOrEqual(20);
    // In the log others' events count as well.
    if (how === "from the index") expect(rows).toHaveLength(20);
    expect(await queries.recent("usr_1", floor, 20)).toEqual({ floor, reaches: true });
    expect(await queries.recent("usr_1", START, 100_000)).toEqual({ floor: START, reaches: true });
  });

  it("are none after a position that the log has not reached", async () => {
    const page = await queries.ownerEvents("usr_1", {}, { after: "999999999", limit: 10 });
    expect(page).toEqual({ rows: [], next: "999999999", atEnd: true });
  });

  it("are fewer on a page when they are large, and the next page goes on", async () => {
    const description = "x".repeat(500_000);
    const squads = Array.from({ length: 40 }, (_, index) => `sqd_${index}` as const);
    await happened(
      squads.map((squadId) => ({
        stream: `squad-${squadId}` as const,
        owner: "usr_1",
        event: {
          type: "SquadCreated",
          data: { squadId, owner: "usr_1", name: "Nord", description, overrideSettings: {}, at: at(0) },
        },
      })),
    );
    const first = await queries.ownerEvents("usr_1", {}, { after: START, limit: 200 });
    if (how === "from the index") expect(first.rows.length).toBe(16);
    const rest = await queries.ownerEvents("usr_1", {}, { after: first.next, limit: 16 });
    expect([...first.rows, ...rest.rows].map(({ stream }) => stream).slice(0, 32)).toEqual(
      squads.slice(0, 32).map((id) => `squad-${id}`),
    );
    expect(first.atEnd).toBe(first.rows.length === squads.length);
  });

  it("are followed live from where the log was read to, and again from any of them", async () => {
    await happened(history.slice(0, 150));
    const first = follow(mine.length);
    await world.append(history.slice(150));
    const rows = await first;
    expect(rows.map(({ stream, type }) => [stream, type])).toEqual(
      mine.map(({ stream, event }) => [stream, event.type]),
    );
    const again = await follow(mine.length - 40, rows[39]?.position);
    expect(again).toEqual(rows.slice(40));
  });

  async function happened(events: typeof history): Promise<void> {
    await world.append(events);
    expect(await models.positions.waitFor(await world.eventStore.head(), 20_000)).toBe(true);
  }

  async function follow(count: number, after = START): Promise<HistoryRecord[]> {
    const stop = new AbortController();
    const rows: HistoryRecord[] = [];
    for await (const some of queries.followOwnerEvents("usr_1", {}, { after, signal: stop.signal })) {
      rows.push(...some);
      if (rows.length >= count) stop.abort();
    }
    return rows;
  }
});
