import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";

const ROUND_MILLIS = 60_000;

export type Housekeeping = { readonly stop: () => void };

/** Deletes expired rows once a minute; any number of processes may do so. */
export function purgeExpired(pool: pg.Pool, logger: Logger): Housekeeping {
  const round = (): void => {
    removeExpired(pool).catch((error: unknown) => {
      logger.warn({ problem: String(error) }, "expired rows were not removed");
    });
  };
  const timer = setInterval(round, ROUND_MILLIS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Expired are: dials of numbers after 35 days, closed slots, idempotency keys and commands after 24 h, sealed
 * imports after 48 h, campaigns that want no slots, reports of their progress and calls of the phone line
 * after 24 h, verifications after 30 days, phones that are gone after an hour, sessions that are over, and
 * numbers of lists that were replaced, or never loaded to their end.
 */
export async function removeExpired(database: Asked): Promise<void> {
  for (const statement of EXPIRED) await database.query(statement);
}

type Asked = { readonly query: (statement: string) => Promise<unknown> };

/** The most rows of one table in a round, so that locks are short. */
const AT_ONCE = 20_000;

/** What a crash left is certain to be over later than any of its transactions. */
const UNUSED_LOADS = `work.list_loads as loads where until < now() - interval '5 minutes'
  and not exists (select 1 from config.suppression_lists as lists where lists.loaded = loads.version)`;

/** clock_timestamp() cannot be used: it is volatile, so no index leads to what is older. */
const EXPIRED = [
  `with unused as materialized (select version from ${UNUSED_LOADS})
   delete from config.list_numbers where (version, first) in (
     select block.version, block.first from unused cross join lateral (
       select version, first from config.list_numbers where version = unused.version order by first limit ${AT_ONCE}
     ) block limit ${AT_ONCE})`,
  `delete from work.list_loads where version in (select version from ${UNUSED_LOADS}
     and not exists (select 1 from config.list_numbers as numbers where numbers.version = loads.version))`,
  `delete from work.number_dials where (owner_id, number, at, call_id) in (
     select owner_id, number, at, call_id from work.number_dials
     where at < now() - interval '35 days' limit ${AT_ONCE})`,
  `delete from work.call_slots where call_id in (
     select call_id from work.call_slots where closed_at < now() - interval '24 hours' limit ${AT_ONCE})`,
  `delete from work.idempotency_keys where ctid in (
     select ctid from work.idempotency_keys where created_at < now() - interval '24 hours' limit ${AT_ONCE})`,
  `delete from work.campaign_commands where id in (
     select id from work.campaign_commands where enqueued_at < now() - interval '24 hours' limit ${AT_ONCE})`,
  "delete from work.imports where sealed and begun_at < now() - interval '48 hours'",
  "delete from config.sessions where expires_at < now()",
  "delete from work.campaign_progress where as_of < now() - interval '24 hours'",
  "delete from work.phone_calls where placed_at < now() - interval '24 hours'",
  "delete from work.verifications where created_at < now() - interval '30 days'",
  "delete from work.phones where until < now() - interval '1 hour'",
  // Slots that a dead process opened and did not close are added to the row that belongs to no process.
  `with removed as (delete from work.processes where id <> '' and alive_at < now() - interval '1 hour'
     returning text_open, audio_open), left_open as (select sum(text_open) as text, sum(audio_open) as audio from removed)
   update work.processes set text_open = text_open + text, audio_open = audio_open + audio
   from left_open where id = '' and text is not null`,
  `delete from work.slot_demand where live = 0 and credits_wanted is null
     and until_ms < (extract(epoch from now()) - 86400) * 1000`,
];
