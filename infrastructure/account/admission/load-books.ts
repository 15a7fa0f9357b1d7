import type pg from "pg";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Books, Demand, OwnerBook, SlotRow } from "./owner-book.ts";
import { referenceKey } from "./owner-book.ts";

/** What a group of operations is about. */
export type Touched = {
  readonly owners: readonly OwnerId[];
  readonly callIds: readonly CallId[];
  /** Campaigns that the operations name; those of slots that are closed need not be named. */
  readonly campaignIds: readonly CampaignId[];
  /** Owners all of whose campaigns are asked for, also those that neither hold nor want anything. */
  readonly allCampaignsOf: readonly OwnerId[];
  /** Calls that must have a slot: for these the ledger is asked as well. */
  readonly ensured: readonly CallId[];
  readonly references: readonly { readonly owner: OwnerId; readonly reference: string }[];
};

type AccountRow = {
  owner_id: OwnerId;
  live: number;
  balance: string;
  reserved: string;
  next_turn_ms: number;
  paced_until_ms: number;
  active: boolean | null;
  max_concurrent_calls: number | null;
  max_calls_per_second: number | null;
};

type Loaded = {
  now: number;
  slots: SlotRow[];
  demands: (Demand & { readonly owner: OwnerId })[];
  turns: { readonly owner: OwnerId; readonly at: number }[];
  reserved: CallId[];
  references: { readonly owner: OwnerId; readonly reference: string }[];
};

/**
 * Locks the rows of all owners concerned, in the order of their ids, and reads what the operations need as it stands then: whoever changes anything
 * of an owner holds its row.
 */
export async function loadBooks(client: pg.ClientBase, touched: Touched): Promise<Books> {
  const accounts = await lockAccounts(client, touched);
  const owners = new Map(accounts.map((row) => [row.owner_id, bookOf(row)]));
  const { rows } = await client.query<Loaded>({
    name: "admission-load",
    text: LOAD,
    values: [
      [...owners.keys()],
      touched.callIds,
      touched.ensured,
      touched.references.map(({ owner }) => owner),
      touched.references.map(({ reference }) => reference),
      touched.campaignIds,
      touched.allCampaignsOf,
    ],
  });
  const [loaded] = rows;
  if (loaded === undefined) throw new Error("the database answered no row");
  for (const { owner, ...demand } of loaded.demands)
    owners.get(owner)?.demands.set(demand.campaignId, demand);
  for (const { owner, at } of loaded.turns) owners.get(owner)?.pacedTurns.push(at);
  return {
    now: loaded.now,
    owners,
    slots: new Map(loaded.slots.map((slot) => [slot.callId, slot])),
    reservedBefore: new Set(loaded.reserved),
    references: new Set(loaded.references.map(({ owner, reference }) => referenceKey(owner, reference))),
    opened: [],
    closed: [],
    ledger: [],
  };
}

async function lockAccounts(client: pg.ClientBase, touched: Touched): Promise<readonly AccountRow[]> {
  const lock = () =>
    client.query<AccountRow>({
      name: "admission-lock",
      text: LOCK,
      values: [touched.owners, touched.callIds, touched.campaignIds],
    });
  const { rows } = await lock();
  const found = new Set(rows.map((row) => row.owner_id));
  const missing = touched.owners.filter((owner) => !found.has(owner));
  if (missing.length === 0) return rows;
  await client.query(
    "insert into work.owner_accounts (owner_id) select unnest($1::text[]) on conflict do nothing",
    [missing],
  );
  return (await lock()).rows;
}

function bookOf(row: AccountRow): OwnerBook {
  const { max_concurrent_calls: maxConcurrentCalls, max_calls_per_second: maxCallsPerSecond } = row;
  const known = maxConcurrentCalls !== null && maxCallsPerSecond !== null;
  return {
    owner: row.owner_id,
    plan: known ? { maxConcurrentCalls, maxCallsPerSecond } : null,
    active: row.active ?? false,
    live: row.live,
    balance: Number(row.balance),
    reserved: Number(row.reserved),
    nextTurn: row.next_turn_ms,
    pacedTurns: [],
    pacedUntil: row.paced_until_ms,
    demands: new Map(),
  };
}

const LOCK = `
select a.owner_id, a.live, a.balance, a.reserved, a.next_turn_ms, a.paced_until_ms,
  u.active, u.max_concurrent_calls, u.max_calls_per_second
from work.owner_accounts a left join config.users u on u.id = a.owner_id
where a.owner_id in (
  select unnest($1::text[]) collate "C"
  union select owner_id from work.call_slots where call_id = any($2::text[])
  union select owner_id from work.slot_demand where campaign_id = any($3::text[]))
order by a.owner_id
for update of a`;

const MILLIS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const AGGREGATED = (columns: string, from: string) =>
  `(select coalesce(json_agg(row_to_json(found)), '[]') from (select ${columns} from ${from}) found)`;

/** A turn keeps others away for one interval of the plan. Not by clock_timestamp(): no index serves what may change from row to row. */
const STILL_KEPT = "to_timestamp(clock.now / 1000 - least(3600, 1 / nullif(u.max_calls_per_second, 0)))";

/** One round trip for everything, and the one clock that counts. */
const LOAD = `
with clock as materialized (select extract(epoch from clock_timestamp())::float8 * 1000 as now)
select clock.now,
  ${AGGREGATED(
    `call_id as "callId", owner_id as owner, campaign_id as "campaignId", price, ${MILLIS("dial_at")} as "dialAt",
     ${MILLIS("dial_by")} as "dialBy", ${MILLIS("next_look_at")} as "nextLookAt", paced, active_calls as "activeCalls",
     max_concurrent_calls as "maxConcurrentCalls", available_credits as "availableCredits", ${MILLIS("closed_at")} as "closedAt"`,
    "work.call_slots where call_id = any($2::text[])",
  )} as slots,
  ${AGGREGATED(
    `owner_id as owner, campaign_id as "campaignId", live, wanted, cap, per_second as "perSecond",
     next_turn_ms as "nextTurn", last_grant_ms as "lastGrant", until_ms as "until", credits_wanted as "creditsWanted"`,
    `work.slot_demand where owner_id = any($1::text[]) and (live > 0 or wanted > 0 or credits_wanted is not null
       or campaign_id = any($6::text[]) or owner_id = any($7::text[]))`,
  )} as demands,
  ${AGGREGATED(
    `a.owner_id as owner, ${MILLIS("turn.dial_at")} as at`,
    `work.owner_accounts a join config.users u on u.id = a.owner_id cross join lateral (
       select s.dial_at from work.call_slots s where s.owner_id = a.owner_id and s.paced and s.dial_at > ${STILL_KEPT}
       order by s.dial_at) turn
     where a.owner_id = any($1::text[]) and a.paced_until_ms > clock.now`,
  )} as turns,
  (select coalesce(json_agg(call_id), '[]') from work.ledger
    where call_id = any($3::text[]) and cause = 'reserve') as reserved,
  (select coalesce(json_agg(json_build_object('owner', owner_id, 'reference', reference)), '[]') from work.ledger
    where (owner_id, reference) in (select * from unnest($4::text[], $5::text[]))) as references
from clock`;
