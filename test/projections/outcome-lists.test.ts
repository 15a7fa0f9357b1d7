import type { PostgresPool } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallFilter } from "../../application/ports/queries.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { kyselyOn } from "../../infrastructure/postgres/pool.ts";
import { callQueries } from "../../projections/calls/call-queries.ts";
import type { ReadSchema } from "../../projections/engine/read-schema.ts";
import { openReadWorld, type ReadWorld } from "./read-world.ts";

const CALLS = 20_000;
const OWNER: OwnerId = "usr_1";
const FEW: OwnerId = "usr_2";
/** More are no page, but the calls themselves. */
const MOST_ROWS = 7_000;
const PAGE = 20;

let world: ReadWorld;
/** What was sent to the database last. */
let asked: { text: string; values: readonly unknown[] };
let calls: ReturnType<typeof callQueries>["calls"];

/** Every hundredth call is of an owner with few; values as `bench/many-calls.ts` has them. */
const FILL = [
  `create temp table many as select n, 'call_' || lpad(n::text, 26, '0') as call,
     case when n % 100 = 7 then '${FEW}' else '${OWNER}' end as owner,
     'cmp_' || lpad((n / 1000)::text, 26, '0') as campaign,
     '2026-08-01T' || lpad((n / 3600)::text, 2, '0') || ':00:00.000Z' as made
   from generate_series(1, ${CALLS}) as n`,
  `insert into read.calls_v3 (id, owner, revision, status, ended_as, campaign_id, to_number, created_at, request, progress)
   select call, owner, 6, 'completed', case when n % 4 = 0 then 'failed' else 'completed' end, campaign, '+15005550006',
     made, json_build_object('id', call), json_build_object('recordingStatus', 'none', 'conversation', null) from many`,
  `insert into read.outcome_terms_v3 (owner, term, call_id)
   select owner, term, call from many cross join lateral (values
     ('success=' || (n % 2 = 0)), ('outcome.confirmed=' || (n % 2 = 0)),
     ('outcome.plan=' || case when n < ${CALLS / 2} then 'gold' else 'silver' end),
     ('outcome.mood=' || case when n % 1000 = 3 then 'furious' else 'calm' end)) as each (term)`,
  `insert into read.outcome_sets_v3 (call_id, terms)
   select call, array_agg(many.owner || ' ' || term) || array[
     many.owner || ' campaign=' || campaign, many.owner || ' ended=' || case when n % 4 = 0 then 'failed' else 'completed' end]
   from many join read.outcome_terms_v3 on call_id = call group by n, call, many.owner, campaign`,
];

beforeAll(async () => {
  world = await openReadWorld();
  await world.start().positions.waitFor(await world.eventStore.head(), 60_000);
  await world.stop();
  const { pool } = world.database;
  const client = await pool.connect();
  for (const statement of FILL) await client.query(statement);
  client.release();
  await pool.query("vacuum analyze");
  const db = kyselyOn<ReadSchema>(pool, listening);
  calls = callQueries({ db, publicUrl: () => "" }, (_models, _heard, read) => read(db)).calls;
}, 120_000);
afterAll(() => world.close());

function listening(pool: PostgresPool): PostgresPool {
  return {
    ...pool,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const query = (text: string, values: readonly unknown[]) => {
        asked = { text, values };
        return client.query(text, values);
      };
      return { query: query as typeof client.query, release: () => client.release() };
    },
  };
}

type Plan = {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
};

const READS_TABLES = ["Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan"];

/** Rows that were read from tables and indexes, also those that were thrown away. */
function rowsIn(plan: Plan): number {
  const { "Actual Rows": rows, "Actual Loops": loops, "Rows Removed by Filter": removed = 0 } = plan;
  const own = READS_TABLES.includes(plan["Node Type"]) ? (rows + removed) * loops : 0;
  return own + (plan.Plans ?? []).reduce((sum, each) => sum + rowsIn(each), 0);
}

async function listed(owner: OwnerId, filter: CallFilter, after: CallId | null = null) {
  const { rows } = await calls(owner, filter, { limit: PAGE, after }, undefined);
  const explained = await world.database.pool.query(`explain (analyze, format json) ${asked.text}`, [
    ...asked.values,
  ]);
  return {
    numbers: rows.map(({ id }) => Number(id.slice(5))),
    read: rowsIn(explained.rows[0]["QUERY PLAN"][0].Plan),
  };
}

const idOf = (n: number): CallId => `call_${String(n).padStart(26, "0")}`;
const campaign = (n: number) => `cmp_${String(n).padStart(26, "0")}` as const;
const field = (name: string, value: string) => ({ name, value });
const GOLD = field("plan", "gold");
const SILVER = field("plan", "silver");
const FURIOUS = field("mood", "furious");
const CALM = field("mood", "calm");
const NOT_CONFIRMED = field("confirmed", "false");

