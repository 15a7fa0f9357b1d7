import type pg from "pg";
import type { RefusedByPolicy } from "../../../domain/admission/grants.ts";
import {
  asksOfNumbers,
  judgeByPolicy,
  type NumberBook,
  numberKey,
  refusedByPolicy,
} from "../../../domain/admission/number-book.ts";
import type { DialToJudge } from "../../../domain/admission/requests.ts";
import { dialsNeeded } from "../../../domain/policy/judge-dial.ts";
import type { Policy, PolicyInForce } from "../../../domain/policy/policy.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

/** Of this machine's rules of time zones. */
export const TZDATA = process.versions["tz"] ?? "unknown";

export type OfNumber = { readonly owner: OwnerId; readonly phoneNumber: PhoneNumber };
export type NumberRow = OfNumber & NumberBook;

/** Values of `NUMBERS`: owners, numbers, and how many dials are read of each. */
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

export function numberBooks(rows: readonly NumberRow[]): Map<string, NumberBook> {
  return new Map(
    rows.map(({ owner, phoneNumber, dials, open }) => [numberKey(owner, phoneNumber), { dials, open }]),
  );
}

/**
 * Rows for the values in the parameters `first` and the two after it: the latest dials and the open slots of
 * each number, both by an index; the dials by the index alone (a test holds that).
 */
export function numbersFrom(first: number): string {
  return `unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::integer[]) as asked(owner, phone, needed)
    cross join lateral (
      select coalesce(json_agg(latest), '[]') as dials from (
        select d.call_id as "callId", (extract(epoch from d.at) * 1000)::bigint as at from work.number_dials d
        where d.owner_id = asked.owner and d.number = substr(asked.phone, 2)::bigint
        order by d.at desc limit asked.needed) latest) dialled
    cross join lateral (
      select coalesce(json_agg(json_build_object('callId', s.call_id, 'requested', s.requested)), '[]') as open
      from work.call_slots s
      where s.owner_id = asked.owner and s.phone_number = asked.phone and s.closed_at is null) live`;
}

export const NUMBER_COLUMNS = `asked.owner, asked.phone as "phoneNumber", dialled.dials, live.open`;

type PolicyRow = {
  readonly place: string;
  readonly now: number;
  readonly version: number;
  readonly policy: Policy;
  readonly timezone: string | null;
};

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
      return owner === undefined ? [] : [[owner, { version: row.version, policy: row.policy }] as const];
    }),
  );
  const { rows } = await pool.query<NumberRow>({
    name: "numbers-of-dials",
    text: `select ${NUMBER_COLUMNS} from ${numbersFrom(1)}`,
    values: [...askedNumbers(dials, policies, 1)],
  });
  const books = numberBooks(rows);
  return dials.map((dial, place) => {
    const row = judged.get(place);
    const inForce = policies.get(dial.owner);
    if (row === undefined || inForce === undefined) return null;
    const book = books.get(numberKey(dial.owner, dial.phoneNumber)) ?? { dials: [], open: [] };
    const timezone = row.timezone ?? dial.timezone;
    const judgement = judgeByPolicy(inForce, { ...dial, timezone }, book, { now: row.now, tzdata: TZDATA });
    return refusedByPolicy(inForce, dial.callId, judgement, row.now);
  });
}

const POLICIES = `
select asked.place, extract(epoch from clock_timestamp())::float8 * 1000 as now, p.version, p.policy, s.timezone
from unnest($1::text[], $2::text[]) with ordinality as asked(owner, call_id, place)
join work.policies p on p.owner_id = asked.owner
left join work.call_slots s on s.call_id = asked.call_id`;
