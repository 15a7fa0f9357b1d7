import { recordedEvents } from "../../application/log/recorded-events.ts";
import { callStream, campaignStream, squadStream } from "../../application/log/stream-names.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { START } from "../../application/ports/event-store.ts";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { CampaignWithStatistics, ContactFilter, Heard } from "../../application/ports/queries.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { SquadRecord } from "../../contract/squad.ts";
import type { CallId, CampaignId, ContactId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type CallProgress, type CallRow, projectCall } from "../calls/call-row.ts";
import { type CampaignRow, campaignWithStatistics, projectCampaign } from "../campaigns/campaign-row.ts";
import { withHeld } from "../campaigns/campaigns.ts";
import { heldAmong } from "../campaigns/holds.ts";
import { matchesFilter } from "../contacts/contact-filter.ts";
import { type CampaignContact, liveCallsOf, withLiveCalls, withOutcomes } from "../contacts/contact-row.ts";
import { contactAfterEvent, contactsInOrder, noContacts } from "../contacts/contacts-fold.ts";
import { pageOf } from "../engine/keyset-page.ts";
import { projectSquad, type SquadRow } from "../squads/squad-row.ts";
import { policyChangeAt } from "./policy-at.ts";
import { eventsUntil, hadHappened, type LogDeps } from "./stream-history.ts";

/** The campaign at `at`; null before its creation. The fold of the read model, over the log. */
export async function campaignAt(
  deps: LogDeps,
  owner: OwnerId,
  id: CampaignId,
  at: Instant,
  heard?: Heard,
): Promise<CampaignWithStatistics | null> {
  let row: CampaignRow | undefined;
  let position = START;
  const state = noContacts();
  for await (const recorded of history(deps, id, at)) {
    row = projectCampaign(row, recorded);
    contactAfterEvent(state, recorded);
    if (hadHappened(recorded, at)) position = recorded.position;
  }
  if (row === undefined || row.owner !== owner) return null;
  heard?.(position);
  const holds = [...state.progress.values()].map(({ hold }) => hold);
  const ended = (ids: readonly CallId[]) => endedCallsAt(deps, ids, at);
  return withHeld(
    campaignWithStatistics(row),
    await heldAmong(holds, await momentOf(deps, owner, at), ended),
  );
}

async function momentOf(deps: LogDeps, owner: OwnerId, at: Instant) {
  return { at, policyVersion: (await policyChangeAt(deps, owner, at))?.event.data.version ?? 0 };
}

/** The contacts at `at`, in the order of import; live attempts with the state of their calls at that time. */
export async function contactsAt(
  deps: LogDeps,
  owner: OwnerId,
  id: CampaignId,
  at: Instant,
  filter: ContactFilter,
  { limit, after }: PageRequest<number>,
  heard?: Heard,
): Promise<Page<CampaignContact, number> | null> {
  let row: CampaignRow | undefined;
  let position = START;
  const state = noContacts();
  for await (const recorded of history(deps, id, at)) {
    row = projectCampaign(row, recorded);
    contactAfterEvent(state, recorded);
    if (hadHappened(recorded, at)) position = recorded.position;
  }
  if (row === undefined || row.owner !== owner) return null;
  heard?.(position);
  const matches = matchesFilter(filter);
  const placed = contactsInOrder(state)
    .map((contact, place) => ({ contact, place }))
    .filter(({ contact, place }) => place > (after ?? -1) && matches(contact));
  const page = pageOf(placed.slice(0, limit + 1), limit, ({ place }) => place);
  const contacts = page.rows.map(({ contact }) => contact);
  const calls = await callsAt(deps, liveCallsOf(contacts), at);
  const moment = await momentOf(deps, owner, at);
  return { rows: contacts.map((contact) => withLiveCalls(contact, calls, moment)), next: page.next };
}

/** The current state of one contact from the log: never behind. */
export async function contactFromLog(
  deps: LogDeps & { readonly clock: Pick<Clock, "now"> },
  owner: OwnerId,
  id: CampaignId,
  contactId: ContactId,
): Promise<ContactRecord | null> {
  let row: CampaignRow | undefined;
  const state = noContacts();
  for await (const recorded of recordedEvents(deps, campaignStream(id))) {
    row = projectCampaign(row, recorded);
    contactAfterEvent(state, recorded);
  }
  const contact = contactsInOrder(state).find((each) => each.id === contactId);
  if (row === undefined || row.owner !== owner || contact === undefined) return null;
  const now = deps.clock.now();
  const moment = await momentOf(deps, owner, now);
  const shown = withLiveCalls(contact, await callsAt(deps, liveCallsOf([contact]), now), moment);
  const [whole] = await withOutcomes([shown], (ids) => outcomesAt(deps, ids, now));
  return whole ?? null;
}

/**
 * Whether the log has the campaign: from the seal of its first import on, until it is deleted. Never behind.
 */
export async function isCampaignInLog(deps: LogDeps, owner: OwnerId, id: CampaignId): Promise<boolean> {
  let isThere = false;
  for await (const { event } of recordedEvents(deps, campaignStream(id))) {
    if (event.type === "CampaignCreated") isThere = event.data.owner === owner;
    if (event.type === "CampaignDeleted") isThere = false;
  }
  return isThere;
}

/** The current state of the squad from the log: never behind. */
export async function squadFromLog(deps: LogDeps, owner: OwnerId, id: SquadId): Promise<SquadRecord | null> {
  let row: SquadRow | undefined;
  for await (const recorded of recordedEvents(deps, squadStream(id))) row = projectSquad(row, recorded);
  return row === undefined || row.squad.userId !== owner ? null : row.squad;
}

function history(deps: LogDeps, id: CampaignId, at: Instant): AsyncGenerator<RecordedEvent> {
  return eventsUntil(recordedEvents(deps, campaignStream(id)), at);
}

/** The state of calls at that time. */
export async function callsAt(
  deps: LogDeps,
  ids: readonly CallId[],
  at: Instant,
): Promise<ReadonlyMap<CallId, CallProgress>> {
  const found = await Promise.all(ids.map((id) => callAt(deps, id, at)));
  return new Map(
    ids.flatMap((id, index) => (found[index] === undefined ? [] : [[id, found[index]] as const])),
  );
}

/** Which of these calls had ended by then. */
export async function endedCallsAt(
  deps: LogDeps,
  ids: readonly CallId[],
  at: Instant,
): Promise<ReadonlySet<CallId>> {
  const calls = await callsAt(deps, ids, at);
  return new Set(ids.filter((id) => calls.get(id)?.endedAt != null));
}

async function outcomesAt(
  deps: LogDeps,
  ids: readonly CallId[],
  at: Instant,
): Promise<ReadonlyMap<CallId, ContactRecord["outcome"]>> {
  const calls = await callsAt(deps, ids, at);
  return new Map(
    [...calls].flatMap(([id, { outcome }]) => {
      const { fields = null, success = null } = outcome?.analysed ?? {};
      return fields === null ? [] : [[id, { success, fields }] as const];
    }),
  );
}

async function callAt(deps: LogDeps, id: CallId, at: Instant): Promise<CallProgress | undefined> {
  let row: CallRow | undefined;
  for await (const recorded of eventsUntil(recordedEvents(deps, callStream(id)), at))
    row = projectCall(row, recorded);
  return row?.progress;
}
