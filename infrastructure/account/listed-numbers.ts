import type pg from "pg";
import type { OwnerId, SuppressionListId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { SuppressionListKind } from "../../domain/suppression/events.ts";

/**
 * Of `asked (owner_id, phone_number)` those on active lists: l is the list. The one block that may have a
 * number is the last that begins before it. An owner without lists costs a look into their index.
 */
export const ON_LISTS = `asked
  join config.suppression_lists l on l.owner_id = asked.owner_id and l.active and l.deleted_at is null
  cross join lateral (
    select numbers from config.list_numbers
    where version = l.loaded and first <= substr(asked.phone_number, 2)::bigint
    order by first desc limit 1
  ) block
  where substr(asked.phone_number, 2)::bigint = any(block.numbers)`;

export type ListWith = {
  readonly phoneNumber: PhoneNumber;
  readonly id: SuppressionListId;
  readonly name: string;
  readonly kind: SuppressionListKind;
  readonly asOf: Date;
};

/** Active lists of the owner that have one of the numbers, beside the do-not-call list; by list. */
export async function listsWith(
  pool: pg.Pool,
  owner: OwnerId,
  numbers: readonly PhoneNumber[],
): Promise<readonly ListWith[]> {
  const { rows } = await pool.query<ListWith>({
    name: "lists-with",
    text: `with asked as (select $1::text as owner_id, phone_number from unnest($2::text[]) as phone_number)
      select asked.phone_number as "phoneNumber", l.id, l.name, l.kind, l.as_of as "asOf"
      from ${ON_LISTS} order by l.id`,
    values: [owner, numbers],
  });
  return rows;
}
