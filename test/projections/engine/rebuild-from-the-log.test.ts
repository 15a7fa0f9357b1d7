import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callsProjection } from "../../../projections/calls/calls.ts";
import { nextTables } from "../../../projections/engine/projection.ts";
import { openDraft } from "../../../projections/engine/rebuild-draft.ts";
import { randomHistory } from "../random-history.ts";
import { allRows, openReadWorld, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;

describe("a rebuild takes everything from the log and nothing from the rows before", () => {
  let world: ReadWorld;
  let right: Record<string, unknown[]>;
  beforeEach(async () => {
    world = await openReadWorld();
    await world.append(randomHistory(31, 150));
    const models = world.start();
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    await world.stop();
    right = await allRows(world.db);
  });
  afterEach(() => world.close());

  it("makes rows that were lost again", async () => {
    for (const table of Object.keys(right))
      await sql`delete from ${sql.table(`read.${table}`)}`.execute(world.db);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(right);
  });

  it("keeps no row that the log knows nothing of", async () => {
    await sql`insert into read.calls_v3 select (jsonb_populate_record(c, '{"id": "call_foreign"}')).* from read.calls_v3 c limit 1`.execute(
      world.db,
    );
    expect((await allRows(world.db))["calls_v3"]).toHaveLength((right["calls_v3"]?.length ?? 0) + 1);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(right);
  });

  it("keeps no wrong value of a row, though its revision is that of the log", async () => {
    await sql`update read.calls_v3 set owner = 'usr_wrong', ended_as = null`.execute(world.db);
    await sql`update read.campaigns_v4 set owner = 'usr_wrong'`.execute(world.db);
    expect(await allRows(world.db)).not.toEqual(right);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(right);
  });

  it("keeps nothing of a rebuild before it that did not come to its end", async () => {
    const tableOf = nextTables(callsProjection);
    await openDraft(world.db, callsProjection);
    await sql`insert into ${tableOf("calls")} select * from read.calls_v3`.execute(world.db);
    await sql`update ${tableOf("calls")} set id = 'other_' || id`.execute(world.db);
    await world.rebuild();
    expect(await allRows(world.db)).toEqual(right);
  });
});

it("makes of a log of more than 5,000 events, which it reads in several pages, what following it makes", async () => {
  const world = await openReadWorld();
  const history = randomHistory(5, 5_200, "steady");
  expect(history.length).toBeGreaterThan(5_000);
  await world.append(history);
  const models = world.start();
  expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
  await world.stop();
  const right = await allRows(world.db);
  await world.rebuild();
  expect(await allRows(world.db)).toEqual(right);
  await world.close();
});
