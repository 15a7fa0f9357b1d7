import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../../infrastructure/postgres/migrations/migrate.ts";
import { migrations } from "../../../infrastructure/postgres/migrations/migrations.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { configurationOn } from "../../contracts/configuration/configuration-world.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** As a release left it whose last migration is this one. */
async function migrateTo(name: string, pool: TestDatabase["pool"]): Promise<void> {
  const migrator = new Migrator({
    db: kyselyOn<unknown>(pool),
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: "migrations",
    migrationTableName: "applied",
    migrationLockTableName: "lock",
  });
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}

const applied = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select name from migrations.applied order by name",
  );
  return rows.map(({ name }) => name);
};

it("applies every migration once, also when processes start at the same moment", async () => {
  await Promise.all([migrate(database.pool), migrate(database.pool), migrate(database.pool)]);
  expect(await applied()).toEqual(Object.keys(migrations).toSorted());
});

it("changes nothing on a database of this release", async () => {
  const before = await database.pool.query("select * from migrations.applied order by name");
  await migrate(database.pool);
  const after = await database.pool.query("select * from migrations.applied order by name");
  expect(after.rows).toEqual(before.rows);
});

it("keeps attempts that an older release had started as started", async () => {
  const older = await createTestDatabase();
  const { pool } = older;
  await migrateTo("0041-expected-recordings", pool);
  await pool.query(
    `insert into work.webhook_deliveries
       (owner_id, id, event_id, trigger, status, attempts, failures, next_attempt_at, started_at, created_at)
     select 'usr_1', id, id, 'auto', status, attempts, failures, now(), started_at, now() from (values
       ('dlv_1', 'sending', 1, 0, now()), ('dlv_2', 'sending', 3, 2, now()), ('dlv_3', 'delivered', 1, 0, null),
       ('dlv_4', 'sending', 1, 0, now() - interval '1 minute')
     ) as delivery (id, status, attempts, failures, started_at)`,
  );
  await migrate(pool);
  const { rows } = await pool.query(
    `select array_to_string(deliveries, ' ') as started, numbers, started_at < now() - interval '30 seconds' as late
     from work.webhook_starts order by started`,
  );
  expect(rows).toEqual([
    { started: "dlv_1 dlv_2", numbers: [1, 3], late: false },
    { started: "dlv_4", numbers: [1], late: true },
  ]);
  const deliveries = await pool.query("select id, status, attempts from work.webhook_deliveries order by id");
  expect(deliveries.rows.map(({ id, status, attempts }) => [id, status, attempts])).toEqual([
    ["dlv_1", "pending", 0],
    ["dlv_2", "retrying", 2],
    ["dlv_3", "delivered", 1],
    ["dlv_4", "pending", 0],
  ]);
  await older.drop();
});

it("lets owners of an older release follow the environment when nobody set their plan", async () => {
  const older = await createTestDatabase();
  const { pool } = older;
  await migrateTo("0045-rows-that-change", pool);
  await pool.query(
    `insert into config.users (id, name, active, max_concurrent_calls, max_calls_per_second, created_at, updated_at)
     select id, id, true, calls, 10, '2026-09-01'::timestamptz + made, '2026-09-01'::timestamptz + made + changed from (values
       ('usr_first', 10, interval '1 day', interval '0'), ('usr_same', 10, '2 days', '0'),
       ('usr_changed', 10, '3 days', '1 second'), ('usr_given', 50, '4 days', '0')
     ) as owner (id, calls, made, changed)`,
  );
  await migrate(pool);
  const { rows } = await pool.query("select id from config.users where plan_source = 'default' order by id");
  expect(rows).toEqual([{ id: "usr_first" }, { id: "usr_same" }]);
  await older.drop();
});

