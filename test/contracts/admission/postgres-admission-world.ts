import type pg from "pg";
import type { LedgerEntry } from "../../../domain/admission/grants.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { createPostgresAdmission } from "../../../infrastructure/account/admission/postgres-admission.ts";
import { createPostgresPolicies } from "../../../infrastructure/account/policies.ts";
import { removeExpired } from "../../../infrastructure/postgres/housekeeping.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import type { AdmissionWorld } from "./admission-world.ts";

export async function postgresAdmissionWorld(): Promise<AdmissionWorld> {
  const database = await workDatabase();
  const world = postgresAdmissionOn(database);
  return {
    ...world,
    end: async () => {
      await world.end();
      await database.drop();
    },
  };
}

/** Another process on the same database has its own pool. */
export function postgresAdmissionOn(
  database: WorkDatabase,
  pool: pg.Pool = database.pool,
  processId?: string,
): AdmissionWorld {
  const { notifications } = database;
  const admission = createPostgresAdmission({
    pool,
    notifications,
    logger: silentLogger,
    keys: createMemorySubjectKeys(),
    ...(processId === undefined ? {} : { processId }),
  });
  const policies = createPostgresPolicies(pool, notifications, silentLogger);
  return {
    admission,
    setOwner: async (owner, { active, plan }) => {
      await pool.query(
        `insert into config.users values ($1, $1, $2, $3, $4, now(), now())
         on conflict (id) do update set max_concurrent_calls = $2, max_calls_per_second = $3, active = $4`,
        [owner, plan.maxConcurrentCalls, plan.maxCallsPerSecond, active],
      );
    },
    setPolicy: policies.store,
    setLists: async (owner, days) => {
      await pool.query("delete from config.suppression_lists where owner_id = $1", [owner]);
      await pool.query(LISTS, [owner, days]);
    },
    ledger: (owner) => ledgerOf(pool, owner),
    pass: async (millis) => {
      await makeOlder(pool, millis);
      await removeExpired(pool);
    },
    now: async () => {
      const { rows } = await pool.query<{ now: Date }>("select clock_timestamp() as now");
      return instantFromMillis(rows[0]?.now.getTime() ?? 0);
    },
    setCapacity: async (limits) => {
      await pool.query("delete from work.processes where id = 'other'");
      if (limits !== null) await pool.query(TELLS, [limits.text, limits.audio]);
      await admission.capacityChanged();
    },
    end: async () => {
      admission.stop();
      policies.stop();
    },
  };
}

/** Beside the registry lists that count: one that is not active, a deleted one, and another kind. */
const LISTS = `insert into config.suppression_lists
    (id, owner_id, name, kind, active, as_of, created_at, updated_at, changed_at, deleted_at)
  select $1 || '-' || row_number() over (), $1, kind, kind, active, as_of::timestamptz, now(), now(), now(), deleted_at
  from (
    select 'registry' as kind, true as active, as_of, null::timestamptz as deleted_at from unnest($2::text[]) as as_of
    union all values ('registry', false, null, null), ('registry', false, null, now()), ('own', true, null, null)
  ) each`;

/** Another process says what it can hold. */
const TELLS = `insert into work.processes (id, text_limit, audio_limit, alive_at)
  values ('other', $1, $2, clock_timestamp() + interval '1 year')`;

type LedgerRow = Omit<LedgerEntry, "at" | "amount" | "balance" | "reserved" | "callId"> & {
  readonly at: Date;
  readonly amount: string;
  readonly balance: string;
  readonly reserved: string;
  readonly call_id: LedgerEntry["callId"];
};

async function ledgerOf(pool: pg.Pool, owner: OwnerId): Promise<readonly LedgerEntry[]> {
  const { rows } = await pool.query<LedgerRow>("select * from work.ledger where owner_id = $1 order by id", [
    owner,
  ]);
  return rows.map(({ id, at, cause, amount, balance, reserved, call_id: callId, reference }) => ({
    id,
    at: instantFromMillis(at.getTime()),
    cause,
    amount: Number(amount),
    balance: Number(balance),
    reserved: Number(reserved),
    callId,
    reference,
  }));
}

/** The database's clock cannot be moved: instead, everything that happened lies further back. */
async function makeOlder(pool: pg.Pool, millis: number): Promise<void> {
  const back = `interval '${millis} milliseconds'`;
  await pool.query(`update work.call_slots set dial_at = dial_at - ${back}, dial_by = dial_by - ${back},
    next_look_at = next_look_at - ${back}, closed_at = closed_at - ${back}`);
  await pool.query(`update work.number_dials set at = at - ${back}`);
  await pool.query(`update work.slot_demand set until_ms = until_ms - ${millis}, next_turn_ms = next_turn_ms - ${millis},
    last_grant_ms = last_grant_ms - ${millis}`);
  await pool.query(`update work.owner_accounts set next_turn_ms = next_turn_ms - ${millis},
    paced_until_ms = paced_until_ms - ${millis}`);
  await pool.query(`update work.connection_turns set next_turn_ms = next_turn_ms - ${millis},
    slowed_until_ms = slowed_until_ms - ${millis},
    ahead_ms = (select coalesce(json_agg(at::float8 - ${millis}), '[]') from json_array_elements_text(ahead_ms) at)`);
}
