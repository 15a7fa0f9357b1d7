import { callStream, campaignStream } from "../application/log/stream-names.ts";
import type { Clock } from "../application/ports/clock.ts";
import { type EventStore, type Position, START } from "../application/ports/event-store.ts";
import type { Feed } from "../application/ports/feed.ts";
import {
  type Heard,
  type Queries,
  QueriesBusyError,
  ReadModelUnservedError,
} from "../application/ports/queries.ts";
import { createTurns } from "../application/turns.ts";
import type { CampaignId, OwnerId } from "../domain/shared/ids.ts";
import { findCalls, findOutboundCall, listActiveCalls, listCalls } from "./calls/call-queries.ts";
import { callsProjection } from "./calls/calls.ts";
import { usageOf } from "./calls/usage.ts";
import { campaignsProjection, findCampaigns, isCampaignOf, listCampaigns } from "./campaigns/campaigns.ts";
import { findContact, listContacts } from "./contacts/contact-queries.ts";
import { contactsProjection } from "./contacts/contacts.ts";
import { groupedReads } from "./engine/grouped-reads.ts";
import { isOfGoneTables } from "./engine/missing-tables.ts";
import type { Projection, ReadDatabase } from "./engine/projection.ts";
import type { ReadPositions } from "./engine/read-positions.ts";
import { readSnapshot, tellingPosition } from "./engine/read-snapshot.ts";
import { contactHistory } from "./history/contact-history.ts";
import { explainContact } from "./history/explain/explain-contact.ts";
import { createCampaignFolds } from "./history/folds/campaign-folds.ts";
import { numberHistory } from "./history/number-history.ts";
import { createOwnerFollowing } from "./history/owner-following.ts";
import { ownerEvents, recentEvents } from "./history/owner-history.ts";
import { type LogDeps, streamHistory } from "./history/stream-history.ts";
import { contactFromLog, isCampaignInLog, squadFromLog } from "./history/time-travel.ts";
import { contactsOfNumber, rejectionsOfNumber } from "./search/number-contacts.ts";
import { searchProjection } from "./search/search.ts";
import { findEverywhere } from "./search/search-queries.ts";
import { callSeriesProjection, countCalls } from "./series/call-series.ts";
import { findSquad, isAssistantInSquad, listSquads, squadsProjection } from "./squads/squads.ts";

export type QueryDeps = LogDeps & {
  readonly db: ReadDatabase;
  readonly feed: Feed;
  readonly positions: ReadPositions;
  /** Positions of the models that no write waits for. */
  readonly backgroundPositions: ReadPositions;
  readonly clock: Clock;
  /** Public address of this service, without a trailing slash. */
  readonly publicUrl: () => string;
  /**
   * True if the read models include owner-events (EventStoreDB); the log in PostgreSQL can
   * query by owner itself.
   */
  readonly ownerEventsIndexed?: boolean;
};

const CALLS = [callsProjection];
const CAMPAIGNS = [campaignsProjection];
/** The owner of a campaign, its contacts, and the state of their live calls. */
const CONTACTS = [campaignsProjection, contactsProjection, callsProjection];
const SQUADS = [squadsProjection];
const FOUND_CALLS = [searchProjection, callsProjection];
const NUMBERS = [searchProjection, contactsProjection];
const SERIES = [callSeriesProjection, callsProjection];

/** Everything that the API reads: records from the read models, history from the log. */
export function createQueries(deps: QueryDeps): Queries {
  const snapshot: Snapshot = (models, heard, read) => readSnapshot(deps, models, heard, read);
  return {
    ...positionQueries(deps),
    ...callQueries(deps, snapshot),
    ...campaignQueries(deps, snapshot),
    ...campaignHistory(deps),
    ...searchQueries(deps, snapshot),
    ...squadQueries(deps, snapshot),
    ...ownerQueries(deps),
  };
}

/** Rows of several tables at one position. */
type Snapshot = <Answer>(
  models: readonly Projection[],
  heard: Heard | undefined,
  read: (rows: ReadDatabase) => Promise<Answer>,
) => Promise<Answer>;

function positionQueries({ eventStore, positions, backgroundPositions }: QueryDeps) {
  return {
    parsePosition: (text) => parsePosition(eventStore, text),
    caughtUp: (position, timeoutMillis) => positions.servedTo(position, timeoutMillis),
    asideCaughtUp: (position, timeoutMillis) => backgroundPositions.servedTo(position, timeoutMillis),
    head: () => eventStore.head(),
    knownPosition: async () => positions.known(),
  } satisfies Partial<Queries>;
}

function callQueries(deps: QueryDeps, snapshot: Snapshot) {
  const { db, positions, publicUrl } = deps;
  return {
    call: served(tellingPosition(groupedReads((wanted) => findCalls(db, publicUrl(), wanted)))),
    outboundCall: served((owner, id, heard) =>
      snapshot(CALLS, heard, (rows) => findOutboundCall(rows, owner, id)),
    ),
    calls: served((owner, filter, page, heard) =>
      snapshot(filter.text === undefined ? CALLS : FOUND_CALLS, heard, (rows) =>
        listCalls(rows, publicUrl(), owner, filter, page),
      ),
    ),
    callSeries: served((owner, question, heard) =>
      snapshot(SERIES, heard, (rows) => countCalls(rows, owner, question)),
    ),
    activeCalls: served((owner, page, heard) =>
      snapshot(CALLS, heard, (rows) => listActiveCalls(rows, owner, page)),
    ),
    usage: served((owner, from, until) => usageOf(db, owner, from, until)),
    callEvents: (owner, id, page, heard) => {
      heard?.(positions.known());
      return streamHistory(deps, owner, callStream(id), page);
    },
  } satisfies Partial<Queries>;
}

