import type pg from "pg";
import type { Analyses, AnalysisClaim, DueAnalysis } from "../../application/ports/analyses.ts";
import type { AnalysisId, AnalysisModel } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { instantOfDate } from "../account/configuration/instant-of-date.ts";
import { groupRunner } from "../postgres/group-runner.ts";

type Row = {
  readonly analysis_id: AnalysisId;
  readonly call_id: CallId;
  readonly owner_id: OwnerId;
  readonly wished: boolean;
  readonly tries: number;
  readonly used_model: string | null;
  readonly used_input: number | null;
  readonly used_output: number | null;
};

/** As statements have it. */
type Wanted = {
  readonly id: AnalysisId;
  readonly call: CallId;
  readonly owner: OwnerId;
  readonly at: Instant;
};

const EXPECT = `insert into work.analyses as old (analysis_id, call_id, owner_id, wished, due_at)
  select distinct on (id) id, call, owner, false, at
  from json_to_recordset($1) as new (id uuid, call text, owner text, at timestamptz) order by id, at
  on conflict (analysis_id) do update set due_at = least(old.due_at, excluded.due_at) where not old.wished`;

const WISHED = `insert into work.analyses as old (analysis_id, call_id, owner_id, wished, due_at, tries)
  select distinct on (id) id, call, owner, true, at, tries
  from json_to_recordset($1) as new (id uuid, call text, owner text, at timestamptz, tries integer) order by id, at
  on conflict (analysis_id) do update set wished = true, due_at = excluded.due_at, tries = excluded.tries
    where not old.wished`;

const DONE = "delete from work.analyses where analysis_id = any($1::uuid[])";

/**
 * Owners are found one by one through the index, and of each no more rows than are wanted: the cost does not
 * grow with the rows that wait. What another process claims meanwhile is passed over.
 */
const CLAIM = `with recursive owners as (
    (select owner_id from work.analyses order by owner_id limit 1)
    union all
    select (select a.owner_id from work.analyses a where a.owner_id > o.owner_id order by a.owner_id limit 1)
    from owners o where o.owner_id is not null
  ), candidates as (
    select first.analysis_id, first.due_at, coalesce(b.under_way, 0) + first.turn as turn
    from owners o
    cross join lateral (
      select analysis_id, due_at, row_number() over (order by due_at, analysis_id) as turn from (
        select analysis_id, due_at from work.analyses a
        where a.owner_id = o.owner_id and a.due_at <= $1 and not (a.wished and a.owner_id = any($4))
        order by a.due_at, a.analysis_id limit $3
      ) due
    ) first
    left join unnest($5::text[], $6::integer[]) as b (owner_id, under_way) on b.owner_id = o.owner_id
    order by 3, 2, 1 limit $3
  ), locked as (
    select a.analysis_id, c.turn, c.due_at from work.analyses a join candidates c using (analysis_id)
    where a.due_at <= $1 for update of a skip locked
  ), claimed as (
    update work.analyses a set due_at = $2, tries = a.tries + 1 from locked
    where a.analysis_id = locked.analysis_id
    returning a.*, locked.turn, locked.due_at as was_due
  )
  select analysis_id, call_id, owner_id, wished, tries - 1 as tries, used_model,
    used_input::float8 as used_input, used_output::float8 as used_output
  from claimed order by turn, was_due, analysis_id`;

/** As many rows as one statement writes. */
const LARGEST = 500;

/**
 * Table `work.analyses`: a try is counted when it begins, so that one that ends its process counts too. What
 * is told of many analyses at the same time is one statement.
 */
export function createPostgresAnalyses(pool: pg.Pool): Analyses {
  const together = <Told>(name: string, text: string, parameter: (told: readonly Told[]) => unknown) =>
    groupRunner<Told, void>(async (told) => {
      await pool.query({ name, text, values: [parameter(told)] });
      return told.map(() => undefined);
    }, LARGEST);
  const expect = together<Wanted>("expect analyses", EXPECT, JSON.stringify);
  const wished = together<Wanted & { readonly tries: number }>("wish analyses", WISHED, JSON.stringify);
  const done = together<AnalysisId>("analyses are done", DONE, (ids) => ids);
  return {
    expect: ({ analysisId: id, callId: call, owner }, at) => expect({ id, call, owner, at }),
    wished: ({ analysisId: id, callId: call, owner, tries }, at) => wished({ id, call, owner, at, tries }),
    claim: (claim) => claimDue(pool, claim),
    giveBack: async ({ analysisId, tries }, at) => {
      await pool.query("update work.analyses set due_at = $2, tries = $3 where analysis_id = $1", [
        analysisId,
        at,
        tries,
      ]);
    },
    failed: async (analysisId, used, at) => {
      await pool.query(
        `update work.analyses set due_at = $2, used_model = $3, used_input = $4, used_output = $5
         where analysis_id = $1`,
        [analysisId, at, used?.name ?? null, used?.inputTokens ?? null, used?.outputTokens ?? null],
      );
    },
    done,
    nextDue: async (except) => {
      const { rows } = await pool.query<{ readonly due_at: Date }>(
        `select due_at from work.analyses where not (wished and owner_id = any($1)) order by due_at limit 1`,
        [[...except]],
      );
      return rows[0] === undefined ? null : instantOfDate(rows[0].due_at);
    },
  };
}

async function claimDue(
  pool: pg.Pool,
  { limit, now, until, underWay, except }: AnalysisClaim,
): Promise<readonly DueAnalysis[]> {
  const { rows } = await pool.query<Row>({
    name: "claim analyses",
    text: CLAIM,
    values: [now, until, limit, [...except], [...underWay.keys()], [...underWay.values()]],
  });
  return rows.map((row) => ({
    analysisId: row.analysis_id,
    callId: row.call_id,
    owner: row.owner_id,
    wished: row.wished,
    tries: row.tries,
    used: usedOf(row),
  }));
}

function usedOf({ used_model: name, used_input, used_output }: Row): AnalysisModel | null {
  return name === null ? null : { name, inputTokens: used_input, outputTokens: used_output };
}
