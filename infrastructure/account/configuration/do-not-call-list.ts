import { CompiledQuery, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Ids } from "../../../application/ports/ids.ts";
import { type Listing, numberSuppressed } from "../../../application/suppression/listing.ts";
import type { SuppressionChange } from "../../../contract/suppression.ts";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { enqueueWithin } from "../../webhook/outbox/postgres-outbox.ts";
import type { OwnerChanges } from "../owner-changes.ts";
import type { ConfigurationTables, SuppressionsTable } from "./tables.ts";

export type DoNotCallDeps = {
  readonly db: Kysely<ConfigurationTables>;
  readonly changes: OwnerChanges;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Webhooks were queued for these owners: wakes the delivery loop of this process. */
  readonly onQueued: (owners: readonly OwnerId[]) => void;
};

type Changing = Transaction<ConfigurationTables>;
export type EntryRow = Selectable<SuppressionsTable>;

/** What happens to entries in a transaction, and what is told of it after the commit. */
export type ListChange = {
  readonly trx: Changing;
  readonly now: Date;
  /** Writes the history and, of new and taken over entries, the webhook. */
  readonly note: (owner: OwnerId, noted: readonly Noted[]) => Promise<void>;
};

/** One line of the history of a number. */
export type Noted = Omit<SuppressionChange, "at"> & {
  readonly phoneNumber: PhoneNumber;
  readonly campaignId?: CampaignId | null;
  /** Of the entry, where it differs from that of the change. */
  readonly kept?: string | null;
};

/**
 * Changes the lists of owners in one transaction: entries, history and webhooks are there together, or not at
 * all. After the commit those who dial and those who deliver hear of it.
 */
export async function changeLists<Answer>(
  deps: DoNotCallDeps,
  change: (changing: ListChange) => Promise<Answer>,
): Promise<Answer> {
  const changed = new Set<OwnerId>();
  const queued = new Set<OwnerId>();
  const now = new Date(deps.clock.nowMillis());
  const answer = await deps.db.transaction().execute((trx) =>
    change({
      trx,
      now,
      note: async (owner, noted) => {
        if (noted.length === 0) return;
        changed.add(owner);
        const times = await writeHistory(trx, owner, noted, now);
        const listed = noted.filter(({ action }) => action !== "removed");
        for (const each of await announce(deps, trx, owner, listed, times, now)) queued.add(each);
      },
    }),
  );
  for (const owner of changed) deps.changes.changed(owner);
  if (queued.size > 0) deps.onQueued([...queued]);
  return answer;
}

/** The entry, which nobody else changes until the transaction ends; undefined: the number is not listed. */
export function lockedEntry(
  trx: Changing,
  owner: OwnerId,
  phoneNumber: PhoneNumber,
): Promise<EntryRow | undefined> {
  return trx
    .selectFrom("config.suppressions")
    .selectAll()
    .where("owner_id", "=", owner)
    .where("phone_number", "=", phoneNumber)
    .forUpdate()
    .executeTakeFirst();
}

/** Before the first change of an entry from before there was a history: the line that it would have. */
export async function rememberEntry(trx: Changing, entry: EntryRow): Promise<void> {
  await sql`
    insert into config.suppression_history (owner_id, phone_number, action, reason, source, by_key, call_id, at)
    select owner_id, phone_number, 'listed', reason, source, created_by, call_id, created_at from config.suppressions
    where owner_id = ${entry.owner_id} and phone_number = ${entry.phone_number} and not exists (
      select 1 from config.suppression_history
      where owner_id = ${entry.owner_id} and phone_number = ${entry.phone_number}
    )`.execute(trx);
}

/** Returns how often each number was listed or taken over until now. */
async function writeHistory(
  trx: Changing,
  owner: OwnerId,
  noted: readonly Noted[],
  at: Date,
): Promise<ReadonlyMap<PhoneNumber, number>> {
  const { rows } = await sql<{ readonly phone_number: PhoneNumber; readonly times: number }>`
    with noted as (
      insert into config.suppression_history (owner_id, phone_number, action, reason, source, by_key, call_id, at)
      select ${owner}, "phoneNumber", action, reason, source, by, "callId", ${at}
      from json_to_recordset(${JSON.stringify(noted)}::json)
        as noted("phoneNumber" text, action text, reason text, source text, by text, "callId" text)
      returning phone_number
    )
    select noted.phone_number, 1 + (
      select count(*)::integer from config.suppression_history before
      where before.owner_id = ${owner} and before.phone_number = noted.phone_number and before.action <> 'removed'
    ) as times from noted`.execute(trx);
  return new Map(rows.map(({ phone_number, times }) => [phone_number, times]));
}

/**
 * Nothing is made for an owner whose endpoint does not take the kind. Returns whose deliveries are queued.
 */
async function announce(
  { ids, clock }: DoNotCallDeps,
  trx: Changing,
  owner: OwnerId,
  listed: readonly Noted[],
  times: ReadonlyMap<PhoneNumber, number>,
  now: Date,
): Promise<readonly OwnerId[]> {
  if (listed.length === 0) return [];
  const takes = await sql`
    select 1 from config.webhook_endpoints
    where owner_id = ${owner} and 'number.suppressed' = any(events)`.execute(trx);
  if (takes.rows.length === 0) return [];
  const at = instantFromMillis(now.getTime());
  const entries = listed.map(({ phoneNumber, reason, kept = reason, source, callId, campaignId = null }) => {
    const listing: Listing = {
      ...{ owner, phoneNumber, source, callId, campaignId, at },
      reason: kept,
      times: times.get(phoneNumber) ?? 1,
    };
    return numberSuppressed(ids, listing);
  });
  return enqueueWithin(
    ({ text, values }) => trx.executeQuery(CompiledQuery.raw(text, [...values])),
    { ids, clock },
    entries,
  );
}
