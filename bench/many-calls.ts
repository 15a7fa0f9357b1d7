import type pg from "pg";

/** Turkish and other names; a contact has two of them. */
const NAMES =
  "{ayse,fatma,mehmet,mustafa,zeynep,elif,ahmet,ali,huseyin,emine,ada,grace,linus,margaret,donald,barbara,edsger,tony,alan,kathleen}";

/**
 * `count` calls that ended, and as many contacts, of the first owner, made within 30 days: the rows that
 * the read models would have. Each brought home `confirmed`, which is its success, `plan` (gold in the
 * older half) and `mood` (furious once in 100,000, else three in turn); 10,000 are of one campaign.
 */
export async function fillManyCalls(pool: pg.Pool, count: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`create temp table many as
      select n, 'call_' || lpad(n::text, 26, '0') as call, 'ctc_' || lpad(n::text, 26, '0') as contact,
        '90532' || lpad(((n::bigint * 7919) % 10000000)::text, 7, '0') as digits,
        ('${NAMES}'::text[])[1 + n % 20] || ' ' || ('${NAMES}'::text[])[1 + (n / 20) % 20] as name,
        'cmp_' || lpad((n / 10000)::text, 26, '0') as campaign, timestamp '2026-08-01' + n * interval '30 days' / ${count} as made,
        case when n % 4 = 0 then 'failed' else 'completed' end as status,
        case n % 4 when 0 then 'busy' when 1 then 'customer_ended' when 2 then 'assistant_ended' else 'silence_timeout' end as reason
      from generate_series(1, ${count}) as n`);
    await client.query("alter table many add column owner text, add column at text");
    await client.query(
      `update many set owner = (select min(id) from config.users), at = to_char(made, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    );
    await client.query(CALLS);
    await client.query(TERMS, [count / 2]);
    await client.query(SETS);
    await client.query(blocksOf("search_call_blocks_v1", "call", "", ""));
    await client.query(
      blocksOf(
        "search_contact_blocks_v1",
        "contact",
        ", import_id, first_index, campaign_id, created_at, sealed",
        ", 'imp_' || n / 1000, 0, 'cmp_' || lpad((n / 10000)::text, 26, '0'), min(at), true",
      ),
    );
    for (const level of [1, 15])
      await client.query(`insert into read.series_counts_v1
        select owner, ${level}, (floor(extract(epoch from made at time zone 'UTC') / 60)::integer / ${level}) * ${level}, status, reason,
          count(*) from many group by 1, 2, 3, 4, 5`);
    await client.query("drop table many");
  } finally {
    client.release();
  }
  await pool.query("vacuum analyze");
}

const CALLS = `insert into read.calls_v3
    (id, owner, revision, status, ended_as, campaign_id, to_number, created_at, request, progress)
  select call, owner, 6, status, status, campaign, '+' || digits, at,
    json_build_object('id', call, 'owner', owner, 'campaignId', campaign, 'contactId', null, 'to', '+' || digits, 'createdAt', at,
      'from', '+15005550000', 'phoneNumberId', 'pn_1', 'assistantId', 'ast_1', 'assistantVersion', 1, 'squadId', null, 'attempt', 1,
      'greetingMessage', null, 'specialInstructions', null, 'metadata', json_build_object()),
    json_build_object('status', status, 'endReason', reason, 'endedBy', 'customer', 'answeredBy', 'human', 'ringingAt', at,
      'connectedAt', at, 'endedAt', at, 'durationSeconds', 12, 'cost', 0.2, 'recordingStatus', 'none', 'recordingRef', null,
      'endRequestedAt', null, 'statusHistory', json_build_array(), 'error', null, 'conversation', null, 'updatedAt', at)
  from many`;

const TERMS = `insert into read.outcome_terms_v3 (owner, term, call_id)
  select owner, term, call from many cross join lateral (values
    ('success=' || (n % 2 = 0)), ('outcome.confirmed=' || (n % 2 = 0)),
    ('outcome.plan=' || case when n < $1 then 'gold' else 'silver' end),
    ('outcome.mood=' || case when n % 100000 = 1 then 'furious' else ('{calm,glad,angry}'::text[])[1 + n % 3] end)
  ) as each (term) order by owner, term, call`;

const SETS = `insert into read.outcome_sets_v3 (call_id, terms)
  select call_id, array_agg(t.owner || ' ' || term)
    || array[c.owner || ' campaign=' || campaign_id, c.owner || ' ended=' || ended_as]
  from read.outcome_terms_v3 t join read.calls_v3 c on c.id = call_id group by call_id, c.owner, campaign_id, ended_as`;

function blocksOf(table: string, id: "call" | "contact", columns: string, values: string): string {
  const lines = (each: string) => `string_agg(${each}, E'\\n' order by ${id})`;
  return `insert into read.${table} (owner, last_id, first_id, digits, words, ids, entries${columns})
    select owner, max(${id}), min(${id}), ${lines("digits")}, ${lines("' ' || name")}, ${lines(id)},
      json_agg(json_build_array('+' || digits, name) order by ${id})${values}
    from (select *, n / 1000 as block from many) as each group by owner, block`
    .replaceAll("n / 1000,", "min(n) / 1000,")
    .replaceAll("(n / 10000)", "(min(n) / 10000)");
}
