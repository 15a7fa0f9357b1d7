import { sql } from "kysely";
import {
  type FoundRecords,
  SEARCH_HITS,
  type SearchKind,
} from "../../application/ports/queries/search-records.ts";
import type { SearchHit } from "../../contract/search.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { LINE, matcherOf, type SearchText, searchText } from "../../domain/shared/search-text.ts";
import type { ReadDatabase } from "../engine/projection.ts";

/** Newest first; kinds that are not asked for are empty. */
export async function findEverywhere(
  db: ReadDatabase,
  owner: OwnerId,
  asked: string,
  kinds: ReadonlySet<SearchKind>,
): Promise<FoundRecords> {
  const text = searchText(asked);
  const find = async (
    kind: SearchKind,
    ask: () => Promise<readonly SearchHit[]>,
  ): Promise<readonly SearchHit[]> => (kinds.has(kind) && text.text !== "" ? ask() : []);
  return {
    campaigns: await find("campaigns", () => findNamed(db, owner, "campaign", text)),
    contacts: await find("contacts", () => findContacts(db, owner, text)),
    calls: await find("calls", () => findNewestCalls(db, owner, text)),
    squads: await find("squads", () => findNamed(db, owner, "squad", text)),
  };
}

async function findNamed(
  db: ReadDatabase,
  owner: OwnerId,
  kind: "campaign" | "squad",
  { text }: SearchText,
): Promise<readonly SearchHit[]> {
  const { rows } = await sql<SearchHit>`
    select id, title, created_at as at from read.search_named_v1
    where owner = ${owner} and kind = ${kind} and strpos(words, ${` ${text.trimStart()}`}) > 0
    order by id desc limit ${SEARCH_HITS}`.execute(db);
  return rows;
}

/** [number, name] */
export type Entry = readonly [string, string | null];

type FoundContact = {
  readonly id: ContactId;
  readonly campaignId: CampaignId;
  readonly at: Instant;
  readonly entry: Entry;
};

async function findContacts(
  db: ReadDatabase,
  owner: OwnerId,
  { kind, text }: SearchText,
): Promise<readonly SearchHit[]> {
  const column = sql.ref(kind);
  const { rows } = await sql<FoundContact>`
    with hit as materialized (
      select last_id, campaign_id, created_at, ids, entries, ${column} as lines from read.search_contact_blocks_v1
      where owner = ${owner} and sealed and strpos(${column}, ${text}) > 0
      order by last_id desc limit ${SEARCH_HITS}),
    ${newestLines(text)}
    select found.id, hit.campaign_id as "campaignId", hit.created_at as at, hit.entries -> found.place as entry
    from found join hit using (last_id) order by found.id desc`.execute(db);
  return rows.map(({ id, campaignId, at, entry }) => ({ id, title: titleOf(entry), campaignId, at }));
}

type FoundCall = {
  readonly id: CallId;
  readonly campaignId: CampaignId | null;
  readonly at: Instant;
  readonly number: string;
  readonly name: string | null;
};

/** The call's own row has its creation time and campaign. */
async function findNewestCalls(
  db: ReadDatabase,
  owner: OwnerId,
  { kind, text }: SearchText,
): Promise<readonly SearchHit[]> {
  const column = sql.ref(kind);
  const { rows: packed } = await sql<{ readonly id: CallId; readonly entry: Entry }>`
    with hit as materialized (
      select last_id, ids, entries, ${column} as lines from read.search_call_blocks_v1
      where owner = ${owner} and strpos(${column}, ${text}) > 0
      order by last_id desc limit ${SEARCH_HITS}),
    ${newestLines(text)}
    select found.id, hit.entries -> found.place as entry
    from found join hit using (last_id) order by found.id desc`.execute(db);
  const loose = await findLooseCalls(db, owner, { kind, text });
  const found = new Map<CallId, Entry>([
    ...packed.map(({ id, entry }): [CallId, Entry] => [id, entry]),
    ...loose.map(({ id, number, name }): [CallId, Entry] => [id, [number, name]]),
  ]);
  const newest = [...found.keys()].toSorted((a, b) => (a < b ? 1 : -1)).slice(0, SEARCH_HITS);
  const { rows } = await sql<Omit<FoundCall, "number" | "name">>`
    select id, campaign_id as "campaignId", created_at as at from read.calls_v3
    where id = any(${newest}::text[]) order by id desc`.execute(db);
  return rows.map(({ id, campaignId, at }) => {
    const title = titleOf(found.get(id) ?? ["", null]);
    return campaignId === null ? { id, title, at } : { id, title, campaignId, at };
  });
}

/** Calls that are not in a block yet, fewer than a block holds. */
export async function findLooseCalls(
  db: ReadDatabase,
  owner: OwnerId,
  { kind, text }: SearchText,
): Promise<readonly Pick<FoundCall, "id" | "number" | "name">[]> {
  const { rows } = await sql<Pick<FoundCall, "id" | "number" | "name">>`
    select id, number, name from read.search_calls_v1 where owner = ${owner}`.execute(db);
  const matches = matcherOf({ kind, text });
  return rows.filter(matches);
}

/** The newest of all matching lines. Only these entries of a block are parsed. */
function newestLines(text: string) {
  return sql`found as materialized (
      select hit.last_id, each.id, each.place from hit cross join lateral (
        ${linesWith(text)} order by id desc limit ${SEARCH_HITS}) as each
      order by each.id desc limit ${SEARCH_HITS})`;
}

/** The matching lines of `hit`: their ids, and their places from 0. */
export function linesWith(text: string) {
  return sql`select each.id, (each.number - 1)::integer as place
    from unnest(string_to_array(hit.lines, ${LINE}), string_to_array(hit.ids, ${LINE}))
      with ordinality as each (line, id, number) where strpos(each.line, ${text}) > 0`;
}

function titleOf([number, name]: Entry): string {
  return name === null || name === "" ? number : `${name} (${number})`;
}
