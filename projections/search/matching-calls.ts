import { sql } from "kysely";
import type { PageRequest } from "../../application/ports/queries/pages.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type SearchText, searchText } from "../../domain/shared/search-text.ts";
import type { ReadDatabase } from "../engine/projection.ts";
import { findLooseCalls, linesWith } from "./search-queries.ts";

/** Blocks of the first read, and of each later one. */
const FIRST = 8;
const NEXT = 100;

/** A block with matching calls, newest first. */
type Matched = { readonly last_id: string; readonly ids: readonly CallId[] };

/** Ids of matching calls, strictly newest first, in arrays. */
export async function* matchingCalls(
  db: ReadDatabase,
  owner: OwnerId,
  asked: string,
  { after }: PageRequest<CallId>,
): AsyncGenerator<readonly CallId[]> {
  const text = searchText(asked);
  if (text.text === "") return;
  const wanted = (id: CallId) => after === null || id < after;
  let waiting = (await findLooseCalls(db, owner, text)).map(({ id }) => id).filter(wanted);
  let below: string | null = null;
  for (let most = FIRST; ; most = NEXT) {
    const blocks: readonly Matched[] = await matchedBlocks(db, owner, text, after, below, most + 1);
    const taken = blocks.slice(0, most);
    // Blocks may overlap at their ends: calls that could come after one of a later block have to wait.
    const border = blocks[most]?.last_id ?? "";
    waiting = [...waiting, ...taken.flatMap(({ ids }) => ids.filter(wanted))].toSorted((a, b) =>
      a < b ? 1 : -1,
    );
    const ready = waiting.filter((id) => id > border);
    waiting = waiting.filter((id) => id <= border);
    if (ready.length > 0) yield ready;
    if (border === "") return;
    below = taken.at(-1)?.last_id ?? "";
  }
}

async function matchedBlocks(
  db: ReadDatabase,
  owner: OwnerId,
  { kind, text }: SearchText,
  after: CallId | null,
  below: string | null,
  most: number,
): Promise<readonly Matched[]> {
  const column = sql.ref(kind);
  const reaches = after === null ? sql`true` : sql`first_id < ${after}`;
  const isNext = below === null ? sql`true` : sql`last_id < ${below}`;
  const { rows } = await sql<Matched>`
    with hit as materialized (
      select last_id, ids, ${column} as lines from read.search_call_blocks_v1
      where owner = ${owner} and ${reaches} and ${isNext} and strpos(${column}, ${text}) > 0
      order by last_id desc limit ${most})
    select hit.last_id, array(select found.id from (${linesWith(text)}) as found order by found.id desc) as ids
    from hit order by hit.last_id desc`.execute(db);
  return rows;
}
