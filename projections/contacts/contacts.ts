import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { ContactStatus, ContactsImported } from "../../domain/campaign/events.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CampaignId, ContactId, ImportId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Poison, Projection, ReadTransaction, TableOf } from "../engine/projection.ts";
import { createRowWriter, type RowChange, type RowWriter } from "../engine/row-writer.ts";
import { createGroupsTable, insertGroups } from "./contact-groups.ts";
import { type ContactProgress, isContactEvent, projectContact } from "./contact-row.ts";

/**
 * Events of a contact since its import: its row is made by the first event, and until then it waits for its
 * first call. The groups of its import have its owner and place.
 */
export type ContactsTable = {
  readonly id: ContactId;
  readonly revision: number;
  readonly status: ContactStatus;
  readonly attempts: ContactProgress["attempts"];
  readonly next_attempt_at: Instant | null;
  readonly hold: ContactProgress["hold"];
  readonly skip_reason: ContactProgress["skipReason"];
};

/**
 * A contact's place in its campaign is the `base` of its import plus its index, so that a seal
 * changes one row and not 10,000. `base` null: not sealed, contacts invisible. `cancelled`: contacts
 * without a row are skipped.
 */
export type ContactImportsTable = {
  readonly import_id: ImportId;
  readonly campaign_id: CampaignId;
  readonly base: number | null;
  readonly total: number;
  readonly cancelled: boolean;
};

declare module "../engine/read-schema.ts" {
  interface ReadSchema {
    readonly "read.contacts_v5": ContactsTable;
    readonly "read.contact_imports_v5": ContactImportsTable;
  }
}

export const contactsProjection: Projection = {
  name: "contacts",
  version: 5,
  types: new Set([
    "ContactsImported",
    "CampaignCreated",
    "ContactsAdded",
    "ImportAbandoned",
    "ContactDialed",
    "ContactSucceeded",
    "ContactCallbackScheduled",
    "ContactAttemptFailed",
    "ContactSkipped",
    "ContactHeld",
    "CampaignCancelled",
    "CampaignDeleted",
  ]),
  tables: ["contacts", "contact_imports", "contact_groups"],
  createTables,
  createIndexes,
  openWriter(tableOf) {
    const rows = createRowWriter<ContactProgress>({
      keyOf: ({ event }) => (isContactEvent(event) ? event.data.contactId : null),
      project: projectContact,
      load: (trx, keys) => loadContacts(trx, tableOf, keys),
      save: (trx, changes) => saveContacts(trx, tableOf, changes),
      remembered: 20_000,
      isOver: ({ status }) => OVER.has(status),
    });
    return { write: (trx, events) => writeInOrder(trx, tableOf, rows, events), forget: rows.forget };
  },
};

/** No retry, and no call in progress. */
const OVER: ReadonlySet<ContactStatus> = new Set(["succeeded", "failed", "skipped"]);

async function createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("contacts")} (
    id text collate "C" primary key,
    revision integer not null,
    status text not null,
    attempts json not null,
    next_attempt_at text,
    hold json,
    skip_reason text
  ) with (fillfactor = 70)`.execute(trx);
  await sql`create table ${tableOf("contact_imports")} (
    import_id text collate "C" primary key,
    campaign_id text not null,
    base integer,
    total integer not null,
    cancelled boolean not null
  )`.execute(trx);
  await sql`create index on ${tableOf("contact_imports")} (campaign_id)`.execute(trx);
  await createGroupsTable(trx, tableOf);
}

/** Held contacts of a campaign; the others are in no index, so that dialling changes none. */
async function createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create index on ${tableOf("contacts")} ((hold ->> 'campaignId')) where hold is not null`.execute(
    trx,
  );
}

/**
 * Changes of single contacts are collected until the end, or until an event concerns all
 * contacts of a campaign.
 */
async function writeInOrder(
  trx: ReadTransaction,
  tableOf: TableOf,
  rows: RowWriter,
  events: readonly RecordedEvent[],
): Promise<readonly Poison[]> {
  const poisons: Poison[] = [];
  let waiting: RecordedEvent[] = [];
  for (const recorded of events) {
    const { event, revision } = recorded;
    if (isContactEvent(event)) waiting.push(recorded);
    else if (event.type === "CampaignCancelled") {
      await flush();
      await cancelContacts(trx, tableOf, event.data.campaignId, revision);
      rows.forget();
    } else if (event.type === "CampaignDeleted") {
      await flush();
      await deleteContacts(trx, tableOf, event.data.campaignId);
      rows.forget();
    } else await importStep(trx, tableOf, event);
  }
  await flush();
  return poisons;

  async function flush(): Promise<void> {
    if (waiting.length > 0) poisons.push(...(await rows.write(trx, waiting)));
    waiting = [];
  }
}

