import type { ContactRecord, Page, PageRequest } from "../application/ports/queries.ts";
import type { ContactStatus } from "../domain/campaign/events.ts";
import type { CampaignId, ContactId, ImportId, OwnerId } from "../domain/shared/ids.ts";
import { progressOfCalls } from "./call-queries.ts";
import { isCampaignOf } from "./campaigns.ts";
import { contactRecord, liveCallsOf, withLiveCalls } from "./contact-row.ts";
import type { ContactsTable } from "./contacts.ts";
import { pageOf } from "./keyset-page.ts";
import type { ReadDatabase } from "./projection.ts";

type Sealed = { readonly importId: ImportId; readonly base: number; readonly total: number };
type Placed = { readonly place: number; readonly contact: ContactRecord };
type Shown = Pick<ContactsTable, "id" | "index" | "status" | "attempts" | "next_attempt_at" | "facts">;

/** In the order of import; `after` is a contact's place in it, from 0. null: no such campaign. */
export async function listContacts(
  db: ReadDatabase,
  owner: OwnerId,
  id: CampaignId,
  { status }: { readonly status?: ContactStatus },
  { limit, after }: PageRequest<number>,
): Promise<Page<ContactRecord, number> | null> {
  if (!(await isCampaignOf(db, owner, id))) return null;
  const placed: Placed[] = [];
  for (const sealed of await sealedImports(db, id)) {
    const missing = limit + 1 - placed.length;
    if (missing <= 0) break;
    if (after !== null && sealed.base + sealed.total <= after + 1) continue;
    placed.push(...(await contactsOfImport(db, sealed, after, missing, status)));
  }
  const { rows, next } = pageOf(placed, limit, ({ place }) => place);
  const contacts = rows.map(({ contact }) => contact);
  return { rows: await withCallsOfNow(db, contacts), next };
}

export async function findContact(
  db: ReadDatabase,
  owner: OwnerId,
  id: CampaignId,
  contactId: ContactId,
): Promise<ContactRecord | "campaign_unknown" | "contact_unknown"> {
  if (!(await isCampaignOf(db, owner, id))) return "campaign_unknown";
  const row = await db
    .selectFrom("read.contacts_v1 as contact")
    .innerJoin("read.contact_imports_v1 as import", "import.import_id", "contact.import_id")
    .select(["contact.id", "contact.index", "status", "attempts", "next_attempt_at", "facts"])
    .where("contact.id", "=", contactId)
    .where("contact.campaign_id", "=", id)
    .where("import.base", "is not", null)
    .executeTakeFirst();
  if (row === undefined) return "contact_unknown";
  const [contact] = await withCallsOfNow(db, [recordOf(row)]);
  return contact ?? "contact_unknown";
}

async function sealedImports(db: ReadDatabase, id: CampaignId): Promise<Sealed[]> {
  const rows = await db
    .selectFrom("read.contact_imports_v1")
    .select(["import_id", "base", "total"])
    .where("campaign_id", "=", id)
    .orderBy("base")
    .execute();
  return rows.flatMap(({ import_id: importId, base, total }) =>
    base === null ? [] : [{ importId, base, total }],
  );
}

/** One import at a time: its index is in the order of the page, so nothing is sorted. */
async function contactsOfImport(
  db: ReadDatabase,
  { importId, base }: Sealed,
  after: number | null,
  limit: number,
  status: ContactStatus | undefined,
): Promise<Placed[]> {
  let query = db
    .selectFrom("read.contacts_v1")
    .select(["id", "index", "status", "attempts", "next_attempt_at", "facts"])
    .where("import_id", "=", importId);
  if (after !== null) query = query.where("index", ">", after - base);
  if (status !== undefined) query = query.where("status", "=", status);
  const rows = await query.orderBy("index").limit(limit).execute();
  return rows.map((row) => ({ place: base + row.index, contact: recordOf(row) }));
}

function recordOf({ id, facts, status, attempts, next_attempt_at: nextAttemptAt }: Shown): ContactRecord {
  return contactRecord(id, facts, { status, attempts, nextAttemptAt });
}

async function withCallsOfNow(
  db: ReadDatabase,
  contacts: readonly ContactRecord[],
): Promise<ContactRecord[]> {
  const calls = await progressOfCalls(db, liveCallsOf(contacts));
  return contacts.map((contact) => withLiveCalls(contact, calls));
}
