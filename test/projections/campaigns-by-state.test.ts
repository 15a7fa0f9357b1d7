import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountTotals } from "../../infrastructure/account/account-totals.ts";
import { campaignsProjection } from "../../projections/campaigns/campaigns.ts";
import { campaignsByState } from "../../projections/campaigns/campaigns-by-state.ts";
import { servingTables } from "../../projections/engine/projection.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { openReadWorld, type ReadWorld } from "./read-world.ts";

const CAMPAIGNS = 2_000;
const OWNERS = 1_000;
const LOOKS = 15;
/** Of the time that reading every record takes. */
const SHARE = 0.8;

const campaigns = servingTables(campaignsProjection)("campaigns");

describe("what /metrics reads of the installation", () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await openReadWorld();
    world.start();
    const built = () => campaignsByState(world.db).then(Boolean, () => false);
    await eventually("the read models", built);
    await world.stop();
    await sql`insert into ${campaigns} (id, owner, revision, status, detail)
      select 'cmp_' || n, 'usr_' || n % ${OWNERS}::integer, 9,
        case when n % 4 = 0 then 'PAUSED' else 'COMPLETED' end,
        json_build_object('pauseReason', case when n % 4 = 0 then 'insufficient_credits' end,
          'metadata', repeat('x', 8192))
      from generate_series(1, ${CAMPAIGNS}::integer) n`.execute(world.db);
    await sql`insert into work.owner_accounts (owner_id, live, balance, reserved)
      select 'usr_' || n, 2, 30000, 10000 from generate_series(1, ${OWNERS}::integer) n`.execute(world.db);
    await sql`insert into work.slot_demand (owner_id, campaign_id, wanted, last_grant_ms, until_ms)
      select 'usr_1', 'cmp_' || n, 3, 0, case when n > 5 then 0 else 9e15 end
      from generate_series(1, 7) n`.execute(world.db);
  });
  afterAll(() => world.close());

  it("counts the campaigns of all owners, the paused ones by their reason", async () => {
    const found = await campaignsByState(world.db);
    expect(found.toSorted((a, b) => a.count - b.count)).toEqual([
      { state: "PAUSED", pauseReason: "insufficient_credits", count: CAMPAIGNS / 4 },
      { state: "COMPLETED", pauseReason: null, count: (CAMPAIGNS / 4) * 3 },
    ]);
  });

  it("adds up what all owners have, and the demands that still stand", async () => {
    expect(await accountTotals(world.database.pool)).toEqual({
      available: OWNERS * 2,
      reserved: OWNERS,
      activeCalls: OWNERS * 2,
      slotsLimit: 0,
      slotsWanted: 15,
    });
  });

  it("reads the record of paused campaigns alone: a quarter of them costs less than all", async () => {
    const { pool } = world.database;
    const least = { these: Number.POSITIVE_INFINITY, everyRecord: Number.POSITIVE_INFINITY };
    const timed = async (which: keyof typeof least, work: () => Promise<unknown>) => {
      const began = performance.now();
      await work();
      least[which] = Math.min(least[which], performance.now() - began);
    };
    // In turns, and the best of each: the machine may have other work to do.
    for (let look = 0; look < LOOKS; look += 1) {
      await timed("these", () => Promise.all([campaignsByState(world.db), accountTotals(pool)]));
      await timed("everyRecord", () =>
        sql`select count(detail->>'pauseReason') from ${campaigns}`.execute(world.db),
      );
    }
    expect(least.these).toBeLessThan(SHARE * least.everyRecord);
  });
});
