import type pg from "pg";
import type { Touched } from "../../../domain/admission/operations.ts";
import { type Books, type OwnerBook, referenceKey } from "../../../domain/admission/owner-book.ts";
import type { Capacity, ConnectionBook, SharedBook, Waiter } from "../../../domain/admission/shared-book.ts";
import type { Demand, SlotRow } from "../../../domain/admission/slots.ts";
import type { Policy, PolicyInForce } from "../../../domain/policy/policy.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import {
  askedNumbers,
  LISTS_ASKED,
  type ListsRow,
  listsOf,
  type NumbersFound,
  numberBooks,
  numberColumns,
  samePolicy,
  TZDATA,
} from "./numbers.ts";

type AccountRow = {
  owner_id: OwnerId;
  live: number;
  balance: string;
  reserved: string;
  next_turn_ms: number;
  paced_until_ms: number;
  policy_version: number | null;
  policy: Policy | null;
  active: boolean | null;
  max_concurrent_calls: number | null;
  max_calls_per_second: number | null;
} & ListsRow;

type Loaded = {
  now: number;
  slots: SlotRow[];
  demands: (Demand & { readonly owner: OwnerId })[];
  connections: Omit<ConnectionBook, "changed">[];
  capacity: Capacity | null;
  waiters: Waiter[];
  turns: { readonly owner: OwnerId; readonly at: number }[];
  reserved: CallId[];
  references: { readonly owner: OwnerId; readonly reference: string }[];
} & NumbersFound;

/**
 * A transaction that takes shared resources holds this lock until the commit. Owners are locked after it, so
 * that there is no deadlock.
 */
const SHARED_LOCK = 7_203_301;

/**
 * Locks the rows of all owners concerned, in the order of their ids, and reads what the operations need after
 * that: every change to an owner holds its row.
 */
export async function loadBooks(client: pg.ClientBase, touched: Touched, processId: string): Promise<Books> {
  const accounts = await lockAccounts(client, touched);
  const policies = new Map(accounts.map((row) => [row.owner_id, policyOf(row)]));
  const asked = askedNumbers(touched.numbers, policies, touched.unused);
  const { rows } = await client.query<Loaded>({
    name: "admission-load",
    text: LOAD,
    values: [
      accounts.map((row) => row.owner_id),
      touched.callIds,
      touched.ensured,
      touched.references.map(({ owner }) => owner),
      touched.references.map(({ reference }) => reference),
      touched.campaignIds,
      touched.allCampaignsOf,
      touched.connections,
      touched.countedConnections,
      processId,
      ...asked,
    ],
  });
  const [loaded] = rows;
  if (loaded === undefined) throw new Error("the database answered no row");
  const shared = sharedOf(loaded);
  const owners = new Map(accounts.map((row) => [row.owner_id, bookOf(row, shared)]));
  for (const { owner, ...demand } of loaded.demands)
    owners.get(owner)?.demands.set(demand.campaignId, demand);
  for (const { owner, at } of loaded.turns) owners.get(owner)?.pacedTurns.push(at);
  return {
    now: loaded.now,
    tzdata: TZDATA,
    owners,
    shared,
    slots: new Map(loaded.slots.map((slot) => [slot.callId, slot])),
    reservedBefore: new Set(loaded.reserved),
    references: new Set(loaded.references.map(({ owner, reference }) => referenceKey(owner, reference))),
    numbers: numberBooks(asked, loaded),
    opened: [],
    closed: [],
    dialled: [],
    undialled: [],
    ledger: [],
  };
}

