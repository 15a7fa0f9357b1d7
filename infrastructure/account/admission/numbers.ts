import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { createRecentMap } from "../../../application/recent-map.ts";
import type { RefusedByPolicy } from "../../../domain/admission/grants.ts";
import {
  asksOfNumbers,
  judgeByPolicy,
  type NumberBook,
  numberBook,
  numberKey,
  refusedByPolicy,
} from "../../../domain/admission/number-book.ts";
import type { DialToJudge } from "../../../domain/admission/requests.ts";
import { dialsNeeded } from "../../../domain/policy/judge-dial.ts";
import { NO_LISTS, type RegistryLists } from "../../../domain/policy/list-age.ts";
import type { Policy, PolicyInForce } from "../../../domain/policy/policy.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

/** Of this machine's rules of time zones. */
export const TZDATA = process.versions["tz"] ?? "unknown";

const KEPT_POLICIES = 1_000;
const kept = createRecentMap<OwnerId, PolicyInForce>(KEPT_POLICIES);

/** The same object for the same policy: what a judgement remembers of its hours, it remembers by that. */
export function samePolicy(owner: OwnerId, { version, policy }: PolicyInForce): PolicyInForce {
  const known = kept.get(owner);
  if (known?.version === version && isDeepStrictEqual(known.policy, policy)) return known;
  const news = { version, policy };
  kept.set(owner, news);
  return news;
}

/** The oldest day in milliseconds; null: nobody asks, there is no list, or one without numbers. */
export type ListsRow = { readonly oldest_list: number | null };

/** Day of the oldest active registry list of the owner of the policy `p`. */
export const LISTS_ASKED = `case when p.policy ? 'listMaxAgeDays' then (
    select case when count(l.as_of) = count(*) then (extract(epoch from min(l.as_of)) * 1000)::float8 end
    from config.suppression_lists l
    where l.owner_id = p.owner_id and l.deleted_at is null and l.active and l.kind = 'registry') end`;

export function listsOf({ oldest_list: oldest }: ListsRow): RegistryLists {
  return oldest === null ? NO_LISTS : { oldestAsOf: instantFromMillis(oldest) };
}

export type OfNumber = { readonly owner: OwnerId; readonly phoneNumber: PhoneNumber };

/** Values of `numberColumns`: owners, numbers, and how many dials are read of each. */
export type AskedNumbers = readonly [
  owners: readonly OwnerId[],
  numbers: readonly PhoneNumber[],
  needed: readonly number[],
];

/**
 * The numbers that the policies of their owners ask for, each once; `more`: so many more dials are read of
 * each, for those that may not count.
 */
export function askedNumbers(
  numbers: readonly OfNumber[],
  policies: ReadonlyMap<OwnerId, PolicyInForce | null>,
  more: number,
): AskedNumbers {
  const asked = new Map<string, OfNumber & { readonly needed: number }>();
  for (const { owner, phoneNumber } of numbers) {
    const policy = policies.get(owner)?.policy;
    if (policy === undefined || !asksOfNumbers(policy)) continue;
    const needed = dialsNeeded(policy);
    asked.set(numberKey(owner, phoneNumber), {
      owner,
      phoneNumber,
      needed: needed === 0 ? 0 : needed + more,
    });
  }
  const all = [...asked.values()];
  return [
    all.map(({ owner }) => owner),
    all.map(({ phoneNumber }) => phoneNumber),
    all.map(({ needed }) => needed),
  ];
}

/**
 * What `numberColumns` answers: rows in one text each, as JSON of many rows takes longer than finding them.
 */
export type NumbersFound = { readonly dials: string | null; readonly open: string | null };

