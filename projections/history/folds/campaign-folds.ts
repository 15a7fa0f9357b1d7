import { readPage } from "../../../application/log/recorded-events.ts";
import { campaignStream } from "../../../application/log/stream-names.ts";
import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import type { CampaignWithStatistics, ContactFilter, Heard } from "../../../application/ports/queries.ts";
import type { Turns } from "../../../application/turns.ts";
import type { CampaignStory } from "../../../contract/campaign-story.ts";
import type { ImportedContact } from "../../../domain/campaign/events.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, millisOf } from "../../../domain/shared/instant.ts";
import { campaignWithStatistics } from "../../campaigns/campaign-row.ts";
import { withHeld } from "../../campaigns/campaigns.ts";
import { heldAmong } from "../../campaigns/holds.ts";
import { matchesProgress, matchesText } from "../../contacts/contact-filter.ts";
import {
  type CampaignContact,
  contactRecord,
  factsOf,
  liveCallsOf,
  type UnjudgedContact,
  wishesOf,
  withLiveCalls,
} from "../../contacts/contact-row.ts";
import { pageOf } from "../../engine/keyset-page.ts";
import { policyChangeAt } from "../policy-at.ts";
import type { LogDeps } from "../stream-history.ts";
import { callsAt, endedCallsAt } from "../time-travel.ts";
import { type Chunk, type KeptCampaign, rowAt } from "./kept-campaign.ts";
import { createKeptCampaigns } from "./kept-campaigns.ts";
import { heldNumbers, type PlacedContact, placedContacts, progressAt } from "./kept-contacts.ts";
import { storyOf } from "./kept-story.ts";

/** For all campaigns together; the goal is 64 MB of real memory. */
const KEPT_BYTES = 56 * 1024 * 1024;

type At = { readonly owner: OwnerId; readonly id: CampaignId; readonly at: Instant };

/**
 * States of campaigns at any moment, in any order, and their stories. What was read is kept, so that the next
 * request reads only new events.
 */
export type CampaignFolds = {
  readonly campaignAt: (asked: At, heard?: Heard) => Promise<CampaignWithStatistics | null>;
  readonly contactsAt: (
    asked: At,
    filter: ContactFilter,
    page: PageRequest<number>,
    heard?: Heard,
  ) => Promise<Page<CampaignContact, number> | null>;
  readonly story: (owner: OwnerId, id: CampaignId, heard?: Heard) => Promise<CampaignStory | null>;
};

type EndedCalls = (ids: readonly CallId[], at: Instant) => Promise<ReadonlySet<CallId>>;

/** `endedOf`: which of these calls had ended by then. */
export function createCampaignFolds(
  deps: LogDeps,
  keptBytes = KEPT_BYTES,
  firstReads: Turns = (_, read) => read(),
  endedOf: EndedCalls = (ids, at) => endedCallsAt(deps, ids, at),
): CampaignFolds {
  const readUp = createKeptCampaigns(deps, keptBytes, firstReads);
  const momentOf = async (owner: OwnerId, at: Instant) => ({
    at,
    policyVersion: (await policyChangeAt(deps, owner, at))?.event.data.version ?? 0,
  });
  return {
    async campaignAt({ owner, id, at }, heard) {
      const kept = await readUp(owner, id);
      const { row, last } = rowAt(kept, millisOf(at));
      if (row === undefined || row.owner !== owner) return null;
      if (heard !== undefined) await tell(deps, kept, last, heard);
      const holds = [...progressAt(kept, millisOf(at), heldNumbers(kept)).values()].map(({ hold }) => hold);
      const held = holds.length === 0 ? 0 : await heldAmong(holds, await momentOf(owner, at), endedOf);
      return withHeld(campaignWithStatistics(row), held);
    },
    async contactsAt({ owner, id, at }, filter, page, heard) {
      const kept = await readUp(owner, id);
      const { row, last } = rowAt(kept, millisOf(at));
      if (row === undefined || row.owner !== owner) return null;
      const { rows, next } = await contactsOf(deps, kept, at, filter, page);
      if (heard !== undefined) await tell(deps, kept, last, heard);
      const calls = await callsAt(deps, liveCallsOf(rows), at);
      const moment = await momentOf(owner, at);
      return { rows: rows.map((contact) => withLiveCalls(contact, calls, moment)), next };
    },
    async story(owner, id, heard) {
      const story = storyOf(await readUp(owner, id), owner);
      if (story !== null) heard?.(story.position);
      return story;
    },
  };
}

/** Asks the log for the position of a row. */
async function tell({ eventStore }: LogDeps, kept: KeptCampaign, row: number, heard: Heard): Promise<void> {
  const revision = kept.columns.revision[row];
  if (revision === undefined) return;
  const [event] = await readPage(eventStore, campaignStream(kept.id), revision, 1);
  if (event !== undefined) heard(event.position);
}

async function contactsOf(
  deps: LogDeps,
  kept: KeptCampaign,
  at: Instant,
  filter: ContactFilter,
  { limit, after }: PageRequest<number>,
): Promise<Page<UnjudgedContact, number>> {
  const { text } = filter;
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  const behind: PlacedContact[] = [];
  for (const placed of placedContacts(kept, millisOf(at))) {
    if (placed.place <= (after ?? -1)) continue;
    behind.push(placed);
    if (!isFiltered && behind.length > limit) break;
  }
  const progress = progressAt(
    kept,
    millisOf(at),
    behind.map(({ number }) => number),
  );
  const matches = matchesProgress(filter);
  const wanted = behind.filter(({ number }) => {
    const row = progress.get(number);
    return row !== undefined && matches({ ...row, ...wishesOf(row) });
  });
  const found: { readonly place: number; readonly contact: UnjudgedContact }[] = [];
  const isNamed = text === undefined ? () => true : matchesText(text);
  const facts = chunkReader(deps, kept);
  for (const { place, number, chunk } of wanted) {
    if (found.length > limit) break;
    const imported = await facts(chunk);
    const contact = imported?.contacts[number - chunk.first];
    const row = progress.get(number);
    if (imported === null || contact === undefined || row === undefined || !isNamed(contact)) continue;
    found.push({ place, contact: contactRecord(contact.contactId, factsOf(contact, imported.at), row) });
  }
  const page = pageOf(found, limit, ({ place }) => place);
  return { rows: page.rows.map(({ contact }) => contact), next: page.next };
}

type Imported = { readonly contacts: readonly ImportedContact[]; readonly at: Instant };

/** Reads each chunk once; null: it cannot be read any more. */
function chunkReader(deps: LogDeps, kept: KeptCampaign): (chunk: Chunk) => Promise<Imported | null> {
  const read = new Map<Chunk, Imported | null>();
  return async (chunk) => {
    const known = read.get(chunk);
    if (known !== undefined) return known;
    const page = await readPage(deps.eventStore, campaignStream(kept.id), chunk.revision, 1);
    const [decoded] = await deps.codec.decode(page);
    const event = decoded?.kind === "event" ? decoded.recorded.event : null;
    const imported = event?.type === "ContactsImported" ? event.data : null;
    read.set(chunk, imported);
    return imported;
  };
}
