import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Admission and ledger, leases, checkpoints, commands, imports, idempotency keys, sign of life. Never
 * rebuilt from the log.
 */
export const work: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create schema if not exists work`.execute(db);
    for (const statement of [...ADMISSION, ...PROCESSORS, ...REQUESTS]) await sql.raw(statement).execute(db);
  },
};

/**
 * Turns of the pace are milliseconds since 1970 with a fraction: at 10,000 calls a second they are 0.1
 * ms apart. `paced_until`: up to here some dials are ahead of `next_turn_ms` because of their
 * campaign's own pace.
 */
const ADMISSION = [
  `create table work.owner_accounts (
    owner_id text collate "C" primary key,
    live integer not null default 0,
    balance bigint not null default 0,
    reserved bigint not null default 0,
    next_turn_ms double precision not null default 0,
    paced_until_ms double precision not null default 0
  ) with (fillfactor = 50)`,
  `create table work.slot_demand (
    owner_id text collate "C" not null,
    campaign_id text collate "C" not null,
    live integer not null default 0,
    wanted integer not null default 0,
    cap integer,
    per_second double precision,
    next_turn_ms double precision not null default 0,
    last_grant_ms double precision not null,
    until_ms double precision not null,
    credits_wanted bigint,
    primary key (owner_id, campaign_id)
  ) with (fillfactor = 50)`,
  `create unique index slot_demand_campaign on work.slot_demand (campaign_id)`,
  `create table work.call_slots (
    call_id text collate "C" primary key,
    owner_id text collate "C" not null,
    campaign_id text collate "C",
    price bigint not null,
    dial_at timestamptz not null,
    dial_by timestamptz not null,
    next_look_at timestamptz not null,
    paced boolean not null,
    active_calls integer not null,
    max_concurrent_calls integer not null,
    available_credits bigint not null,
    closed_at timestamptz
  ) with (fillfactor = 80)`,
  `create index call_slots_due on work.call_slots (next_look_at) where closed_at is null`,
  `create index call_slots_closed on work.call_slots (closed_at) where closed_at is not null`,
  `create index call_slots_paced on work.call_slots (owner_id, dial_at) where paced`,
  `create table work.ledger (
    owner_id text collate "C" not null,
    id bigint generated always as identity,
    at timestamptz not null,
    cause text not null check (cause in ('top_up', 'reserve', 'release', 'charge')),
    amount bigint not null check (amount > 0),
    balance bigint not null,
    reserved bigint not null,
    call_id text collate "C",
    reference text,
    primary key (owner_id, id)
  )`,
  `create unique index ledger_call on work.ledger (call_id, cause) where call_id is not null`,
  `create unique index ledger_reference on work.ledger (owner_id, reference) where reference is not null`,
];

const PROCESSORS = [
  `create table work.leases (
    name text collate "C" primary key,
    holder text not null,
    until timestamptz not null
  ) with (fillfactor = 50)`,
  `create table work.checkpoints (
    processor text collate "C" primary key,
    position text not null,
    event_id text,
    moved_at timestamptz not null
  ) with (fillfactor = 50)`,
  `create table work.parked_events (
    processor text collate "C" not null,
    position text collate "C" not null,
    stream text not null,
    type text not null,
    event json not null,
    problem text not null,
    parked_at timestamptz not null,
    primary key (processor, position)
  )`,
  `create table work.alive (
    id boolean primary key default true check (id),
    alive_at timestamptz not null
  ) with (fillfactor = 50)`,
];

const REQUESTS = [
  `create table work.campaign_commands (
    id text collate "C" primary key,
    sequence bigint generated always as identity,
    campaign_id text collate "C" not null,
    owner_id text collate "C" not null,
    payload json not null,
    answer json,
    enqueued_at timestamptz not null
  )`,
  `create index campaign_commands_waiting on work.campaign_commands (campaign_id, sequence) where answer is null`,
  `create index campaign_commands_age on work.campaign_commands (enqueued_at)`,
  `create table work.imports (
    import_id text collate "C" primary key,
    campaign_id text collate "C" not null,
    begun_at timestamptz not null,
    sealed boolean not null default false
  )`,
  `create index imports_unsealed on work.imports (begun_at) where not sealed`,
  `create table work.idempotency_keys (
    owner_id text collate "C" not null,
    method text collate "C" not null,
    path text collate "C" not null,
    key text collate "C" not null,
    body_hash text not null,
    ids json not null,
    holder text,
    lease_until timestamptz,
    status integer,
    body text,
    headers json,
    created_at timestamptz not null,
    primary key (owner_id, method, path, key)
  )`,
  `create index idempotency_keys_age on work.idempotency_keys (created_at)`,
];
