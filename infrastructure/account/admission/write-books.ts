import type pg from "pg";
import { judgedAtOf } from "../../../domain/admission/number-book.ts";
import type { Books } from "../../../domain/admission/owner-book.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { DrawnKey } from "../subject-keys/draw-key.ts";

/**
 * Writes the results of the operations, and the keys of newly opened calls, in one statement; returns the
 * calls that had no key before. The caller holds the rows of the owners and commits. Slots are locked in the
 * order of their ids, as in `setNextLooks`.
 */
export async function writeBooks(
  client: pg.ClientBase,
  books: Books,
  keys: readonly DrawnKey[],
  processId: string,
): Promise<ReadonlySet<CallId>> {
  const opened = new Set(books.opened);
  const closed = books.closed.filter((slot) => !opened.has(slot)).map(({ callId }) => callId);
  const undialled = new Set(books.undialled.map(({ callId }) => callId));
  const owners = [...books.owners.values()];
  const demands = owners.flatMap(({ owner, demands }) =>
    [...demands.values()].map((demand) => ({ owner, ...demand })),
  );
  const { rows } = await client.query<{ subject: CallId }>({
    name: "admission-write",
    text: WRITE,
    values: [
      JSON.stringify(books.opened),
      closed,
      books.now,
      JSON.stringify(books.ledger),
      JSON.stringify(demands),
      JSON.stringify(
        owners.map(
          ({ demands: _demands, pacedTurns: _turns, shared: _shared, policy: _policy, ...account }) =>
            account,
        ),
      ),
      JSON.stringify(keys.map(({ subject, owner, sealed }) => ({ subject, owner, sealed }))),
      JSON.stringify([...books.shared.connections.values()].filter(({ changed }) => changed)),
      processId,
      openedLessClosed(books, false),
      openedLessClosed(books, true),
      JSON.stringify(books.dialled.filter(({ callId }) => !undialled.has(callId))),
      judgedAtOf(books.now),
      JSON.stringify(books.undialled),
    ],
  });
  return new Set(rows.map(({ subject }) => subject));
}

function openedLessClosed({ opened, closed }: Books, audio: boolean): number {
  const count = (slots: Books["opened"]) => slots.filter((slot) => slot.audio === audio).length;
  return count(opened) - count(closed);
}

const WRITE = `
with opened as (
  insert into work.call_slots (call_id, owner_id, campaign_id, phone_number, price, dial_at, dial_by, next_look_at, paced,
    active_calls, max_concurrent_calls, available_credits, connection, audio, policy, timezone, closed_at)
  select "callId", owner, "campaignId", "phoneNumber", price, to_timestamp("dialAt" / 1000), to_timestamp("dialBy" / 1000),
    to_timestamp("nextLookAt" / 1000), paced, "activeCalls", "maxConcurrentCalls", "availableCredits",
    connection, audio, policy, timezone, to_timestamp("closedAt" / 1000)
  from json_to_recordset($1::json) as slot("callId" text, owner text, "campaignId" text, "phoneNumber" text, price bigint,
    "dialAt" float8, "dialBy" float8, "nextLookAt" float8, paced boolean, "activeCalls" integer, "maxConcurrentCalls" integer,
    "availableCredits" bigint, connection text, audio boolean, policy jsonb, timezone text,
    "closedAt" float8)
), dialled as (
  insert into work.number_dials (owner_id, number, at, call_id)
  select owner, substr("phoneNumber", 2)::bigint, to_timestamp($13::float8 / 1000), "callId"
  from json_to_recordset($12::json) as dial(owner text, "phoneNumber" text, "callId" text)
), undialled as (
  delete from work.number_dials d
  using json_to_recordset($14::json) as dial(owner text, "phoneNumber" text, "callId" text)
  where d.owner_id = dial.owner and d.number = substr(dial."phoneNumber", 2)::bigint and d.call_id = dial."callId"
), locked as (
  select call_id from work.call_slots where call_id = any($2::text[]) order by call_id for update
), closed as (
  update work.call_slots s set closed_at = to_timestamp($3::float8 / 1000) from locked where s.call_id = locked.call_id
), entered as (
  insert into work.ledger (owner_id, at, cause, amount, balance, reserved, call_id, reference)
  select owner, to_timestamp(at / 1000), cause, amount, balance, reserved, "callId", reference
  from json_to_recordset($4::json) as entry(owner text, at float8, cause text, amount bigint, balance bigint,
    reserved bigint, "callId" text, reference text)
), demanded as (
  insert into work.slot_demand as d (owner_id, campaign_id, live, wanted, cap, per_second, next_turn_ms, last_grant_ms,
    until_ms, credits_wanted, connection, waits_for)
  select owner, "campaignId", live, wanted, cap, "perSecond", "nextTurn", "lastGrant", "until", "creditsWanted", connection, "waitsFor"
  from json_to_recordset($5::json) as demand(owner text, "campaignId" text, live integer, wanted integer, cap integer,
    "perSecond" float8, "nextTurn" float8, "lastGrant" float8, "until" float8, "creditsWanted" bigint, connection text,
    "waitsFor" text)
  on conflict (owner_id, campaign_id) do update set live = excluded.live, wanted = excluded.wanted, cap = excluded.cap,
    per_second = excluded.per_second, next_turn_ms = excluded.next_turn_ms, last_grant_ms = excluded.last_grant_ms,
    until_ms = excluded.until_ms, credits_wanted = excluded.credits_wanted,
    connection = excluded.connection, waits_for = excluded.waits_for
  where (d.*) is distinct from (excluded.*)
), kept as (
update work.owner_accounts a set live = book.live, balance = book.balance, reserved = book.reserved,
  next_turn_ms = book."nextTurn", paced_until_ms = book."pacedUntil"
from json_to_recordset($6::json) as book(owner text, live integer, balance bigint, reserved bigint, "nextTurn" float8,
  "pacedUntil" float8)
where a.owner_id = book.owner
), turned as (
  insert into work.connection_turns as c (key, kind, audio, per_second, max_live, next_turn_ms, ahead_ms, slowed_ms,
    slowed_until_ms)
  select key, kind, audio, "callsPerSecond", "maxConcurrentCalls", "nextTurn", "aheadTurns", slowed, "slowedUntil"
  from json_to_recordset($8::json) as turn(key text, kind text, audio boolean, "callsPerSecond" float8,
    "maxConcurrentCalls" integer, "nextTurn" float8, "aheadTurns" json, slowed float8, "slowedUntil" float8)
  on conflict (key) do update set kind = excluded.kind, audio = excluded.audio, per_second = excluded.per_second,
    max_live = excluded.max_live, next_turn_ms = excluded.next_turn_ms, ahead_ms = excluded.ahead_ms,
    slowed_ms = excluded.slowed_ms, slowed_until_ms = excluded.slowed_until_ms
), held as (
  insert into work.processes as p (id, text_limit, audio_limit, text_open, audio_open, alive_at)
  select $9, 0, 0, $10::bigint, $11::bigint, '-infinity' where $10::bigint <> 0 or $11::bigint <> 0
  on conflict (id) do update set text_open = p.text_open + excluded.text_open, audio_open = p.audio_open + excluded.audio_open
)
insert into config.subject_keys (subject, owner_id, sealed_key)
select subject, owner, decode(sealed, 'base64')
from json_to_recordset($7::json) as key(subject text, owner text, sealed text)
on conflict (subject) do nothing
returning subject`;
