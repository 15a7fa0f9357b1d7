import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { standingOfAccounts } from "../../infrastructure/account/standing-of-accounts.ts";
import { callsProjection } from "../../projections/calls/calls.ts";
import { campaignsProjection } from "../../projections/campaigns/campaigns.ts";
import { servingTables } from "../../projections/engine/projection.ts";
import { standingOfWork } from "../../projections/standing-of-work.ts";
import { eventually } from "../support/eventually.ts";
import { openReadWorld, type ReadWorld } from "./read-world.ts";

/** A tenth of what the figure of the decision page was measured with: more would take the tests too long to make. */
const ENDED = 100_000;
const LIVE = 300;
const CAMPAIGNS = 2_000;
const LOOKS = 9;
const MILLIS = 50;

const calls = servingTables(callsProjection)("calls");
const campaigns = servingTables(campaignsProjection)("campaigns");

describe("the counts for /metrics", () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await openReadWorld();
    world.start();
    const built = () => standingOfWork(world.db).then(Boolean, () => false);
    await eventually("the read models", built);
    await world.stop();
    await sql`insert into ${calls}
        (id, owner, revision, status, ended_as, to_number, created_at, request, progress)
      select 'call_' || n, 'usr_' || n % 50, 9, status, ended_as, '+15005550006',
        '2026-09-01T10:00:00.000Z', '{}', '{}'
      from generate_series(1, ${ENDED + LIVE}::integer) n,
        lateral (select case when n > ${ENDED}::integer then 'ringing' else 'completed' end as status,
          case when n > ${ENDED}::integer then null else 'completed' end as ended_as) s`.execute(world.db);
    await sql`insert into ${campaigns} (id, owner, revision, status, detail)
      select 'cmp_' || n, 'usr_' || n % 50, 9, case when n % 4 = 0 then 'PAUSED' else 'COMPLETED' end,
        json_build_object('pauseReason', case when n % 4 = 0 then 'insufficient_credits' end)
      from generate_series(1, ${CAMPAIGNS}::integer) n`.execute(world.db);
    await sql`analyze ${calls}`.execute(world.db);
  });
  afterAll(() => world.close());

  it("are those of all owners together", async () => {
    const { calls: live, campaigns: found } = await standingOfWork(world.db);
    expect(live).toEqual([{ status: "ringing", count: LIVE }]);
    expect(found.toSorted((a, b) => a.count - b.count)).toEqual([
      { state: "PAUSED", pauseReason: "insufficient_credits", count: CAMPAIGNS / 4 },
      { state: "COMPLETED", pauseReason: null, count: (CAMPAIGNS / 4) * 3 },
    ]);
  });

  it(`take less than ${MILLIS} ms beside ${ENDED} calls that have ended`, async () => {
    const { pool } = world.database;
    const taken: number[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      const began = performance.now();
      await Promise.all([standingOfWork(world.db), standingOfAccounts(pool)]);
      taken.push(performance.now() - began);
    }
    expect(taken.toSorted((a, b) => a - b)[(LOOKS - 1) / 2]).toBeLessThan(MILLIS);
  });
});
