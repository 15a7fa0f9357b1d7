import { sql } from "kysely";
import { listedOutcomeOf, shownOutcome } from "../../application/call/analysis/shown-outcome.ts";
import type { Position } from "../../application/ports/event-store.ts";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { CallFilter, Queries } from "../../application/ports/queries.ts";
import type { CallListRecord, CallRecord } from "../../contract/call.ts";
import type { ShownMessage } from "../../contract/conversation.ts";
import type { OutboundCallRecord } from "../../contract/outbound-call.ts";
import type { CallStatus } from "../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { consentRecord } from "../consent-record.ts";
import { groupedReads, inPlaces, type Wanted } from "../engine/grouped-reads.ts";
import { pageOf } from "../engine/keyset-page.ts";
import { PREPARED, type ReadDatabase } from "../engine/projection.ts";
import {
  type FoundAt,
  positionOf,
  rowsAt,
  type Snapshot,
  served,
  tellingPosition,
} from "../engine/read-snapshot.ts";
import { matchingCalls } from "../search/matching-calls.ts";
import { searchProjection } from "../search/search.ts";
import type { CallProgress, CallRequest } from "./call-row.ts";
import { callsProjection } from "./calls.ts";
import { conversationRecord } from "./conversation-tally.ts";
import { ownedTerm, termOf, termOfCampaign, termOfEnd, termOfSuccess } from "./outcome-rows.ts";
import { usageOf } from "./usage.ts";

type Shown = { readonly request: CallRequest; readonly progress: CallProgress };

type ShownWhole = Shown & { readonly messages: readonly ShownMessage[] };
type FoundRow = { readonly place: number; readonly position: Position } & (
  | ShownWhole
  | { readonly request: null }
);

/** Calls with their messages; `publicUrl` is the public address of this service. */
async function findCalls(
  db: ReadDatabase,
  publicUrl: string,
  wanted: readonly Wanted<CallId>[],
): Promise<(FoundAt<CallRecord> | null)[]> {
  const { rows } = await sql<FoundRow>`
    select /* prepared */ w.place::integer, ${positionOf(callsProjection)} as position, c.request, c.progress, c.messages
    from unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ owner }) => owner)}::text[])
      with ordinality as w (id, owner, place)
    left join lateral (
      select request, progress, array_to_json(array(
        select message from read.call_messages_v3 where call_id = w.id order by index)) as messages
      from read.calls_v3 where id = w.id and owner = w.owner limit 1) as c on true`.execute(db);
  return inPlaces(wanted, rows).map(
    (row) =>
      row && {
        position: row.position,
        found: row.request === null ? null : callRecord(publicUrl, row, row.messages),
      },
  );
}

async function findOutboundCall(
  db: ReadDatabase,
  owner: OwnerId,
  id: CallId,
): Promise<OutboundCallRecord | null> {
  const row = await callRow(db, owner, id);
  return row === null ? null : outboundRecord(row);
}

function listed(publicUrl: string, rows: readonly Shown[], limit: number): Page<CallListRecord, CallId> {
  return pageOf(
    rows.map((row) => listRecord(publicUrl, row)),
    limit,
    ({ id }) => id,
  );
}

/** Of the calls with the text, those that the other filters leave. */
async function foundCalls(
  db: ReadDatabase,
  owner: OwnerId,
  filter: CallFilter & { readonly text: string },
  page: PageRequest<CallId>,
): Promise<readonly Shown[]> {
  const found: Shown[] = [];
  for await (const ids of matchingCalls(db, owner, filter.text, page)) {
    const missing = page.limit + 1 - found.length;
    found.push(...(await filteredCalls(db, owner, filter, page, missing, ids).execute()));
    if (found.length > page.limit) break;
  }
  return found;
}

/**
 * Newest first by id; those of a time by it, whose index leads there: by id, every newer call would be
 * looked at. The calls of a campaign, or to a number, are few.
 */
function filteredCalls(
  db: ReadDatabase,
  owner: OwnerId,
  filter: CallFilter,
  { after }: PageRequest<CallId>,
  most: number,
  among: readonly CallId[] | null = null,
) {
  const { from, until, campaignId, to } = filter;
  const terms = termsOf(filter);
  const isFew = campaignId !== undefined || to !== undefined || among !== null || terms.length > 0;
  const byTime = (from !== undefined || until !== undefined) && !isFew;
  let query = callsBeside(db, owner, filter);
  for (const term of terms)
    query = query.where(sql<boolean>`id in (
    select call_id from read.outcome_terms_v3 where owner = ${owner} and term = ${term})`);
  if (among !== null) query = query.where(sql<boolean>`id = any(${among}::text[])`);
  if (after !== null) query = query.where(byTime ? isBefore(owner, after) : sql<boolean>`id < ${after}`);
  const ordered = byTime ? query.orderBy("created_at", "desc") : query;
  return ordered.orderBy("id", "desc").limit(most);
}

