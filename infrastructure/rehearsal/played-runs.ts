import type pg from "pg";
import type { PlayedRun } from "../../application/ports/rehearsal-run.ts";
import type {
  HeldRun,
  Rehearsals,
  TakeLimits,
  TakenRun,
  UsedTokens,
} from "../../application/ports/rehearsals.ts";
import type { SubjectKeys } from "../../application/ports/subject-keys.ts";
import type { Lane } from "../../domain/rehearsal/rehearsal.ts";
import type { ConnectionId, OwnerId, RehearsalId, RunId } from "../../domain/shared/ids.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { cancelRehearsals } from "./end-rehearsals.ts";
import { connectionColumn, connectionOf } from "./rehearsal-row.ts";
import { openWords, sealWords } from "./sealed-words.ts";

type Played = Pick<Rehearsals, "take" | "hold" | "giveBack" | "finish" | "waitForTokens">;

/** Rehearsals as their players see them. Whoever locks a rehearsal's row does so before those of its runs. */
export function playedRuns(pool: pg.Pool, keys: SubjectKeys): Played {
  return {
    take: (limits) => take(pool, keys, limits),
    async hold(runId, holder, ttlMillis) {
      const { rowCount } = await pool.query(
        `update work.rehearsal_runs set held_until = clock_timestamp() + $3 * interval '1 millisecond'
         where id = $1 and held_by = $2 and status = 'running'`,
        [runId, holder, ttlMillis],
      );
      return rowCount === 1;
    },
    async giveBack(run, holder, used) {
      await inTransaction(pool, async (client) => {
        await countTokens(client, run, used);
        await client.query(GIVE_BACK, [run.runId, holder]);
      });
    },
    finish: (run, holder, played) => finish(pool, keys, run, holder, played),
    async waitForTokens(owner, waiting, now) {
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: RehearsalId; over: boolean }>(WAITING, [owner, now]);
        const over = rows.flatMap((row) => (waiting && row.over ? [row.id] : []));
        await cancelRehearsals(client, over, "plan_tokens");
        const ids = rows.map(({ id }) => id);
        await client.query(waiting ? WAIT : GO_ON, waiting ? [ids, now] : [ids]);
      });
    },
  };
}

const GIVE_BACK = `update work.rehearsal_runs
  set status = 'waiting', begun = begun - 1, held_by = null, held_until = null, started_at = null
  where id = $1 and held_by = $2 and status = 'running'`;

const WAITING = `select id, coalesce(waits_since <= $2::timestamptz - interval '24 hours', false) as over
  from work.rehearsals where owner_id = $1 and status = 'running' order by id for update`;
const WAIT = `update work.rehearsals set waits_since = coalesce(waits_since, $2) where id = any($1::text[])`;
const GO_ON = "update work.rehearsals set waits_since = null where id = any($1::text[])";

type TakenRow = {
  readonly id: RunId;
  readonly rehearsal_id: RehearsalId;
  readonly owner_id: OwnerId;
  readonly case_index: number;
  readonly lane: Lane;
  readonly n: number;
  readonly begun: number;
  readonly connection_ids: readonly (ConnectionId | "")[];
  readonly sealed_case: string | null;
  readonly sealed_line: string | null;
};

async function take(pool: pg.Pool, keys: SubjectKeys, limits: TakeLimits): Promise<TakenRun | null> {
  const { holder, ttlMillis, mostOfOwner, notOwners, notConnections } = limits;
  if ((await pool.query(UNDER_WAY)).rowCount === 0) return null;
  const row = await inTransaction(pool, async (client) => {
    await client.query(LOCK_TAKING);
    const values = [notOwners, notConnections.map(connectionColumn), mostOfOwner];
    const { rows: next } = await client.query<{ id: RunId }>(NEXT, values);
    const [first] = next;
    if (first === undefined) return undefined;
    const { rows } = await client.query<TakenRow>(TAKE, [first.id, holder, ttlMillis]);
    return rows[0];
  });
  if (row === undefined) return null;
  const { rehearsal_id: rehearsalId, case_index: caseIndex, lane } = row;
  const key = (await keys.of([rehearsalId])).get(rehearsalId);
  const played = openWords<NonNullable<TakenRun["words"]>["case"]>(
    key,
    rehearsalId,
    `case ${caseIndex}`,
    row.sealed_case,
  );
  const line = openWords<NonNullable<TakenRun["words"]>["line"]>(key, rehearsalId, lane, row.sealed_line);
  return {
    ...{ rehearsalId, owner: row.owner_id, runId: row.id, lane, n: row.n, caseIndex, begun: row.begun },
    connectionIds: row.connection_ids.map(connectionOf),
    words: played === null || line === null ? null : { case: played, line },
  };
}

