import { afterEach, beforeEach, expect, it } from "vitest";
import type { Rehearsals } from "../../../application/ports/rehearsals.ts";
import type { CallId, OwnerId, RehearsalId } from "../../../domain/shared/ids.ts";
import {
  createPostgresSubjectKeys,
  type SubjectKeyRing,
} from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { guardKeys } from "../../../infrastructure/personal-data/key-guard.ts";
import { postgresErasures } from "../../../infrastructure/personal-data/postgres-erasures.ts";
import { postgresRetention } from "../../../infrastructure/personal-data/postgres-retention.ts";
import { postgresRehearsals } from "../../../infrastructure/rehearsal/postgres-rehearsals.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { migratedDatabase } from "../../support/database.ts";
import { tablesWith } from "../../support/database-text.ts";
import type { TestDatabase } from "../../support/postgres.ts";
import { MARK, newRehearsal, playedRun } from "./example-rehearsal.ts";

const OWNER: OwnerId = "usr_1";
const CALL: CallId = "call_1";
const TAKE = { holder: "one", ttlMillis: 60_000, mostOfOwner: 4, notOwners: [], notConnections: [] };
const DAY = 86_400_000;

let database: TestDatabase;
let keys: SubjectKeyRing;
let rehearsals: Rehearsals;
beforeEach(async () => {
  database = await migratedDatabase();
  keys = createPostgresSubjectKeys(database.pool, secretBox(new Uint8Array(32)));
  rehearsals = postgresRehearsals(database.pool, keys);
});
afterEach(() => database.drop());

const erasures = () => postgresErasures({ pool: database.pool, keys });

/** Of this call, with a run that is played, one that is being played and one that waits. */
async function halfPlayed(callIds: readonly CallId[], owner = OWNER): Promise<RehearsalId> {
  const made = newRehearsal({ owner, callIds, cases: 3 });
  await rehearsals.begin(made);
  const run = await rehearsals.take(TAKE);
  if (run === null) throw new Error("nothing to take");
  await rehearsals.finish(run, "one", playedRun());
  await rehearsals.take(TAKE);
  await database.pool.query(
    `insert into work.idempotency_keys (owner_id, method, path, key, body_hash, ids, status, body, created_at)
     values ($1, 'POST', '/', $2, 'h', json_build_object('rehearsalId', $2::text), 202, $3, now())`,
    [owner, made.id, MARK],
  );
  return made.id;
}

/** Nothing but its key hides what it says. */
const showsWords = async (id: RehearsalId, owner = OWNER) => (await rehearsals.given(owner, id)) !== null;

it("is emptied with a call that it names, and keeps its numbers", async () => {
  const id = await halfPlayed([CALL, "call_2"]);
  const kept = await halfPlayed(["call_3"], "usr_2");
  await erasures().eraseKeys([{ callId: CALL, owner: OWNER, erasureId: "ers_1" }]);
  expect(await erasures().clear([CALL])).toBe(true);
  expect(await rehearsals.find(OWNER, id)).toMatchObject({
    ...{ erased: true, status: "cancelled", endedBecause: "erased", name: "Shorter greeting" },
    ...{ counts: { passed: 1, cancelled: 2 }, inputTokens: 100, outputTokens: 20 },
    byCase: [{ name: null, passAt: 0.5, counts: { passed: 1 } }, { name: null }, { name: null }],
  });
  expect([await showsWords(id), await showsWords(kept, "usr_2")]).toEqual([false, true]);
  const { rows } = await database.pool.query(
    `select (select count(*)::integer from work.rehearsals r where r.id = $1
         and coalesce(sealed_given, sealed_names, sealed_candidate, sealed_baseline) is not null) as of_it,
       (select count(*)::integer from work.rehearsal_cases where rehearsal_id = $1 and sealed_case is not null) as cases,
       (select count(*)::integer from work.rehearsal_runs where rehearsal_id = $1
         and coalesce(sealed_result, sealed_messages) is not null) as runs,
       (select sealed_key is null and erased_at is not null from config.subject_keys where subject = $1) as key,
       (select body is null and body_hash = 'erased' from work.idempotency_keys where key = $1) as answer`,
    [id],
  );
  expect(rows).toEqual([{ of_it: 0, cases: 0, runs: 0, key: true, answer: true }]);
  expect(await tablesWith(database.pool, MARK)).toEqual(["work.idempotency_keys"]);
});

it("stores nothing of a run that ends after the erasure", async () => {
  const made = newRehearsal({ owner: OWNER, callIds: [CALL], cases: 1 });
  await rehearsals.begin(made);
  const run = await rehearsals.take(TAKE);
  await erasures().clear([CALL]);
  if (run !== null) await rehearsals.finish(run, "one", playedRun());
  const { rows } = await database.pool.query(
    "select status, sealed_result, sealed_messages from work.rehearsal_runs where rehearsal_id = $1",
    [made.id],
  );
  expect(rows).toEqual([{ status: "cancelled", sealed_result: null, sealed_messages: null }]);
});

it("does not begin with a call that is erased meanwhile", async () => {
  await erasures().eraseKeys([{ callId: CALL, owner: OWNER, erasureId: "ers_1" }]);
  expect(await rehearsals.begin(newRehearsal({ owner: OWNER, callIds: ["call_2", CALL] }))).toEqual({
    kind: "erased",
    callIds: [CALL],
  });
  expect(await rehearsals.list(OWNER, { limit: 9, after: null })).toEqual({ rows: [], next: null });
});

it("whose key is missing keeps nobody from being called", async () => {
  const id = await halfPlayed([CALL]);
  await database.pool.query("delete from config.subject_keys where subject = $1", [id]);
  const stop = new AbortController();
  const { pool } = database;
  const guard = guardKeys({ pool, clock: systemClock, logger: silentLogger, stop: stop.signal });
  await guard.looked;
  stop.abort();
  expect(guard.lost()).toEqual([]);
});

it("is deleted after 30 days, or as many as its owner keeps texts", async () => {
  const OWNERS = { usr_forever: null, usr_years: 900, usr_short: 3 };
  for (const [id, days] of Object.entries(OWNERS))
    await database.pool.query(
      `insert into config.users (id, name, max_concurrent_calls, max_calls_per_second, active, content_days,
         created_at, updated_at) values ($1, $1, 1, 1, true, $2, now(), now())`,
      [id, days],
    );
  for (const owner of Object.keys(OWNERS) as OwnerId[])
    await rehearsals.begin(newRehearsal({ owner, createdAt: "2026-11-01T00:00:00.000Z" }));
  const left = async (now: string) => {
    await postgresRetention(database.pool).deleteRehearsals(`${now}Z` as `${string}Z`, DAY);
    const { rows } = await database.pool.query<{ owner: string }>(
      "select owner_id as owner from config.subject_keys order by owner_id",
    );
    const { rows: stored } = await database.pool.query(
      "select owner_id as owner from work.rehearsals order by 1",
    );
    expect(stored).toEqual(rows);
    return rows.map(({ owner }) => owner);
  };
  expect(await left("2026-11-04T00:00:00.000")).toEqual(["usr_forever", "usr_short", "usr_years"]);
  expect(await left("2026-11-04T00:00:00.001")).toEqual(["usr_forever", "usr_years"]);
  expect(await left("2026-12-01T00:00:00.000")).toEqual(["usr_forever", "usr_years"]);
  expect(await left("2026-12-01T00:00:00.001")).toEqual([]);
});
