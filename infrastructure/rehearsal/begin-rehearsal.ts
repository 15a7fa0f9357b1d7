import type pg from "pg";
import type { NewRehearsal } from "../../application/ports/rehearsals.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { SubjectKeyRing } from "../account/subject-keys/postgres-subject-keys.ts";
import { connectionColumn } from "./rehearsal-row.ts";
import { sealWords } from "./sealed-words.ts";

/** Of one owner, that have not ended. */
const MOST_UNDER_WAY = 20;

type Stored = { readonly kind: "stored" } | { readonly kind: "too_many" } | Erased;
type Erased = { readonly kind: "erased"; readonly callIds: readonly CallId[] };

/** In a transaction; the caller has found out that there is none with this id. */
export async function storeRehearsal(
  client: pg.ClientBase,
  keys: Pick<SubjectKeyRing, "draw">,
  rehearsal: NewRehearsal,
): Promise<Stored> {
  const { id, owner } = rehearsal;
  await client.query(LOCK, [owner]);
  const standing = await client.query("select from work.rehearsals where id = $1", [id]);
  if (standing.rowCount === 1) return { kind: "stored" };
  const { rows: underWay } = await client.query<{ count: number }>(COUNT, [owner]);
  if ((underWay[0]?.count ?? 0) >= MOST_UNDER_WAY) return { kind: "too_many" };
  const { rows: named } = await client.query<{ subject: CallId; erased: boolean }>(KEYS, [rehearsal.callIds]);
  const callIds = named.flatMap(({ subject, erased }) => (erased ? [subject] : []));
  if (callIds.length > 0) return { kind: "erased", callIds };
  const drawn = keys.draw(id, owner);
  await client.query(ADD_KEY, [id, owner, drawn.sealed]);
  await client.query(ADD, valuesOf(rehearsal, drawn.key));
  const { cases } = rehearsal.words;
  await client.query(ADD_CASES, [
    id,
    cases.map(({ passAt }) => passAt),
    cases.map((each, index) => sealWords(drawn.key, id, `case ${index}`, each)),
  ]);
  const { runs } = rehearsal;
  await client.query(ADD_RUNS, [
    id,
    owner,
    runs.map(({ runId }) => runId),
    runs.map(({ caseIndex }) => caseIndex),
    runs.map(({ lane }) => lane),
    runs.map(({ n }) => n),
  ]);
  return { kind: "stored" };
}

function valuesOf(rehearsal: NewRehearsal, key: Uint8Array): unknown[] {
  const { id, owner, name, assistantId, squadId, version, baseline, repeat, maxTokens } = rehearsal;
  const { draftHash, callIds, connectionIds, actor, createdAt, words } = rehearsal;
  const { given, cases, lines } = words;
  const names = cases.map((each) => each.name);
  return [
    ...[id, owner, name, assistantId, squadId, String(version), baseline, repeat, maxTokens],
    ...[draftHash, callIds, connectionIds.map(connectionColumn), actor, createdAt],
    sealWords(key, id, "given", given),
    sealWords(key, id, "names", names),
    sealWords(key, id, "candidate", lines.candidate),
    lines.baseline === null ? null : sealWords(key, id, "baseline", lines.baseline),
  ];
}

/** Two requests at once of an owner are counted one after the other. */
const LOCK = "select pg_advisory_xact_lock(hashtext('rehearsals'), hashtext($1))";

const COUNT = `select count(*)::integer as count from work.rehearsals where owner_id = $1 and status = 'running'`;

/** An erasure that comes after this waits for the commit, and then empties what was stored. */
const KEYS = `select subject, erased_at is not null as erased from config.subject_keys
  where subject = any($1::text[]) order by subject for share`;

const ADD_KEY = `insert into config.subject_keys (subject, owner_id, sealed_key)
  values ($1, $2, decode($3, 'base64'))`;

const ADD = `insert into work.rehearsals (id, owner_id, name, assistant_id, squad_id, version, baseline, repeat,
    max_tokens, draft_hash, call_ids, connection_ids, actor, created_at, sealed_given, sealed_names,
    sealed_candidate, sealed_baseline)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;

const ADD_CASES = `insert into work.rehearsal_cases (rehearsal_id, case_index, pass_at, sealed_case)
  select $1, nr - 1, pass_at, sealed
  from unnest($2::float8[], $3::text[]) with ordinality as given(pass_at, sealed, nr)`;

/** Their place: by case, the candidate first, by n. */
const ADD_RUNS = `insert into work.rehearsal_runs (id, rehearsal_id, owner_id, place, case_index, lane, n)
  select id, $1, $2, row_number() over (order by case_index, lane desc, n) - 1, case_index, lane, n
  from unnest($3::text[], $4::integer[], $5::text[], $6::integer[]) as given(id, case_index, lane, n)`;