/** Every process looks once a second, and mostly there is none. */
const UNDER_WAY = "select from work.rehearsals where status = 'running' limit 1";

/** One process after the other: each counts what the others have taken. */
const LOCK_TAKING = "select pg_advisory_xact_lock(hashtext('taking runs of rehearsals'))";

/** The next run of the owner of whom the fewest are played, of its oldest rehearsal. */
const NEXT = `select run.id from work.rehearsals r
  left join (
    select owner_id, count(*) as runs from work.rehearsal_runs
    where status = 'running' and held_until > clock_timestamp() group by owner_id) played using (owner_id)
  cross join lateral (
    select id from work.rehearsal_runs
    where rehearsal_id = r.id and ended_at is null and (held_until is null or held_until <= clock_timestamp())
    order by place limit 1) run
  where r.status = 'running' and owner_id <> all($1::text[]) and not r.connection_ids && $2::text[]
    and coalesce(played.runs, 0) < $3
  order by coalesce(played.runs, 0), r.id limit 1`;

const TAKE = `update work.rehearsal_runs run
  set status = 'running', begun = begun + 1, held_by = $2, started_at = clock_timestamp(),
    held_until = clock_timestamp() + $3 * interval '1 millisecond'
  from work.rehearsals r, work.rehearsal_cases c
  where run.id = $1 and run.ended_at is null and r.id = run.rehearsal_id
    and c.rehearsal_id = run.rehearsal_id and c.case_index = run.case_index
  returning run.id, run.rehearsal_id, run.owner_id, run.case_index, run.lane, run.n, run.begun, r.connection_ids,
    c.sealed_case, case run.lane when 'candidate' then r.sealed_candidate else r.sealed_baseline end as sealed_line`;

async function finish(
  pool: pg.Pool,
  keys: SubjectKeys,
  run: HeldRun,
  holder: string,
  played: PlayedRun,
): Promise<void> {
  const { rehearsalId, runId } = run;
  const { messages, ...result } = played;
  const key = (await keys.of([rehearsalId])).get(rehearsalId);
  const sealed = (place: string, words: typeof result | typeof messages) =>
    key?.kind === "open" ? sealWords(key.key, rehearsalId, `${place} ${runId}`, words) : null;
  const values = [runId, holder, played.status, sealed("result", result), sealed("messages", messages)];
  await inTransaction(pool, async (client) => {
    if ((await client.query(WAS_TOLD, [runId])).rowCount === 1) return;
    const rehearsal = await countTokens(client, run, played);
    const { rowCount } = await client.query(FINISH, values);
    await client.query(LEAVE, [runId, holder]);
    if (rehearsal === null || rowCount === 0) return;
    const { rowCount: ended } = await client.query(END, [rehearsalId]);
    if (ended === 0 && rehearsal.used_up) await cancelRehearsals(client, [rehearsalId], "max_tokens");
  });
}

/** Told again, because the answer was lost: its tokens are counted. */
const WAS_TOLD = "select from work.rehearsal_runs where id = $1 and held_by is null";
const LEAVE = "update work.rehearsal_runs set held_by = null where id = $1 and held_by = $2";

/** A rehearsal that is erased has no run that is played. */
const FINISH = `update work.rehearsal_runs
  set status = $3, sealed_result = $4, sealed_messages = $5, ended_at = clock_timestamp()
  where id = $1 and held_by = $2 and status = 'running'`;

const END = `update work.rehearsals r set status = 'done', ended_because = 'finished', ended_at = clock_timestamp()
  where id = $1 and status = 'running'
    and not exists (select from work.rehearsal_runs where rehearsal_id = r.id and ended_at is null)`;

/** For the owner's day and for the rehearsal, whose row is locked then; null: it is deleted. */
async function countTokens(
  client: pg.ClientBase,
  { rehearsalId, owner }: HeldRun,
  { inputTokens, outputTokens }: UsedTokens,
): Promise<{ readonly used_up: boolean } | null> {
  if (inputTokens + outputTokens > 0) await client.query(OF_DAY, [owner, inputTokens, outputTokens]);
  const { rows } = await client.query<{ used_up: boolean }>(OF_REHEARSAL, [
    rehearsalId,
    inputTokens,
    outputTokens,
  ]);
  return rows[0] ?? null;
}

const OF_DAY = `insert into work.rehearsal_tokens as t (owner_id, day, input_tokens, output_tokens)
  values ($1, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD'), $2, $3)
  on conflict (owner_id, day) do update set input_tokens = t.input_tokens + excluded.input_tokens,
    output_tokens = t.output_tokens + excluded.output_tokens`;

const OF_REHEARSAL = `update work.rehearsals
  set input_tokens = input_tokens + $2, output_tokens = output_tokens + $3
  where id = $1 returning input_tokens + output_tokens >= max_tokens as used_up`;