export function numberBooks(
  [owners, numbers]: AskedNumbers,
  { dials, open }: NumbersFound,
): Map<string, NumberBook> {
  const books = owners.map((): NumberBook => ({ dials: [], open: [] }));
  const byKey = new Map(books.map((book, place) => [keyOf(owners[place], numbers[place]), book]));
  for (const [place, callId, at] of rowsOf(dials))
    books[Number(place) - 1]?.dials.push({ callId: callId as CallId, at: Number(at) });
  for (const [owner, phoneNumber, callId, requested] of rowsOf(open))
    byKey.get(keyOf(owner as OwnerId, phoneNumber as PhoneNumber))?.open.push({
      callId: callId as CallId,
      requested: requested === "true",
    });
  return byKey;
}

function keyOf(owner: OwnerId = "usr_", phoneNumber: PhoneNumber = "+"): string {
  return numberKey(owner, phoneNumber);
}

function rowsOf(text: string | null): readonly (readonly string[])[] {
  return text === null ? [] : text.split(",").map((row) => row.split(" "));
}

/**
 * Of the numbers in the parameters `first` and the two after it: the latest dials of each, the latest first,
 * by the index alone (a test holds that), and their open slots by an index. Open slots may be of others as
 * well.
 */
export function numberColumns(first: number): string {
  return `(select string_agg(asked.place || ' ' || d.call_id || ' ' || d.at, ',') from
      unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::integer[]) with ordinality
        as asked(owner, phone, needed, place)
      cross join lateral (
        select call_id, (date_part('epoch', at) * 1000)::bigint as at from work.number_dials
        where owner_id = asked.owner and number = substr(asked.phone, 2)::bigint
        order by number_dials.at desc limit asked.needed) d) as dials,
    (select string_agg(owner_id || ' ' || phone_number || ' ' || call_id || ' ' || requested, ',')
      from work.call_slots where owner_id = any($${first}::text[]) and phone_number = any($${first + 1}::text[])
        and closed_at is null) as open`;
}

type PolicyRow = {
  readonly place: string;
  readonly now: number;
  readonly version: number;
  readonly policy: Policy;
  readonly timezone: string | null;
} & ListsRow;

/**
 * `Admission.judge` of many. Nothing is locked: dials that others are granted meanwhile only refuse more, and
 * theirs are judged with this one in view.
 */
export async function judgeDials(
  pool: pg.Pool,
  dials: readonly DialToJudge[],
): Promise<readonly (RefusedByPolicy | null)[]> {
  const { rows: found } = await pool.query<PolicyRow>({
    name: "policies-of-dials",
    text: POLICIES,
    values: [dials.map(({ owner }) => owner), dials.map(({ callId }) => callId)],
  });
  if (found.length === 0) return dials.map(() => null);
  const judged = new Map(found.map((row) => [Number(row.place) - 1, row]));
  const policies = new Map(
    found.flatMap((row) => {
      const owner = dials[Number(row.place) - 1]?.owner;
      return owner === undefined ? [] : [[owner, samePolicy(owner, row)] as const];
    }),
  );
  const asked = askedNumbers(dials, policies, 1);
  const {
    rows: [numbers = { dials: null, open: null }],
  } = await pool.query<NumbersFound>({
    name: "numbers-of-dials",
    text: `select ${numberColumns(1)}`,
    values: [...asked],
  });
  const books = numberBooks(asked, numbers);
  return dials.map((dial, place) => {
    const row = judged.get(place);
    const inForce = policies.get(dial.owner);
    if (row === undefined || inForce === undefined) return null;
    const book = numberBook(books, dial.owner, dial.phoneNumber);
    const timezone = row.timezone ?? dial.timezone;
    const judgement = judgeByPolicy(inForce, { ...dial, timezone }, book, {
      now: row.now,
      tzdata: TZDATA,
      lists: listsOf(row),
    });
    return refusedByPolicy(inForce, dial.callId, judgement, row.now);
  });
}

const POLICIES = `
select asked.place, extract(epoch from clock_timestamp())::float8 * 1000 as now, p.version, p.policy, s.timezone,
  ${LISTS_ASKED} as oldest_list
from unnest($1::text[], $2::text[]) with ordinality as asked(owner, call_id, place)
join work.policies p on p.owner_id = asked.owner
left join work.call_slots s on s.call_id = asked.call_id`;
