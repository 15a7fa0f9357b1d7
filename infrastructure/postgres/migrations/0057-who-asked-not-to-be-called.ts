import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Where entries of the do-not-call list come from, what was done with a number, the calls on which somebody
 * asked not to be called again, and webhooks about a number. Entries that are there count as put there
 * through the API; the first change of such an entry also writes the line of its history that it has not.
 */
export const whoAskedNotToBeCalled: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // Building the index reads the whole table of messages.
  "set local statement_timeout = 0",
  `alter table config.suppressions
    add column source text not null default 'api' check (source in ('call', 'api', 'import')),
    add column call_id text collate "C"`,
  `create table config.suppression_history (
    owner_id text collate "C" not null,
    phone_number text collate "C" not null,
    sequence bigint generated always as identity,
    action text not null check (action in ('listed', 'taken_over', 'removed')),
    reason text,
    source text not null check (source in ('call', 'api', 'import')),
    by_key text,
    call_id text collate "C",
    at timestamptz not null,
    primary key (owner_id, phone_number, sequence)
  )`,
  // heard_by null: what was said cannot be read.
  `create table work.opt_outs (
    call_id text collate "C" primary key,
    owner_id text collate "C" not null,
    campaign_id text collate "C",
    phone_number text collate "C" not null,
    sequence bigint generated always as identity,
    heard_by text check (heard_by in ('words', 'model', 'keypad')),
    message_index integer,
    said_at timestamptz,
    recorded boolean not null default false,
    revoked boolean not null default false
  )`,
  `create index opt_outs_of_number on work.opt_outs (owner_id, phone_number) where not revoked`,
  `create index opt_outs_due on work.opt_outs (sequence) where heard_by is not null and not recorded and not revoked`,
  `alter table work.webhook_messages add column phone_number text collate "C"`,
  `create index webhook_messages_number on work.webhook_messages (owner_id, phone_number, sequence)
    where phone_number is not null`,
];
