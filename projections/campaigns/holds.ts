import { type RawBuilder, sql } from "kysely";
import { groupRunner } from "../../application/group-runner.ts";
import type { Position } from "../../application/ports/event-store.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { ContactHeld } from "../../domain/campaign/events.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { inPlaces, type Wanted } from "../engine/grouped-reads.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import type { ReadDatabase } from "../engine/projection.ts";
import { positionOf } from "../engine/read-snapshot.ts";

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

/** The rows of contacts know their campaign, not it them. */
const CONTACTS = { name: "contacts", version: 5 };

type HeldAt = { readonly position: Position; readonly held: number };
type Asked = Wanted<CampaignId> & { readonly now: Instant };

/**
 * How many contacts of a campaign are held now, with the checkpoint of their rows. Those who ask at the same
 * time share a statement. null: the rows are being built.
 */
export function heldContacts(db: ReadDatabase): (asked: Asked) => Promise<HeldAt | null> {
  return groupRunner({ run: (asked) => countsOf(db, asked), largest: 16, failsForAll: () => true });
}

async function countsOf(db: ReadDatabase, asked: readonly Asked[]): Promise<(HeldAt | null)[]> {
  const [ids, owners] = [asked.map(({ id }) => id), asked.map(({ owner }) => owner)];
  const now = asked.map((each) => each.now).reduce((latest, each) => (each > latest ? each : latest));
  const goesOn = goesOnInSql(sql`c.hold`, sql<number>`coalesce(p.version, 0)`, now);
  const counts = sql<HeldAt & { readonly place: number }>`
    select /* prepared */ w.place::integer, ${positionOf(CONTACTS)} as position, counted.held
    from unnest(${ids}::text[], ${owners}::text[]) with ordinality as w (id, owner, place)
    left join work.policies as p on p.owner_id = w.owner
    cross join lateral (
      select count(*)::integer as held from read.contacts_v5 as c
      where c.hold is not null and c.hold ->> 'campaignId' = w.id and ${goesOn}) as counted`;
  try {
    return inPlaces(asked, (await counts.execute(db)).rows);
  } catch (error) {
    if (isOfMissingTables(error)) return asked.map(() => null);
    throw error;
  }
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