async function importStep(trx: ReadTransaction, tableOf: TableOf, event: DomainEvent): Promise<void> {
  switch (event.type) {
    case "ContactsImported":
      return importChunk(trx, tableOf, event.data);
    case "CampaignCreated":
      return seal(trx, tableOf, event.data.importId, event.data.totalContacts);
    case "ContactsAdded":
      return seal(trx, tableOf, event.data.importId, event.data.added);
    case "ImportAbandoned":
      return abandon(trx, tableOf, event.data.importId);
    default:
      return;
  }
}

async function importChunk(
  trx: ReadTransaction,
  tableOf: TableOf,
  chunk: ContactsImported["data"],
): Promise<void> {
  if (chunk.firstIndex === 0)
    await sql`insert into ${tableOf("contact_imports")} (import_id, campaign_id, base, total, cancelled)
      values (${chunk.importId}, ${chunk.campaignId}, null, 0, false) on conflict do nothing`.execute(trx);
  await insertGroups(trx, tableOf, chunk);
}

/** Sealed imports are placed in the order of their seals. */
async function seal(
  trx: ReadTransaction,
  tableOf: TableOf,
  importId: ImportId,
  total: number,
): Promise<void> {
  const imports = tableOf("contact_imports");
  await sql`update ${imports} as sealed set total = ${total}::integer, base = (
      select coalesce(sum(earlier.total), 0) from ${imports} as earlier
      where earlier.campaign_id = sealed.campaign_id and earlier.base is not null)
    where sealed.import_id = ${importId} and sealed.base is null`.execute(trx);
}

async function abandon(trx: ReadTransaction, tableOf: TableOf, importId: ImportId): Promise<void> {
  await sql`delete from ${tableOf("contact_groups")} where import_id = ${importId}`.execute(trx);
  await sql`delete from ${tableOf("contact_imports")} where import_id = ${importId}`.execute(trx);
}

/** The rule of contactAfterCancel for all contacts of a campaign. */
async function cancelContacts(
  trx: ReadTransaction,
  tableOf: TableOf,
  campaignId: CampaignId,
  revision: number,
): Promise<void> {
  const imports = tableOf("contact_imports");
  await sql`update ${imports} set cancelled = true where campaign_id = ${campaignId} and base is not null`.execute(
    trx,
  );
  await sql`update ${tableOf("contacts")}
    set status = case status when 'pending' then 'skipped' else 'failed' end,
      next_attempt_at = null, hold = null, revision = ${revision}::integer
    where status in ('pending', 'waiting_retry') and revision < ${revision}::integer
      and id = any (array(select unnest(ids) from ${tableOf("contact_groups")} natural join ${imports}
        where campaign_id = ${campaignId} and base is not null))`.execute(trx);
}

export async function deleteContacts(
  trx: ReadTransaction,
  tableOf: TableOf,
  campaignId: CampaignId,
): Promise<void> {
  const [imports, groups] = [tableOf("contact_imports"), tableOf("contact_groups")];
  const ofCampaign = sql`select import_id from ${imports} where campaign_id = ${campaignId}`;
  await sql`delete from ${tableOf("contacts")}
    where id = any (array(select unnest(ids) from ${groups} where import_id in (${ofCampaign})))`.execute(
    trx,
  );
  await sql`delete from ${groups} where import_id in (${ofCampaign})`.execute(trx);
  await sql`delete from ${imports} where campaign_id = ${campaignId}`.execute(trx);
}

async function loadContacts(
  trx: ReadTransaction,
  tableOf: TableOf,
  ids: readonly string[],
): Promise<Map<string, ContactProgress>> {
  const { rows } = await sql<ContactsTable>`
    select id, revision, status, attempts, next_attempt_at, hold, skip_reason from ${tableOf("contacts")}
    where id = any(${ids}::text[])`.execute(trx);
  return new Map(
    rows.map(({ id, next_attempt_at: nextAttemptAt, skip_reason: skipReason, ...row }) => [
      id,
      { ...row, nextAttemptAt, skipReason },
    ]),
  );
}

async function saveContacts(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly RowChange<ContactProgress>[],
): Promise<void> {
  const rows = changes.flatMap(({ key, after }) =>
    after === undefined
      ? []
      : [
          {
            ...{ id: key, r: after.revision, s: after.status, a: after.attempts, n: after.nextAttemptAt },
            ...{ h: after.hold, w: after.skipReason },
          },
        ],
  );
  if (rows.length === 0) return;
  await sql`insert into ${tableOf("contacts")} as old
      (id, revision, status, attempts, next_attempt_at, hold, skip_reason)
    select id, r, s, a, n, h, w
    from json_to_recordset(${JSON.stringify(rows)}) as new
      (id text, r integer, s text, a json, n text, h json, w text)
    on conflict (id) do update set revision = excluded.revision, status = excluded.status,
      attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
      hold = excluded.hold, skip_reason = excluded.skip_reason
    where old.revision < excluded.revision`.execute(trx);
}
