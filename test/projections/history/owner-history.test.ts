import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import type { HistoryRecord } from "../../../application/ports/queries/history-records.ts";
import type { Queries } from "../../../application/ports/queries.ts";
import { type ReadModels, readModelsFor } from "../../../projections/read-models.ts";
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

  it("are none after a position that the log has not reached", async () => {
    const page = await queries.ownerEvents("usr_1", {}, { after: "999999999", limit: 10 });
    expect(page).toEqual({ rows: [], next: "999999999", atEnd: true });
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