async function lockAccounts(client: pg.ClientBase, touched: Touched): Promise<readonly AccountRow[]> {
  if (touched.takesShared && touched.owners.length === 0)
    await client.query("select pg_advisory_xact_lock($1)", [SHARED_LOCK]);
  const lock = () =>
    client.query<AccountRow>({
      name: "admission-lock",
      text: LOCK,
      values: [touched.owners, touched.callIds, touched.campaignIds, touched.takesShared, SHARED_LOCK],
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

function sharedOf({ connections, capacity, waiters }: Loaded): SharedBook {
  return {
    connections: new Map(connections.map((each) => [each.key, { ...each, changed: false }])),
    capacity,
    waiters: new Map(waiters.map((waiter) => [waiter.campaignId, waiter])),
  };
}

function bookOf(row: AccountRow, shared: SharedBook): OwnerBook {
  const { max_concurrent_calls: maxConcurrentCalls, max_calls_per_second: maxCallsPerSecond } = row;
  const known = maxConcurrentCalls !== null && maxCallsPerSecond !== null;
  return {
    owner: row.owner_id,
    plan: known ? { maxConcurrentCalls, maxCallsPerSecond } : null,
    active: row.active ?? false,
    policy: policyOf(row),
    lists: listsOf(row),
    live: row.live,
    balance: Number(row.balance),
    reserved: Number(row.reserved),
    nextTurn: row.next_turn_ms,
    pacedTurns: [],
    pacedUntil: row.paced_until_ms,
    demands: new Map(),
    shared,
  };
}

function policyOf({ owner_id: owner, policy_version: version, policy }: AccountRow): PolicyInForce | null {
  return version === null || policy === null ? null : samePolicy(owner, { version, policy });
}

/**
 * The shared lock is taken before the first row is locked, because a row is locked when the join returns it.
 */
const LOCK = `
with shared as materialized (select count(pg_advisory_xact_lock($5::bigint)) from (select 1 where $4::boolean) taken)
select a.owner_id, a.live, a.balance, a.reserved, a.next_turn_ms, a.paced_until_ms,
  u.active, u.max_concurrent_calls, u.max_calls_per_second, p.version as policy_version, p.policy,
  ${LISTS_ASKED} as oldest_list
from shared cross join work.owner_accounts a left join config.users u on u.id = a.owner_id
left join work.policies p on p.owner_id = a.owner_id
where a.owner_id in (
  select unnest($1::text[]) collate "C"
  union select owner_id from work.call_slots where call_id = any($2::text[])
  union select owner_id from work.slot_demand where campaign_id = any($3::text[]))
order by a.owner_id
for update of a`;

const MILLIS = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const AGGREGATED = (columns: string, from: string) =>
  `(select coalesce(json_agg(row_to_json(found)), '[]') from (select ${columns} from ${from}) found)`;

/**
 * A turn is reserved for one interval of the plan. clock_timestamp() cannot be used: it is volatile, so no
 * index would serve it.
 */
const STILL_KEPT = "to_timestamp(clock.now / 1000 - least(3600, 1 / nullif(u.max_calls_per_second, 0)))";

/** A process without a heartbeat for this long holds no conversations; the process that asks is alive. */
const IS_ALIVE = "alive_at > clock_timestamp() - interval '20 seconds' or id = $10";
/** Waiters beyond this number are read when it is their turn. */
const WAITERS_SEEN = 200;

/** Everything in one round trip, with the database's clock. */
const LOAD = `
with clock as materialized (select extract(epoch from clock_timestamp())::float8 * 1000 as now)
select clock.now,
  ${AGGREGATED(
    `call_id as "callId", owner_id as owner, campaign_id as "campaignId", phone_number as "phoneNumber", price, ${MILLIS("dial_at")} as "dialAt",
     ${MILLIS("dial_by")} as "dialBy", ${MILLIS("next_look_at")} as "nextLookAt", paced, active_calls as "activeCalls",
     max_concurrent_calls as "maxConcurrentCalls", available_credits as "availableCredits", connection, audio, policy,
     timezone, ${MILLIS("closed_at")} as "closedAt"`,
    "work.call_slots where call_id = any($2::text[])",
  )} as slots,
  ${AGGREGATED(
    `owner_id as owner, campaign_id as "campaignId", live, wanted, cap, per_second as "perSecond",
     next_turn_ms as "nextTurn", last_grant_ms as "lastGrant", until_ms as "until", credits_wanted as "creditsWanted",
     connection, waits_for as "waitsFor"`,
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
  ${AGGREGATED(
    `named.key, c.kind, c.audio, c.per_second as "callsPerSecond", c.max_live as "maxConcurrentCalls",
     coalesce(c.next_turn_ms, 0) as "nextTurn", coalesce(c.ahead_ms, '[]') as "aheadTurns",
     coalesce(c.slowed_ms, 0) as slowed, coalesce(c.slowed_until_ms, 0) as "slowedUntil",
     case when c.max_live is null and named.key <> all($9::text[]) then 0 else (select count(*) from work.call_slots s
       where s.connection = named.key and s.closed_at is null) end as live`,
    `(select unnest($8::text[]) as key
      union select connection from work.call_slots where call_id = any($2::text[]) and connection is not null
      union select connection from work.slot_demand where owner_id = any($1::text[]) and wanted > 0
        and connection is not null) named
     left join work.connection_turns c on c.key = named.key
     where c.key is not null or named.key = any($9::text[])`,
  )} as connections,
  (select json_build_object(
      'text', coalesce(sum(text_limit) filter (where ${IS_ALIVE}), 0),
      'audio', coalesce(sum(audio_limit) filter (where ${IS_ALIVE}), 0),
      'openText', sum(text_open), 'openAudio', sum(audio_open))
    from work.processes having bool_or(id <> '')) as capacity,
  ${AGGREGATED(
    `owner_id as owner, campaign_id as "campaignId", waits_for as "waitsFor", last_grant_ms as "lastGrant"`,
    `work.slot_demand where waits_for is not null and wanted > 0 and until_ms > clock.now
     order by last_grant_ms limit ${WAITERS_SEEN}`,
  )} as waiters,
  (select coalesce(json_agg(call_id), '[]') from work.ledger
    where call_id = any($3::text[]) and cause = 'reserve') as reserved,
  (select coalesce(json_agg(json_build_object('owner', owner_id, 'reference', reference)), '[]') from work.ledger
    where (owner_id, reference) in (select * from unnest($4::text[], $5::text[]))) as references,
  ${numberColumns(11)}
from clock`;
