import type pg from "pg";
import type { DialIntent, Slot } from "../../../domain/admission/requests.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { RELAXED } from "../../postgres/transaction.ts";

export type Look = { readonly callId: CallId; readonly at: Instant };

type DueRow = {
  call_id: CallId;
  owner_id: OwnerId;
  campaign_id: CampaignId | null;
  dial_at: Date;
  dial_by: Date;
  next_look_at: Date;
  session_due_by: Date | null;
};

export async function dueLooks(pool: pg.Pool, now: Instant, limit: number): Promise<readonly Slot[]> {
  const { rows } = await pool.query<DueRow>({
    name: "due-looks",
    text: `select call_id, owner_id, campaign_id, dial_at, dial_by, next_look_at, session_due_by
      from work.call_slots
      where closed_at is null and next_look_at <= $1 order by next_look_at, call_id limit $2`,
    values: [now, limit],
  });
  return rows.map((row) => ({
    callId: row.call_id,
    owner: row.owner_id,
    campaignId: row.campaign_id,
    dialAt: instantOf(row.dial_at),
    dialBy: instantOf(row.dial_by),
    nextLookAt: instantOf(row.next_look_at),
    ...(row.session_due_by === null ? {} : { sessionDueBy: instantOf(row.session_due_by) }),
  }));
}

/** Found by the index of open slots, which are few. */
export async function openIntents(
  pool: pg.Pool,
  owner: OwnerId,
  phoneNumber: PhoneNumber,
): Promise<readonly DialIntent[]> {
  const { rows } = await pool.query<Pick<DueRow, "call_id" | "dial_by">>(
    `select call_id, dial_by from work.call_slots
     where closed_at is null and owner_id = $1 and (phone_number = $2 or phone_number is null)`,
    [owner, phoneNumber],
  );
  return rows.map((row) => ({ callId: row.call_id, dialBy: instantOf(row.dial_by) }));
}

export async function expectSession(pool: pg.Pool, callId: CallId, by: Instant): Promise<void> {
  await pool.query({
    name: "expect-session",
    text: "update work.call_slots set session_due_by = $2 where call_id = $1 and closed_at is null",
    values: [callId, by],
  });
}

export async function nextLookAt(pool: pg.Pool): Promise<Instant | null> {
  const { rows } = await pool.query<{ at: Date | null }>({
    name: "next-look",
    text: "select min(next_look_at) as at from work.call_slots where closed_at is null",
  });
  const at = rows[0]?.at ?? null;
  return at === null ? null : instantOf(at);
}

/** Not flushed: after a crash a lost look happens at its earlier time. */
export async function setNextLooks(pool: pg.Pool, looks: readonly Look[]): Promise<void> {
  if (looks.length === 0) return;
  await pool.query({
    name: "set-looks",
    text: SET_LOOKS,
    values: [looks.map(({ callId }) => callId), looks.map(({ at }) => millisOf(at))],
  });
}

/** Of two looks at one call the one given later counts. */
const SET_LOOKS = `
with ${RELAXED}, look as (
  select distinct on (call_id) call_id, at
  from unnest($1::text[], $2::float8[]) with ordinality as given(call_id, at, number) order by call_id, number desc
), locked as (
  select call_id from work.call_slots where call_id in (select call_id from look) and closed_at is null
  order by call_id for update
)
update work.call_slots s set next_look_at = to_timestamp(look.at / 1000)
from relaxed, locked join look using (call_id) where s.call_id = locked.call_id`;

function instantOf(date: Date): Instant {
  return instantFromMillis(date.getTime());
}
