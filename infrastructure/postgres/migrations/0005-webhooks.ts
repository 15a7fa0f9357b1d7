import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Webhook endpoints and their secrets; messages, deliveries, attempts, and ends that wait
 * (infrastructure/webhook).
 */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...SETTINGS, ...OUTBOX]) await sql.raw(statement).execute(db);
  },
};

const SETTINGS = [
  `create table config.secrets_check (
    only_row boolean primary key check (only_row),
    sealed bytea not null
  )`,
  `create table config.webhook_secrets (
    owner_id text collate "C" primary key,
    sealed bytea not null,
    previous bytea,
    previous_until timestamptz
  )`,
  // version rises with every change that the delivery loop must know, secrets included.
  `create table config.webhook_endpoints (
    owner_id text collate "C" primary key,
    url text not null,
    enabled boolean not null,
    disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
    misconfigured boolean not null default false,
    in_use boolean not null generated always as (enabled and not misconfigured) stored,
    events text[] not null,
    version bigint not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
];

const OUTBOX = [
  `create table work.webhook_endpoint_state (
    owner_id text collate "C" primary key,
    worker text,
    lease_until timestamptz,
    breaker_failures integer not null default 0,
    breaker_open_until timestamptz,
    breaker_wait_ms integer not null default 30000,
    silent_since timestamptz not null,
    exhausted boolean not null default false,
    proven boolean not null default false
  )`,
  // One event for one owner: the body is stored once, for every attempt and replay.
  `create table work.webhook_messages (
    owner_id text collate "C" not null,
    event_id text collate "C" not null,
    event text not null,
    call_id text collate "C",
    campaign_id text collate "C",
    occurred_at timestamptz not null,
    body text,
    delivery_id text collate "C",
    primary key (owner_id, event_id)
  )`,
  `create index webhook_messages_call on work.webhook_messages (call_id)`,
  `create index webhook_messages_body on work.webhook_messages (owner_id, occurred_at) where body is not null`,
  `create table work.webhook_deliveries (
    owner_id text collate "C" not null,
    id text collate "C" not null,
    event_id text collate "C" not null,
    trigger text not null check (trigger in ('auto', 'manual', 'test')),
    replay_id text collate "C",
    -- The delivery of call.started that this one goes out after.
    after_id text collate "C",
    status text not null check (status in ('pending', 'sending', 'delivered', 'retrying', 'held', 'dead')),
    attempts integer not null default 0,
    failures integer not null default 0,
    next_attempt_at timestamptz not null,
    started_at timestamptz,
    held_until timestamptz,
    -- The attempt before ended unknown.
    recovering boolean not null default false,
    -- A replay took its place: no retry after the attempt that is under way.
    superseded boolean not null default false,
    created_at timestamptz not null,
    delivered_at timestamptz,
    primary key (owner_id, id)
  ) with (fillfactor = 80)`,
  `create index webhook_deliveries_open on work.webhook_deliveries (owner_id, next_attempt_at, id)
    where status in ('pending', 'retrying', 'sending')`,
  `create index webhook_deliveries_held on work.webhook_deliveries (owner_id, held_until) where status = 'held'`,
  `create index webhook_deliveries_dead on work.webhook_deliveries (owner_id) where status = 'dead'`,
  `create index webhook_deliveries_repeated on work.webhook_deliveries (owner_id, event_id) where trigger <> 'auto'`,
  `create unique index webhook_deliveries_replay on work.webhook_deliveries (owner_id, replay_id, event_id)
    where replay_id is not null`,
  `create table work.webhook_attempts (
    owner_id text collate "C" not null,
    delivery_id text collate "C" not null,
    number integer not null,
    trigger text not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    class text not null,
    http_status integer,
    detail text,
    phases json,
    answer text,
    answer_headers json,
    remote_address text,
    secret_id text,
    next_attempt_at timestamptz,
    primary key (owner_id, delivery_id, number)
  )`,
  // A call.ended that waits for a recording or an outcome: a minute at most.
  `create table work.pending_ends (
    call_id text collate "C" primary key,
    owner_id text collate "C" not null,
    due timestamptz not null
  )`,
  `create index pending_ends_due on work.pending_ends (due)`,
];