function isBefore(owner: OwnerId, id: CallId) {
  const at = sql`select created_at from read.calls_v3 where owner = ${owner} and id = ${id}`;
  return sql<boolean>`(created_at, id) < ((${at}), ${id})`;
}

/** By every filter but those of outcomes. */
function callsBeside(db: ReadDatabase, owner: OwnerId, filter: CallFilter) {
  let query = db
    .selectFrom("read.calls_v3")
    .modifyFront(PREPARED)
    .select(["request", "progress"])
    .where("owner", "=", owner);
  if (filter.status !== undefined)
    query = isEnd(filter.status)
      ? query.where("ended_as", "=", filter.status)
      : query.where("ended_as", "is", null).where("status", "=", filter.status);
  if (filter.campaignId !== undefined) query = query.where("campaign_id", "=", filter.campaignId);
  if (filter.to !== undefined) query = query.where("to_number", "=", filter.to);
  if (filter.from !== undefined) query = query.where("created_at", ">=", filter.from);
  if (filter.until !== undefined) query = query.where("created_at", "<", filter.until);
  return query;
}

/** So many of the newest calls with one value are looked at before all that have every value are gathered. */
const LOOKED_AT = 1_000;

/**
 * Calls with several values, newest first by id. The newest with one of them are looked at first, with that
 * one which leads furthest back: where many calls have all, a page of them is there. Else the index of sets
 * knows which calls have every value, at the cost of the rarest one.
 */
function callsWithAll(
  db: ReadDatabase,
  owner: OwnerId,
  filter: CallFilter,
  { after }: PageRequest<CallId>,
  most: number,
  { walked, beside }: Terms,
) {
  const all = [...walked, ...beside].map((term) => ownedTerm(owner, term));
  const wanted = (of: string) =>
    callsBeside(db, owner, filter).where(sql<boolean>`id = ${sql.ref(`${of}.call_id`)}`);
  const before = after === null ? sql`true` : sql`call_id < ${after}`;
  return sql<Shown>`(
    with rarest as materialized (
      select term from unnest(${walked}::text[]) as term
        left join lateral (
          select call_id from read.outcome_terms_v3 o where owner = ${owner} and o.term = term.term and ${before}
          order by call_id desc offset ${LOOKED_AT - 1} limit 1
        ) as last on true
      order by last.call_id nulls first limit 1
    ), newest as materialized (
      select call_id from read.outcome_terms_v3
      where owner = ${owner} and term = (select term from rarest) and ${before}
      order by call_id desc limit ${LOOKED_AT}
    ), near as materialized (
      select n.call_id, c.* from newest n
        join read.outcome_sets_v3 s on s.call_id = n.call_id and s.terms @> ${all}::text[]
        cross join lateral (${wanted("n")}) as c
      order by n.call_id desc limit ${most}
    ), having_all as materialized (
      select call_id from read.outcome_sets_v3
      where terms @> ${all}::text[]
        and (select count(*) from near) < ${most} and (select count(*) from newest) = ${LOOKED_AT}
    ), far as materialized (
      select call_id from having_all where call_id < (select min(call_id) from newest) order by call_id desc
    )
    select request, progress from (
      select * from near
      union all
      (select f.call_id, c.* from far as f
        cross join lateral (${wanted("f")}) as c
      order by f.call_id desc limit ${most})
    ) as found order by call_id desc limit ${most})`;
}

/** Values of outcomes, and what else stands in the sets. */
type Terms = { readonly walked: readonly string[]; readonly beside: readonly string[] };

/** What has to be looked for in sets of values: null, one value alone, or few calls to look through. */
function termsToIntersect(filter: CallFilter): Terms | null {
  const { campaignId, status, to } = filter;
  const walked = termsOf(filter);
  if (walked.length === 0 || to !== undefined) return null;
  const beside = [
    ...(campaignId === undefined ? [] : [termOfCampaign(campaignId)]),
    ...(status === undefined || !isEnd(status) ? [] : [termOfEnd(status)]),
  ];
  return walked.length + beside.length === 1 ? null : { walked, beside };
}

/** Of what must have been brought home. */
export function termsOf({
  success,
  outcome = [],
}: Pick<CallFilter, "success" | "outcome">): readonly string[] {
  const ofFields = outcome.map(({ name, value }) => termOf(name, value));
  return success === undefined ? ofFields : [termOfSuccess(success), ...ofFields];
}

function isEnd(status: CallStatus): boolean {
  return status === "completed" || status === "failed";
}

/** Newest first by id; served by an index that holds live calls only. */
function activeCalls(db: ReadDatabase, owner: OwnerId, { limit, after }: PageRequest<CallId>) {
  let query = db
    .selectFrom("read.calls_v3")
    .select(["request", "progress"])
    .where("owner", "=", owner)
    .where("ended_as", "is", null);
  if (after !== null) query = query.where("id", "<", after);
  return query.orderBy("id", "desc").limit(limit + 1);
}

