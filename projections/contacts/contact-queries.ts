import { sql } from "kysely";
import type { Clock } from "../../application/ports/clock.ts";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { ContactFilter, Queries } from "../../application/ports/queries.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { ContactStatus, ImportedContact } from "../../domain/campaign/events.ts";
import type { CampaignId, ContactId, ImportId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { progressOfCalls, termsOf } from "../calls/call-queries.ts";
import { callsProjection } from "../calls/calls.ts";
import { outcomeNamesOf, outcomesOfCalls } from "../calls/outcome-queries.ts";
import { ownedTerm, termOfCampaign } from "../calls/outcome-rows.ts";
import { campaignsProjection, isCampaignOf } from "../campaigns/campaigns.ts";
import { goesOnInSql, type HoldMoment, holdMoment } from "../campaigns/holds.ts";
import { pageOf } from "../engine/keyset-page.ts";
import type { ReadDatabase } from "../engine/projection.ts";
import { type Snapshot, served } from "../engine/read-snapshot.ts";
import { matchesText } from "./contact-filter.ts";
import { GROUP, readGroup } from "./contact-groups.ts";
import {
  contactRecord,
  factsOf,
  liveCallsOf,
  type UnjudgedContact,
  withLiveCalls,
  withOutcomes,
} from "./contact-row.ts";
import { type ContactsTable, contactsProjection } from "./contacts.ts";

type Sealed = {
  readonly importId: ImportId;
  readonly base: number;
  readonly total: number;
  /** Status of contacts without any event. */
  readonly uncalled: ContactStatus;
};
type Placed = { readonly place: number; readonly contact: UnjudgedContact };
/** `brought`: those who brought home what was asked for; undefined: nothing was. */
type WithBrought = ContactFilter & { readonly brought: readonly ContactId[] | undefined };
type Shown = Pick<ContactsTable, "status" | "attempts" | "next_attempt_at" | "hold" | "skip_reason">;

/** In the order of import; `after` is a contact's index in it, from 0. null: no such campaign. */
export async function listContacts(
  db: ReadDatabase,
  owner: OwnerId,
  id: CampaignId,
  filter: ContactFilter,
  { limit, after }: PageRequest<number>,
  now: Instant,
): Promise<Page<ContactRecord, number> | null> {
  if (!(await isCampaignOf(db, owner, id))) return null;
  const moment = await holdMoment(db, owner, now);
  const brought = await contactsThatBrought(db, owner, id, filter);
  const placed: Placed[] = [];
  for (const sealed of await sealedImports(db, id)) {
    const missing = limit + 1 - placed.length;
    if (missing <= 0) break;
    if (after !== null && sealed.base + sealed.total <= after + 1) continue;
    const wanted = { ...filter, brought };
    placed.push(...(await contactsOfImport(db, sealed, after, missing, wanted, moment)));
  }
  const { rows, next } = pageOf(placed, limit, ({ place }) => place);
  const contacts = rows.map(({ contact }) => contact);
  return { rows: await withCallsOfNow(db, contacts, moment), next };
}

async function findContact(
  db: ReadDatabase,
  owner: OwnerId,
  id: CampaignId,
  contactId: ContactId,
  now: Instant,
): Promise<ContactRecord | "campaign_unknown" | "contact_unknown"> {
  if (!(await isCampaignOf(db, owner, id))) return "campaign_unknown";
  const moment = await holdMoment(db, owner, now);
  for (const sealed of await sealedImports(db, id)) {
    const { rows } = await sql<{ index: number }>`
      select first_index + array_position(ids, ${contactId}::text) - 1 as index
      from read.contact_groups_v5 where import_id = ${sealed.importId} and ${contactId} = any (ids)`.execute(
      db,
    );
    const [row] = rows;
    if (row === undefined) continue;
    const place = sealed.base + row.index;
    const found = await contactsOfImport(db, sealed, place - 1, 1, { brought: undefined }, moment);
    const contacts = found.map((placed) => placed.contact);
    const [contact] = await withCallsOfNow(db, contacts, moment);
    return contact ?? "contact_unknown";
  }
  return "contact_unknown";
}

async function sealedImports(db: ReadDatabase, id: CampaignId): Promise<Sealed[]> {
  const rows = await db
    .selectFrom("read.contact_imports_v5")
    .select(["import_id", "base", "total", "cancelled"])
    .where("campaign_id", "=", id)
    .orderBy("base")
    .execute();
  return rows.flatMap(({ import_id: importId, base, total, cancelled }) =>
    base === null ? [] : [{ importId, base, total, uncalled: cancelled ? "skipped" : "pending" }],
  );
}

/**
 * Those whose last answered call has all of these values, by the index of sets: at the cost of the rarest
 * value, not of the campaign. undefined: nothing is asked for. An attempt that the campaign has not recorded
 * yet may have ended for its call.
 */
async function contactsThatBrought(
  db: ReadDatabase,
  owner: OwnerId,
  id: CampaignId,
  filter: ContactFilter,
): Promise<readonly ContactId[] | undefined> {
  const asked = termsOf(filter);
  if (asked.length === 0) return undefined;
  const terms = [termOfCampaign(id), ...asked].map((term) => ownedTerm(owner, term));
  const { rows } = await sql<{ readonly id: ContactId }>`
    select contact.id from read.outcome_sets_v3 as brought
      join read.calls_v3 as call on call.id = brought.call_id
      join read.contacts_v5 as contact on contact.id = call.request ->> 'contactId'
    where terms @> ${terms}::text[] and brought.call_id = (
      select attempt ->> 'callId' from json_array_elements(contact.attempts) with ordinality as each (attempt, number)
        left join read.calls_v3 as live on attempt ->> 'endedAt' is null and live.id = attempt ->> 'callId'
      where coalesce(attempt ->> 'durationSeconds', live.progress ->> 'durationSeconds') is not null
      order by number desc limit 1)`.execute(db);
  return rows.map((row) => row.id);
}

/** What is asked of a row; `uncalled`: the status of a contact without one, `named`: who has the text. */
function conditionsOf(
  { status, endReason, optedOut, nextAttemptCause, held, brought }: WithBrought,
  uncalled: ContactStatus,
  named: readonly ContactId[] | undefined,
  { at, policyVersion }: HoldMoment,
) {
  return [
    ...(status === undefined ? [] : [sql`coalesce(happened.status, ${uncalled}) = ${status}`]),
    ...(endReason === undefined ? [] : [sql`happened.attempts -> -1 ->> 'endReason' = ${endReason}`]),
    ...(named === undefined ? [] : [sql`contact.id = any (${named}::text[])`]),
    ...(brought === undefined ? [] : [sql`contact.id = any (${brought}::text[])`]),
    ...(optedOut === undefined
      ? []
      : [
          sql`${optedOut} = exists (select from json_array_elements(happened.attempts) as each (attempt)
            where attempt ->> 'optedOut' = 'true')`,
        ]),
    ...(held === undefined
      ? []
      : [sql`${held} = ${goesOnInSql(sql`happened.hold`, sql`${policyVersion}::integer`, at)}`]),
    ...(nextAttemptCause === undefined
      ? []
      : [
          sql`happened.status = 'waiting_retry'
            and ${nextAttemptCause === "callback"} = (happened.attempts -> -1 ->> 'callbackAt' is not null)`,
        ]),
  ];
}

/**
 * One import at a time, because its groups are in the order of the page. A contact's row is looked up by its
 * key, however many rows there are.
 */
async function contactsOfImport(
  db: ReadDatabase,
  { importId, base, uncalled }: Sealed,
  after: number | null,
  limit: number,
  filter: WithBrought,
  moment: HoldMoment,
): Promise<Placed[]> {
  const last = Math.max(-1, (after ?? -1) - base);
  const named = filter.text === undefined ? undefined : await contactsNamed(db, importId, filter.text);
  const wanted = conditionsOf(filter, uncalled, named, moment);
  const conditions =
    wanted.length === 0 ? sql`first_index <= ${last + limit}::integer` : sql.join(wanted, sql` and `);
  const { rows } = await sql<Place>`
    select first_index as first, contact.number - 1 as number, happened.*
    from read.contact_groups_v5
    cross join unnest(ids) with ordinality as contact (id, number)
    left join lateral (
      select status, attempts, next_attempt_at, hold, skip_reason from read.contacts_v5
      where id = contact.id offset 0
    ) happened on true
    where import_id = ${importId} and first_index > ${last - GROUP}::integer
      and first_index + contact.number - 1 > ${last}::integer and ${conditions}
    order by first_index, contact.number limit ${limit}`.execute(db);
  const imported = await importedContacts(db, importId, [...new Set(rows.map(({ first }) => first))]);
  return rows.flatMap(({ first, number, ...happened }) => {
    const group = imported.get(first);
    const contact = group?.contacts[Number(number)];
    if (group === undefined || contact === undefined) return [];
    const record = contactRecord(contact.contactId, factsOf(contact, group.at), {
      status: happened.status ?? uncalled,
      attempts: happened.attempts ?? [],
      nextAttemptAt: happened.next_attempt_at,
      hold: happened.hold,
      skipReason: happened.skip_reason,
    });
    return [{ place: base + first + Number(number), contact: record }];
  });
}

/** The imported fields of contacts are a text that only this code parses. */
async function contactsNamed(db: ReadDatabase, importId: ImportId, text: string): Promise<ContactId[]> {
  const matches = matchesText(text);
  const rows = await db
    .selectFrom("read.contact_groups_v5")
    .select("contacts")
    .where("import_id", "=", importId)
    .execute();
  return rows.flatMap(({ contacts }) =>
    readGroup(contacts)
      .filter(matches)
      .map(({ contactId }) => contactId),
  );
}

type Place = { readonly [Column in keyof Shown]: Shown[Column] | null } & {
  readonly first: number;
  /** Index in the group, from 0; PostgreSQL's text of a bigint. */
  readonly number: string;
};

type Group = { readonly contacts: readonly ImportedContact[]; readonly at: Instant };

async function importedContacts(
  db: ReadDatabase,
  importId: ImportId,
  firsts: readonly number[],
): Promise<ReadonlyMap<number, Group>> {
  if (firsts.length === 0) return new Map();
  const rows = await db
    .selectFrom("read.contact_groups_v5")
    .select(["first_index", "contacts", "created_at"])
    .where("import_id", "=", importId)
    .where("first_index", "in", firsts)
    .execute();
  return new Map(
    rows.map((row) => [row.first_index, { contacts: readGroup(row.contacts), at: row.created_at }]),
  );
}

async function withCallsOfNow(
  db: ReadDatabase,
  contacts: readonly UnjudgedContact[],
  moment: HoldMoment,
): Promise<ContactRecord[]> {
  const calls = await progressOfCalls(db, liveCallsOf(contacts));
  const shown = contacts.map((contact) => withLiveCalls(contact, calls, moment));
  return withOutcomes(shown, (ids) => outcomesOfCalls(db, ids));
}

/** The owner of a campaign, its contacts, and the state of their live calls. */
const CONTACTS = [campaignsProjection, contactsProjection, callsProjection];

export function contactQueries(snapshot: Snapshot, clock: Pick<Clock, "now">) {
  return {
    contacts: served((owner, id, filter, page, heard) =>
      snapshot(CONTACTS, heard, (rows) => listContacts(rows, owner, id, filter, page, clock.now())),
    ),
    outcomeNames: served((owner, id) =>
      snapshot(CONTACTS, undefined, async (rows) =>
        (await isCampaignOf(rows, owner, id)) ? outcomeNamesOf(rows, id) : [],
      ),
    ),
    contact: served((owner, id, contactId, heard) =>
      snapshot(CONTACTS, heard, (rows) => findContact(rows, owner, id, contactId, clock.now())),
    ),
  } satisfies Partial<Queries>;
}
