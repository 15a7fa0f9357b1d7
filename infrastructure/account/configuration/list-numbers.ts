import { type Kysely, sql, type Transaction } from "kysely";
import type {
  ListLoad,
  ListNumbers,
  LoadedFile,
  ReplacedCounts,
} from "../../../application/ports/list-numbers.ts";
import type { OwnerId, SuppressionListId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { recordReplaced } from "./suppression-lists.ts";
import type { ConfigurationTables } from "./tables.ts";

type Deps = Pick<ConfigurationDeps, "db" | "changes" | "clock" | "ids">;

const MOST_OF_AN_OWNER = 2;
/** A process that says nothing for so long has lost the list. */
const HELD_SECONDS = 30;
const RENEW_MILLIS = 10_000;
/** Numbers of one row: about 540 bytes, so that a row is kept whole in its page. */
const BLOCK = 64;
/** Some milliseconds of this process, some ten of the database. */
const STEP = 128 * BLOCK;

const held = sql.raw(`clock_timestamp() + interval '${HELD_SECONDS} seconds'`);

/**
 * Numbers in blocks (`config.list_numbers`), each version beside the others; which of them counts is a column
 * of the list. A version is written only while its row in `work.list_loads` says that somebody loads it.
 */
export function listNumbers(deps: Deps): ListNumbers {
  return {
    begin: async (owner, listId) => {
      const begun = await deps.db.transaction().execute((trx) => begin(trx, owner, listId));
      return typeof begun === "string" ? begun : loading(deps, { owner, listId, ...begun });
    },
  };
}

type Begun = {
  readonly version: string;
  /** The version that counts; null: none. */
  readonly loaded: string | null;
  readonly before: number;
};
type Loading = Begun & { readonly owner: OwnerId; readonly listId: SuppressionListId };

async function begin(
  trx: Transaction<ConfigurationTables>,
  owner: OwnerId,
  listId: SuppressionListId,
): Promise<Begun | "not_found" | "busy" | "too_many"> {
  // Uploads of an owner begin one after another.
  await sql`select 1 from config.users where id = ${owner} for no key update`.execute(trx);
  const list = await trx
    .selectFrom("config.suppression_lists")
    .select(["loaded", "count"])
    .where("owner_id", "=", owner)
    .where("id", "=", listId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (list === undefined) return "not_found";
  const { rows: others } = await sql<{ readonly list_id: string }>`
    select list_id from work.list_loads where owner_id = ${owner} and until > clock_timestamp()`.execute(trx);
  if (others.some(({ list_id }) => list_id === listId)) return "busy";
  if (others.length >= MOST_OF_AN_OWNER) return "too_many";
  const { rows } = await sql<{ readonly version: string }>`
    insert into work.list_loads (list_id, owner_id, until) values (${listId}, ${owner}, ${held})
    returning version`.execute(trx);
  const [made] = rows;
  if (made === undefined) throw new Error("PostgreSQL made no version");
  return { version: made.version, loaded: list.loaded, before: list.count };
}

function loading(deps: Deps, load: Loading): ListLoad {
  const { db } = deps;
  const renewing = setInterval(() => {
    // Should it fail, the next one may not; a list that is lost is noticed by the next step.
    renew(db, load.version).catch(() => undefined);
  }, RENEW_MILLIS).unref();
  return {
    before: load.before,
    replace: async (file, signal) => {
      const kept = await write(db, load, file.numbers, signal);
      return kept === null ? "busy" : countFrom(deps, load, file, kept);
    },
    end: async () => {
      clearInterval(renewing);
      await db.transaction().execute((trx) => release(trx, [load.version]));
    },
  };
}

/** The number of numbers that are in the version before as well; null: another upload has the list. */
async function write(
  db: Kysely<ConfigurationTables>,
  { version, loaded }: Loading,
  numbers: Float64Array,
  signal: AbortSignal,
): Promise<number | null> {
  let kept = 0;
  for (let from = 0; from < numbers.length; from += STEP) {
    signal.throwIfAborted();
    const step = numbers.subarray(from, from + STEP);
    const { rows } = await sql<{ readonly held: boolean; readonly kept: string }>`
      with mine as (
        update work.list_loads set until = ${held} where version = ${version} and until > clock_timestamp()
        returning version
      ), fresh as materialized (
        select block::bigint[] as numbers from unnest(${blocksOf(step)}::text[]) as block
      ), stored as (
        insert into config.list_numbers (version, first, numbers)
        select version, numbers[1], numbers from mine, fresh
      )
      select exists (select 1 from mine) as held, (
        select count(*) from (
          select unnest(numbers) from fresh
          intersect
          select unnest(numbers) from config.list_numbers
          where version = ${loaded}::bigint and first <= ${step.at(-1)}::bigint and first >= coalesce((
            select max(first) from config.list_numbers
            where version = ${loaded}::bigint and first <= ${step[0]}::bigint
          ), 0)
        ) as both_have
      ) as kept`.execute(db);
    const [stored] = rows;
    if (stored?.held !== true) return null;
    kept += Number(stored.kept);
  }
  return kept;
}

/** `{"{1,2}","{3}"}`: PostgreSQL's text of an array whose elements are texts of arrays. */
function blocksOf(numbers: Float64Array): string {
  const blocks: string[] = [];
  for (let from = 0; from < numbers.length; from += BLOCK)
    blocks.push(`"{${numbers.subarray(from, from + BLOCK).join(",")}}"`);
  return `{${blocks.join(",")}}`;
}

/** One commit: the new version counts, and the event of it follows. */
async function countFrom(
  deps: Deps,
  { owner, listId, version, loaded, before }: Loading,
  { numbers: { length: count }, sha256, asOf, by }: LoadedFile,
  kept: number,
): Promise<ReplacedCounts | "busy" | "not_found"> {
  const answer = await deps.db.transaction().execute(async (trx) => {
    if (!(await renew(trx, version))) return "busy";
    const replaced = {
      ...{ listId, owner, count, sha256, by },
      asOf: new Date(millisOf(asOf)),
      version: Number(version),
    };
    if (!(await recordReplaced(deps, trx, replaced))) return "not_found";
    await release(trx, [version, ...(loaded === null ? [] : [loaded])]);
    return { added: count - kept, removed: before - kept };
  });
  if (typeof answer !== "string") deps.changes.changed(owner);
  return answer;
}

/** False: another process may have the list. */
async function renew(db: Kysely<ConfigurationTables>, version: string): Promise<boolean> {
  const { rows } = await sql`
    update work.list_loads set until = ${held}
    where version = ${version} and until > clock_timestamp() returning version`.execute(db);
  return rows.length === 1;
}

/** Nobody loads them any more: what does not count is removed with the other expired rows. */
async function release(trx: Kysely<ConfigurationTables>, versions: readonly string[]): Promise<void> {
  await sql`
    update work.list_loads set until = '-infinity'
    where version = any(${[...versions]}::bigint[])`.execute(trx);
}
