import { type RawBuilder, sql } from "kysely";
import type { ContactRecord } from "../../contract/contact.ts";
import type { ContactHeld } from "../../domain/campaign/events.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import type { ReadDatabase } from "../engine/projection.ts";

type ShownHold = NonNullable<ContactRecord["hold"]>;

/** A hold as it was told. It ends at `until` or with that call, with another version, or with an attempt. */
export type KeptHold = ShownHold & { readonly campaignId: CampaignId; readonly heldBy: CallId | null };

/** A moment, and the version of the owner's policy that was in force then; 0: none. */
export type HoldMoment = { readonly at: Instant; readonly policyVersion: number };

export function keptHold(held: ContactHeld["data"]): KeptHold {
  const { campaignId, rule, until, heldBy, policyVersion, at: since } = held;
  return { campaignId, rule, until, heldBy, since, policyVersion };
}

/** The hold while it goes on, else null. A call that is not known yet has not ended. */
export function shownHold(
  hold: (ShownHold & Pick<KeptHold, "heldBy">) | null,
  { at, policyVersion }: HoldMoment,
  hasEnded: (callId: CallId) => boolean,
): ShownHold | null {
  if (hold === null || hold.policyVersion !== policyVersion) return null;
  const { rule, until, since } = hold;
  const goesOn = until === null ? hold.heldBy !== null && !hasEnded(hold.heldBy) : until > at;
  return goesOn ? { rule, until, since, policyVersion } : null;
}

/** How many of these go on; `endedOf` tells which calls had ended by then. */
export async function heldAmong(
  holds: readonly (KeptHold | null)[],
  moment: HoldMoment,
  endedOf: (ids: readonly CallId[], at: Instant) => Promise<ReadonlySet<CallId>>,
): Promise<number> {
  const going = holds.filter((hold) => shownHold(hold, moment, () => false) !== null);
  const calls = going.flatMap((hold) => (hold?.until === null ? (hold.heldBy ?? []) : []));
  const ended = await endedOf([...new Set(calls)], moment.at);
  return going.filter((hold) => shownHold(hold, moment, (call) => ended.has(call)) !== null).length;
}

/** By what the admission judges; no event of a campaign tells it. */
type PoliciesTable = { readonly owner_id: OwnerId; readonly version: number };

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "work.policies": PoliciesTable;
  }
}

export async function holdMoment(db: ReadDatabase, owner: OwnerId, now: Instant): Promise<HoldMoment> {
  const stored = await db
    .selectFrom("work.policies")
    .select("version")
    .where("owner_id", "=", owner)
    .executeTakeFirst();
  return { at: now, policyVersion: stored?.version ?? 0 };
}

/** The rule of `shownHold` over the column of a hold; null there: none. */
export function goesOnInSql(hold: RawBuilder<unknown>, version: RawBuilder<number>, at: Instant) {
  return sql<boolean>`coalesce((${hold} ->> 'policyVersion')::integer = ${version}
    and case when ${hold} ->> 'until' is null
      then ${hold} ->> 'heldBy' is not null and not exists (
        select from read.calls_v3 as holder
        where holder.id = ${hold} ->> 'heldBy' and holder.progress ->> 'endedAt' is not null)
      else ${hold} ->> 'until' > ${at} end, false)`;
}

/** How many contacts of this campaign and owner are held at that moment: one row, `held`. */
export function heldNow(campaign: RawBuilder<string>, owner: RawBuilder<string>, at: Instant) {
  const version = sql<number>`coalesce((select version from work.policies where owner_id = ${owner}), 0)`;
  return sql<{ readonly held: number }>`
    select count(*)::integer as held from read.contacts_v5 as contact
    where contact.hold is not null and contact.hold ->> 'campaignId' = ${campaign}
      and ${goesOnInSql(sql`contact.hold`, version, at)}`;
}

/** Which of these calls had ended by then; null: their rows are being built. */
export async function endedCalls(
  db: ReadDatabase,
  ids: readonly CallId[],
  at: Instant,
): Promise<ReadonlySet<CallId> | null> {
  if (ids.length === 0) return new Set();
  try {
    const { rows } = await sql<{ readonly id: CallId }>`select id from read.calls_v3
      where id = any(${ids}::text[]) and progress ->> 'endedAt' <= ${at}`.execute(db);
    return new Set(rows.map(({ id }) => id));
  } catch (error) {
    if (isOfMissingTables(error)) return null;
    throw error;
  }
}