/** Newest first, the calls of the owner with fewer of them left out. */
const ofOwner = (isWanted: (n: number) => boolean, below = CALLS + 1) =>
  Array.from({ length: below - 1 }, (_, at) => below - 1 - at).filter((n) => n % 100 !== 7 && isWanted(n));

describe("a list of the calls that have several values reads few of those that have one", () => {
  it.each<[string, CallFilter, (n: number) => boolean]>([
    ["many have all", { success: true, outcome: [CALM] }, (n) => n % 2 === 0],
    ["none has all, half have each", { success: true, outcome: [NOT_CONFIRMED] }, () => false],
    ["few have all", { success: false, outcome: [FURIOUS] }, (n) => n % 1000 === 3],
    ["four values, and none has all", { success: true, outcome: [CALM, GOLD, NOT_CONFIRMED] }, () => false],
    ["the newest thousands have not", { success: true, outcome: [FURIOUS, GOLD] }, () => false],
    ["old ones have", { success: false, outcome: [FURIOUS, GOLD] }, (n) => n % 1000 === 3 && n < CALLS / 2],
    [
      "of a campaign",
      { success: true, campaignId: campaign(3) },
      (n) => n % 2 === 0 && Math.floor(n / 1000) === 3,
    ],
    ["of a campaign, none", { success: true, outcome: [SILVER], campaignId: campaign(3) }, () => false],
    [
      "by how they ended",
      { success: true, status: "failed", outcome: [GOLD] },
      (n) => n % 4 === 0 && n < CALLS / 2,
    ],
    ["by how they ended, none", { success: false, status: "failed" }, () => false],
    ["that nobody has", { success: true, outcome: [field("plan", "lead")] }, () => false],
  ])("%s", async (_what, filter, isWanted) => {
    const { numbers, read } = await listed(OWNER, filter);
    expect(numbers).toEqual(ofOwner(isWanted).slice(0, PAGE));
    expect(read).toBeLessThan(MOST_ROWS);
  });

  it("on a deep page", async () => {
    const half = await listed(OWNER, { success: true, outcome: [CALM] }, idOf(CALLS / 2));
    expect(half.numbers).toEqual(ofOwner((n) => n % 2 === 0, CALLS / 2).slice(0, PAGE));
    expect(half.read).toBeLessThan(MOST_ROWS);
    const none = await listed(OWNER, { success: true, outcome: [NOT_CONFIRMED] }, idOf(CALLS / 2));
    expect(none.numbers).toEqual([]);
    expect(none.read).toBeLessThan(MOST_ROWS);
  });

  it("of an owner who has few calls among many", async () => {
    const { numbers, read } = await listed(FEW, { success: false, outcome: [CALM] });
    expect(numbers).toEqual(Array.from({ length: PAGE }, (_, at) => CALLS - 93 - 100 * at));
    expect(read).toBeLessThan(MOST_ROWS);
    const none = await listed(FEW, { success: true, outcome: [NOT_CONFIRMED] });
    expect([none.numbers, none.read < MOST_ROWS]).toEqual([[], true]);
  });

  it("with a filter that no set holds, looks on behind the newest", async () => {
    const { numbers } = await listed(OWNER, {
      success: true,
      outcome: [CALM],
      until: "2026-08-01T02:00:00.000Z",
    });
    expect(numbers).toEqual(ofOwner((n) => n % 2 === 0 && n < 7_200).slice(0, PAGE));
  });
});

describe("a list of the calls of a time reads no others", () => {
  const until = "2026-08-01T02:00:00.000Z";
  const hour = (n: number) => Math.floor(n / 3600);

  it.each<[string, CallFilter, (n: number) => boolean]>([
    ["before a time", { until }, (n) => hour(n) < 2],
    ["from a time on", { from: "2026-08-01T05:00:00.000Z" }, (n) => hour(n) >= 5],
    ["between two", { from: "2026-08-01T01:00:00.000Z", until }, (n) => hour(n) === 1],
    ["before a time, and failed", { until, status: "failed" }, (n) => hour(n) < 2 && n % 4 === 0],
    ["before the first", { until: "2026-08-01T00:00:00.000Z" }, () => false],
  ])("%s", async (_what, filter, isWanted) => {
    const { numbers, read } = await listed(OWNER, filter);
    expect(numbers).toEqual(ofOwner(isWanted).slice(0, PAGE));
    expect(read).toBeLessThan(10 * PAGE);
  });

  it("goes on where the page before ended, though calls of one time are on both", async () => {
    const { numbers, read } = await listed(OWNER, { until }, idOf(5_000));
    expect(numbers).toEqual(ofOwner((n) => hour(n) < 2, 5_000).slice(0, PAGE));
    expect(read).toBeLessThan(10 * PAGE);
  });
});