it("keeps the entries of a do-not-call list, and begins their history with them", async () => {
  const older = await createTestDatabase();
  const { pool } = older;
  await migrateTo("0056-opt-out-of-an-assistant", pool);
  await pool.query(
    `insert into config.suppressions (owner_id, phone_number, reason, created_at, created_by) values
       ('usr_1', '+15005550006', 'Asked by letter', '2026-09-01', 'key_1'), ('usr_1', '+15005550007', null, '2026-09-02', null)`,
  );
  await migrate(pool);
  const { configuration } = configurationOn({ pool, notifications: createNotifications(pool, silentLogger) });
  const { suppressions } = configuration;
  const first = { reason: "Asked by letter", source: "api", callId: null } as const;
  const createdAt = "2026-09-01T00:00:00.000Z";
  const line = { ...first, action: "listed", by: "key_1", at: createdAt };
  expect(await suppressions.get("usr_1", "+15005550006")).toEqual({
    ...{ phoneNumber: "+15005550006", listed: true, createdAt },
    ...first,
    history: [line],
  });
  expect(await suppressions.get("usr_1", "+15005550007")).toMatchObject({
    history: [{ action: "listed", by: null, reason: null }],
  });
  await suppressions.takeOff("usr_1", "+15005550006", "key_2", []);
  expect((await suppressions.get("usr_1", "+15005550006"))?.history).toMatchObject([
    { ...first, action: "removed", by: "key_2" },
    line,
  ]);
  await configuration.stop();
  await older.drop();
});

/** What the migration reads: calls of two owners, one of no campaign, one never analysed. */
const THIRD_CALLS = [
  "create schema if not exists read",
  `create table read.calls_v3 (id text collate "C" primary key, owner text not null, ended_as text,
    campaign_id text collate "C", created_at text collate "C")`,
  `create table read.outcome_terms_v3 (owner text not null, term text collate "C" not null,
    call_id text collate "C" not null, primary key (owner, term, call_id))`,
  `insert into read.calls_v3 (id, owner, ended_as, campaign_id) values
    ('call_1', 'usr_1', 'completed', 'cmp_1'), ('call_2', 'usr_1', 'failed', null),
    ('call_3', 'usr_2', 'completed', 'cmp_2'), ('call_4', 'usr_1', 'completed', 'cmp_1')`,
  `insert into read.outcome_terms_v3 (owner, call_id, term) values
    ('usr_1', 'call_1', 'success=true'), ('usr_1', 'call_1', 'outcome.plan=gold'),
    ('usr_1', 'call_2', 'success=false'), ('usr_2', 'call_3', 'success=true')`,
];

it("makes the sets of values, and the index of times, where a read model of calls stands already", async () => {
  const older = await createTestDatabase();
  const { pool } = older;
  await migrateTo("0064-callback-of-an-assistant", pool);
  for (const statement of THIRD_CALLS) await pool.query(statement);
  await migrate(pool);
  const { rows } = await pool.query(
    "select call_id, array(select unnest(terms) order by 1) as terms from read.outcome_sets_v3 order by call_id",
  );
  expect(rows).toEqual([
    {
      call_id: "call_1",
      terms: [
        "usr_1 campaign=cmp_1",
        "usr_1 ended=completed",
        "usr_1 outcome.plan=gold",
        "usr_1 success=true",
      ],
    },
    { call_id: "call_2", terms: ["usr_1 ended=failed", "usr_1 success=false"] },
    { call_id: "call_3", terms: ["usr_2 campaign=cmp_2", "usr_2 ended=completed", "usr_2 success=true"] },
  ]);
  const indexed = await pool.query(
    `select tablename from pg_indexes where schemaname = 'read'
       and indexdef like any(array['%outcome_sets_v3 USING gin (terms)', '%calls_v3 USING btree (owner, created_at, id)'])
     order by tablename`,
  );
  expect(indexed.rows).toEqual([{ tablename: "calls_v3" }, { tablename: "outcome_sets_v3" }]);
  await older.drop();
});

it("refuses a database of a newer release and names the migration", async () => {
  await database.pool.query("insert into migrations.applied values ('9999-future', now()::text)");
  await expect(migrate(database.pool)).rejects.toThrow(/newer release \(migration 9999-future\)/);
});
