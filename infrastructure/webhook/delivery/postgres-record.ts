import type pg from "pg";
import type { AttemptRecord, HealthRecord } from "../../../application/ports/delivery-store.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction } from "../../postgres/transaction.ts";
import { IN_FLIGHT } from "../in-flight.ts";

/**
 * State first, then settings, then deliveries, in every transaction that locks several, so that
 * there is no deadlock.
 */
export async function recordAttempts(
  pool: pg.Pool,
  attempts: readonly AttemptRecord[],
  healths: readonly HealthRecord[],
): Promise<void> {
  const values = [JSON.stringify(attempts.map(attemptRow)), attempts.length];
  const record = async (client: pg.PoolClient): Promise<void> => {
    if (healths.length > 0) await client.query(RECORD_HEALTH, [JSON.stringify(healths.map(healthRow))]);
    const retired = healths.filter(({ retire }) => retire !== null);
    if (retired.length > 0) await client.query(RETIRE, [JSON.stringify(retired.map(retiredRow))]);
    await client.query({ name: "webhook-record", text: RECORD, values });
  };
  await inTransaction(pool, record, BEGIN_WITH_KEPT_PLANS);
}

function attemptRow(attempt: AttemptRecord) {
  return {
    ...attempt,
    startedAt: new Date(attempt.startedAtMillis),
    endedAt: new Date(attempt.endedAtMillis),
    nextAttemptAt: attempt.nextAttemptAtMillis === null ? null : new Date(attempt.nextAttemptAtMillis),
  };
}

function healthRow({ owner, version, health, proven }: HealthRecord) {
  const { failures, openUntilMillis, waitMillis } = health.breaker;
  return {
    owner,
    version,
    failures,
    openUntil: openUntilMillis === null ? null : new Date(openUntilMillis),
    waitMillis,
    silentSince: new Date(health.silentSinceMillis),
    exhausted: health.exhausted,
    proven,
  };
}

function retiredRow({ owner, version, retire, atMillis }: HealthRecord) {
  return { owner, version, reason: retire, at: new Date(atMillis) };
}

/**
 * `held` with settings that are in use again meanwhile: due at once with the new ones. Deliveries are found
 * by their key, also by a planner without statistics: the limit says how few they are. The endpoint is not
 * part of the join, or the owner alone could be taken as the key.
 */
const RECORD = `
with ended as (
  select * from json_to_recordset($1) as ended(owner text, id text, number integer, trigger text, "startedAt" timestamptz,
    "endedAt" timestamptz, class text, "httpStatus" integer, detail text, phases json, answer text, "answerHeaders" json,
    "remoteAddress" text, "secretId" text, status text, failures integer, "nextAttemptAt" timestamptz) limit $2
), applied as (
  update work.webhook_deliveries d set
    status = case
      when d.superseded and ended.status in ('retrying', 'held') then 'dead'
      when ended.status = 'held' and (
        select in_use from config.webhook_endpoints endpoint where endpoint.owner_id = d.owner_id) then 'retrying'
      else ended.status end,
    failures = ended.failures,
    next_attempt_at = coalesce(ended."nextAttemptAt", d.next_attempt_at),
    held_until = case when ended.status = 'held' and not (
        select in_use from config.webhook_endpoints endpoint where endpoint.owner_id = d.owner_id)
      then ended."endedAt" + interval '7 days' end,
    delivered_at = case when ended.status = 'delivered' then ended."endedAt" end,
    attempts = ended.number, recovering = false
  from ended
  where d.owner_id = ended.owner and d.id = ended.id and d.attempts = ended.number - 1
)
insert into work.webhook_attempts (owner_id, delivery_id, number, trigger, started_at, ended_at, class, http_status, detail,
  phases, answer, answer_headers, remote_address, secret_id, next_attempt_at)
select owner, id, number, trigger, "startedAt", "endedAt", class, "httpStatus", detail, phases, answer, "answerHeaders",
  "remoteAddress", "secretId", case when status = 'retrying' then "nextAttemptAt" end
from ended
on conflict do nothing`;

/**
 * The settings changed meanwhile (another version): a PUT has closed the breaker, and
 * earlier findings are void.
 */
const RECORD_HEALTH = `
with health as (
  select * from json_to_recordset($1) as health(owner text, version bigint, failures integer, "openUntil" timestamptz,
    "waitMillis" integer, "silentSince" timestamptz, exhausted boolean, proven boolean)
), locked as (
  select state.owner_id from work.webhook_endpoint_state state where state.owner_id in (select owner from health)
  order by state.owner_id for update
)
update work.webhook_endpoint_state state set breaker_failures = health.failures, breaker_open_until = health."openUntil",
  breaker_wait_ms = health."waitMillis", silent_since = health."silentSince", exhausted = health.exhausted, proven = health.proven
from locked
join health on health.owner = locked.owner_id
join config.webhook_endpoints endpoint on endpoint.owner_id = health.owner and endpoint.version = health.version
where state.owner_id = locked.owner_id`;

const RETIRE = `
with retired as (
  select * from json_to_recordset($1) as retired(owner text, version bigint, reason text, at timestamptz)
), endpoint as (
  update config.webhook_endpoints e set
    enabled = e.enabled and retired.reason = 'misconfigured',
    disabled_reason = case when retired.reason = 'misconfigured' then e.disabled_reason else retired.reason end,
    misconfigured = e.misconfigured or retired.reason = 'misconfigured',
    version = e.version + 1, updated_at = retired.at
  from retired where e.owner_id = retired.owner and e.version = retired.version and e.in_use
  returning e.owner_id, retired.at
)
update work.webhook_deliveries d set status = 'held', held_until = endpoint.at + interval '7 days'
from endpoint where d.owner_id = endpoint.owner_id and d.status in ('pending', 'retrying')
  and not ${IN_FLIGHT}`;
