import type pg from "pg";
import type { Rehearsal, Rehearsals } from "../../application/ports/rehearsals.ts";
import type { RehearsalBody } from "../../contract/rehearsal.ts";
import type { RehearsalId } from "../../domain/shared/ids.ts";
import { mapPage, pageOf } from "../account/configuration/page.ts";
import type { SubjectKeyRing } from "../account/subject-keys/postgres-subject-keys.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { storeRehearsal } from "./begin-rehearsal.ts";
import { cancelRehearsals, EMPTY_ANSWERS } from "./end-rehearsals.ts";
import { playedRuns } from "./played-runs.ts";
import {
  playedRunOf,
  type RehearsalRow,
  RUN_COLUMNS,
  type RunRow,
  rehearsalOf,
  runOf,
  SELECT,
} from "./rehearsal-row.ts";
import { openWords } from "./sealed-words.ts";

type Keys = Pick<SubjectKeyRing, "of" | "draw" | "forget">;
type Asked = Pick<Rehearsals, "find" | "given" | "list" | "runs" | "run">;

/**
 * Rehearsals in work.rehearsals, their cases in work.rehearsal_cases, runs in work.rehearsal_runs. What is
 * said in them is sealed with a key of their own.
 */
export function postgresRehearsals(pool: pg.Pool, keys: Keys): Rehearsals {
  const asked = askedRehearsals(pool, keys);
  return {
    ...asked,
    ...playedRuns(pool, keys),
    async begin(rehearsal) {
      const { id, owner } = rehearsal;
      const stored = await inTransaction(pool, (client) => storeRehearsal(client, keys, rehearsal));
      if (stored.kind !== "stored") return stored;
      const standing = await asked.find(owner, id);
      if (standing === null) throw new Error(`Another owner has ${id}, or it was deleted at once`);
      return { kind: "begun", rehearsal: standing };
    },
    async cancel(owner, id, because) {
      await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(LOCK, [owner, id]);
        if (rowCount === 1) await cancelRehearsals(client, [id], because);
      });
      return asked.find(owner, id);
    },
    async delete(owner, id) {
      const isKnown = await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(LOCK, [owner, id]);
        if (rowCount === 0) return false;
        await client.query(EMPTY_ANSWERS, [[id]]);
        for (const statement of DELETE) await client.query(statement, [id]);
        return true;
      });
      if (isKnown) keys.forget([id]);
      return isKnown;
    },
  };
}

const LOCK = "select from work.rehearsals where owner_id = $1 and id = $2 for update";

const DELETE = [
  "delete from work.rehearsals where id = $1",
  "delete from config.subject_keys where subject = $1",
];

function askedRehearsals(pool: pg.Pool, keys: Pick<Keys, "of">): Asked {
  const shown = async (rows: readonly RehearsalRow[]): Promise<Rehearsal[]> => {
    const found = await keys.of(rows.map(({ id }) => id));
    return rows.map((row) => rehearsalOf(row, found.get(row.id)));
  };
  const keyOf = async (id: RehearsalId) => (await keys.of([id])).get(id);
  return {
    async find(owner, id) {
      const { rows } = await pool.query<RehearsalRow>(`${SELECT} where r.owner_id = $1 and r.id = $2`, [
        owner,
        id,
      ]);
      const [found] = await shown(rows);
      return found ?? null;
    },
    async given(owner, id) {
      const { rows } = await pool.query<{ sealed: string | null }>(
        "select sealed_given as sealed from work.rehearsals where owner_id = $1 and id = $2",
        [owner, id],
      );
      return openWords<RehearsalBody>(await keyOf(id), id, "given", rows[0]?.sealed ?? null);
    },
    async list(owner, { limit, after }) {
      const { rows } = await pool.query<RehearsalRow>(
        `${SELECT} where r.owner_id = $1 and ($2::text is null or r.id < $2) order by r.id desc limit $3`,
        [owner, after, limit + 1],
      );
      return pageOf(await shown(rows), limit, ({ id }) => id);
    },
    async runs(owner, id, { caseIndex, lane, status }, { limit, after }) {
      const values = [owner, id, after ?? -1, caseIndex, lane, status, limit + 1];
      const { rows } = await pool.query<RunRow>(RUNS, values);
      const key = await keyOf(id);
      return mapPage(
        pageOf(rows, limit, ({ place }) => place),
        (row) => runOf(row, key),
      );
    },
    async run(owner, id, runId) {
      const { rows } = await pool.query<RunRow & { readonly sealed_messages: string | null }>(RUN, [
        owner,
        id,
        runId,
      ]);
      const [row] = rows;
      return row === undefined ? null : playedRunOf(row, await keyOf(id));
    },
  };
}

const OF_OWNER =
  "from work.rehearsal_runs run join work.rehearsals r on r.id = run.rehearsal_id where r.owner_id = $1 and r.id = $2";

const RUNS = `select ${RUN_COLUMNS} ${OF_OWNER} and run.place > $3
  and ($4::integer is null or run.case_index = $4) and ($5::text is null or run.lane = $5)
  and ($6::text is null or run.status = $6)
  order by run.place limit $7`;

const RUN = `select ${RUN_COLUMNS}, run.sealed_messages ${OF_OWNER} and run.id = $3`;