function campaignQueries(deps: QueryDeps, snapshot: Snapshot) {
  const { db, positions } = deps;
  return {
    campaign: served(tellingPosition(groupedReads((wanted) => findCampaigns(db, wanted)))),
    campaigns: served((owner, filter, page, heard) =>
      snapshot(CAMPAIGNS, heard, (rows) => listCampaigns(rows, owner, filter, page)),
    ),
    contacts: served((owner, id, filter, page, heard) =>
      snapshot(CONTACTS, heard, (rows) => listContacts(rows, owner, id, filter, page)),
    ),
    contact: served((owner, id, contactId, heard) =>
      snapshot(CONTACTS, heard, (rows) => findContact(rows, owner, id, contactId)),
    ),
    contactFromLog: (owner, id, contactId) => contactFromLog(deps, owner, id, contactId),
    campaignEvents: async (owner, id, page, heard) => {
      heard?.(positions.known());
      return (await isKnownCampaign(db, owner, id)) || (await isCampaignInLog(deps, owner, id))
        ? streamHistory(deps, owner, campaignStream(id), page)
        : null;
    },
  } satisfies Partial<Queries>;
}

/** A campaign may have 150 MB; the log has four connections for reading, and others need them. */
const WHOLE_READS = {
  atOnce: 2,
  waitingOfOne: 16,
  refusal: () => new QueriesBusyError("Other campaigns are being read whole"),
};

function campaignHistory(deps: QueryDeps) {
  const { positions } = deps;
  const wholeReads = createTurns(WHOLE_READS);
  const folds = createCampaignFolds(deps, undefined, wholeReads);
  return {
    campaignAt: (owner, id, at, heard) => folds.campaignAt({ owner, id, at }, heard),
    contactsAt: (owner, id, at, filter, page, heard) =>
      folds.contactsAt({ owner, id, at }, filter, page, heard),

    campaignStory: folds.story,

    explain: (owner, question, heard) =>
      wholeReads(owner, () => explainContact(deps, owner, question, heard)),

    contactEvents: (owner, id, contactId, page, heard) => {
      heard?.(positions.known());
      return wholeReads(owner, () => contactHistory(deps, owner, id, contactId, page));
    },
  } satisfies Partial<Queries>;
}

function searchQueries(deps: QueryDeps, snapshot: Snapshot) {
  return {
    search: served((owner, text, kinds, heard) =>
      snapshot(FOUND_CALLS, heard, (rows) => findEverywhere(rows, owner, text, kinds)),
    ),
    numberHistory: served(async (owner, question, heard) => {
      const known = await snapshot(NUMBERS, heard, async (rows) => ({
        contacts: await contactsOfNumber(rows, owner, question.number),
        rejections: await rejectionsOfNumber(rows, owner, question.number),
      }));
      return numberHistory(deps, owner, known, question);
    }),
  } satisfies Partial<Queries>;
}

function squadQueries(deps: QueryDeps, snapshot: Snapshot) {
  const { db } = deps;
  return {
    squad: served((owner, id, heard) => snapshot(SQUADS, heard, (rows) => findSquad(rows, owner, id))),
    squadFromLog: (owner, id) => squadFromLog(deps, owner, id),
    squads: served((owner, page, heard) => snapshot(SQUADS, heard, (rows) => listSquads(rows, owner, page))),
    assistantInSquad: served((owner, id) => isAssistantInSquad(db, owner, id)),
  } satisfies Partial<Queries>;
}

function ownerQueries(deps: QueryDeps) {
  const { db, positions } = deps;
  const history = { ...deps, ownerIndex: deps.ownerEventsIndexed === true ? db : null };
  return {
    ownerEvents: served((owner, filter, page, heard) => {
      if (history.ownerIndex === null) heard?.(positions.known());
      return ownerEvents(history, owner, filter, page, heard);
    }),
    recent: served((owner, after, most) => recentEvents(history, owner, after, most)),
    followOwnerEvents: createOwnerFollowing(history),
  } satisfies Partial<Queries>;
}

/** A query whose tables do not exist is reported as not available yet. */
function served<Asked extends readonly unknown[], Answer>(
  ask: (...asked: Asked) => Promise<Answer>,
): (...asked: Asked) => Promise<Answer> {
  return async (...asked) => {
    try {
      return await ask(...asked);
    } catch (error) {
      throw isOfGoneTables(error) ? new ReadModelUnservedError("It is being built", { cause: error }) : error;
    }
  };
}

/** Also false while the read model has no rows: then the log is asked. */
function isKnownCampaign(db: ReadDatabase, owner: OwnerId, id: CampaignId): Promise<boolean> {
  return isCampaignOf(db, owner, id).catch((error: unknown) => {
    if (isOfGoneTables(error)) return false;
    throw error;
  });
}

const LARGEST_NUMBER = 2n ** 63n - 1n;

/**
 * Both logs write positions as a number, or two with a dot between them. Anything else, or a number that no
 * log reaches, is invalid.
 */
function parsePosition(eventStore: EventStore, text: string): Position | null {
  if (text === START) return START;
  const parts = /^(\d{1,19})(?:\.(\d{1,19}))?$/.exec(text)?.slice(1) ?? [];
  const numbers = parts.filter((part) => part !== undefined);
  if (numbers.length === 0 || numbers.some((part) => BigInt(part) > LARGEST_NUMBER)) return null;
  try {
    eventStore.comparePositions(text, START);
    return text;
  } catch {
    return null;
  }
}