/** The state of the given calls, of any owner. */
export async function progressOfCalls(
  db: ReadDatabase,
  ids: readonly CallId[],
): Promise<ReadonlyMap<CallId, CallProgress>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("read.calls_v3")
    .select(["id", "progress"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, progress }) => [id, progress]));
}

export function callRecord(publicUrl: string, shown: Shown, messages: readonly ShownMessage[]): CallRecord {
  const { updatedAt, ...record } = listRecord(publicUrl, shown);
  const { statusHistory } = shown.progress;
  const shownMessages = record.erased ? [] : messages;
  const consent = consentRecord(shown.request.consent);
  return { ...record, outcome: outcomeOf(shown), consent, messages: shownMessages, statusHistory, updatedAt };
}

function outcomeOf({ progress }: Shown): CallRecord["outcome"] {
  return shownOutcome(progress.outcome, progress.erased === true);
}

async function callRow(db: ReadDatabase, owner: OwnerId, id: CallId): Promise<Shown | null> {
  const row = await db
    .selectFrom("read.calls_v3")
    .select(["request", "progress"])
    .where("id", "=", id)
    .where("owner", "=", owner)
    .executeTakeFirst();
  return row ?? null;
}

function listRecord(publicUrl: string, shown: Shown): CallListRecord {
  const { request, progress } = shown;
  const { id, campaignId, contactId, squadId, attempt } = request;
  return {
    id,
    callId: id,
    type: "outbound",
    status: progress.status,
    endReason: progress.endReason,
    endedBy: progress.endedBy,
    from: request.from,
    to: request.to,
    phoneNumberId: request.phoneNumberId,
    assistantId: request.assistantId,
    assistantVersion: request.assistantVersion,
    squadId,
    campaignId,
    contactId,
    attempt,
    greetingMessage: request.greetingMessage,
    specialInstructions: request.specialInstructions,
    metadata: request.metadata,
    answeredBy: progress.answeredBy,
    createdAt: request.createdAt,
    ringingAt: progress.ringingAt,
    connectedAt: progress.connectedAt,
    startedAt: progress.connectedAt,
    endedAt: progress.endedAt,
    durationSeconds: progress.durationSeconds,
    cost: progress.cost,
    recordingUrl:
      progress.recordingStatus === "available" ? `${publicUrl}/api/v1/calls/${id}/recording` : null,
    recordingStatus: progress.recordingStatus,
    error: progress.error,
    optedOut: progress.optedOut ?? null,
    callback: progress.callback ?? null,
    conversation: progress.conversation === null ? null : conversationRecord(progress.conversation),
    outcome: listedOutcomeOf(outcomeOf(shown)),
    erased: progress.erased === true,
    updatedAt: progress.updatedAt,
  };
}

function outboundRecord({ request, progress }: Shown): OutboundCallRecord {
  return {
    callId: request.id,
    status: progress.status,
    endReason: progress.endReason,
    to: request.to,
    phoneNumberId: request.phoneNumberId,
    assistantId: request.assistantId,
    campaignId: request.campaignId,
    createdAt: request.createdAt,
    connectedAt: progress.connectedAt,
    endedAt: progress.endedAt,
    durationSeconds: progress.durationSeconds,
    endRequestedAt: progress.endRequestedAt,
  };
}

type CallQueryDeps = {
  readonly db: ReadDatabase;
  /** Public address of this service, without a trailing slash. */
  readonly publicUrl: () => string;
};

const CALLS = [callsProjection];
const FOUND_CALLS = [searchProjection, callsProjection];

export function callQueries({ db, publicUrl }: CallQueryDeps, snapshot: Snapshot) {
  return {
    call: served(tellingPosition(groupedReads((wanted) => findCalls(db, publicUrl(), wanted)))),
    outboundCall: served((owner, id, heard) =>
      snapshot(CALLS, heard, (rows) => findOutboundCall(rows, owner, id)),
    ),
    calls: served(async (owner, filter, page, heard) => {
      const { text } = filter;
      if (text !== undefined) {
        const found = await snapshot(FOUND_CALLS, heard, (rows) =>
          foundCalls(rows, owner, { ...filter, text }, page),
        );
        return listed(publicUrl(), found, page.limit);
      }
      const most = page.limit + 1;
      const terms = termsToIntersect(filter);
      const query =
        terms === null
          ? filteredCalls(db, owner, filter, page, most)
          : callsWithAll(db, owner, filter, page, most, terms);
      const { position, rows } = await rowsAt(db, callsProjection, query);
      heard?.(position);
      return listed(publicUrl(), rows, page.limit);
    }),
    activeCalls: served(async (owner, page, heard) => {
      const { position, rows } = await rowsAt(db, callsProjection, activeCalls(db, owner, page));
      heard?.(position);
      return pageOf(rows.map(outboundRecord), page.limit, ({ callId }) => callId);
    }),
    usage: served((owner, from, until) => usageOf(db, owner, from, until)),
  } satisfies Partial<Queries>;
}
