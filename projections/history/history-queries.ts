import { callStream, campaignStream } from "../../application/log/stream-names.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { Position } from "../../application/ports/event-store.ts";
import type { Feed } from "../../application/ports/feed.ts";
import { type Queries, QueriesBusyError } from "../../application/ports/queries.ts";
import { createTurns } from "../../application/turns.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { callsProjection } from "../calls/calls.ts";
import { campaignOutcomes, outcomesOfCalls } from "../calls/outcome-queries.ts";
import { isCampaignOf, withCampaignOutcomes } from "../campaigns/campaigns.ts";
import { endedCalls } from "../campaigns/holds.ts";
import { withOutcomes } from "../contacts/contact-row.ts";
import { contactsProjection } from "../contacts/contacts.ts";
import { loadPositions } from "../engine/checkpoints.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import { modelOf, type ReadDatabase } from "../engine/projection.ts";
import type { ReadPositions } from "../engine/read-positions.ts";
import { type Snapshot, served } from "../engine/read-snapshot.ts";
import { contactsOfNumber, rejectionsOfNumber } from "../search/number-contacts.ts";
import { searchProjection } from "../search/search.ts";
import { findEverywhere } from "../search/search-queries.ts";
import { contactHistory } from "./contact-history.ts";
import { explainContact } from "./explain/explain-contact.ts";
import { createCampaignFolds } from "./folds/campaign-folds.ts";
import { numberHistory } from "./number-history.ts";
import { createOwnerFollowing } from "./owner-following.ts";
import { ownerEvents, recentEvents } from "./owner-history.ts";
import { policyAt, policyVersions } from "./policy-at.ts";
import { type LogDeps, streamHistory } from "./stream-history.ts";
import { contactFromLog, endedCallsAt, isCampaignInLog, squadFromLog } from "./time-travel.ts";

export type HistoryDeps = LogDeps & {
  readonly db: ReadDatabase;
  readonly feed: Feed;
  readonly positions: ReadPositions;
  readonly clock: Clock;
  /**
   * True if the read models include owner-events (EventStoreDB); the log in PostgreSQL can
   * query by owner itself.
   */
  readonly ownerEventsIndexed?: boolean;
};

/** What is read from the log, and what is found over all nouns. */
export function historyQueries(deps: HistoryDeps, snapshot: Snapshot) {
  return {
    ...streamQueries(deps),
    ...campaignHistory(deps),
    ...searchQueries(deps, snapshot),
    ...ownerQueries(deps),
  };
}

function streamQueries(deps: HistoryDeps) {
  const { db, positions } = deps;
  return {
    callEvents: (owner, id, page, heard) => {
      heard?.(positions.known());
      return streamHistory(deps, owner, callStream(id), page);
    },
    campaignEvents: async (owner, id, page, heard) => {
      heard?.(positions.known());
      return (await isKnownCampaign(db, owner, id)) || (await isCampaignInLog(deps, owner, id))
        ? streamHistory(deps, owner, campaignStream(id), page)
        : null;
    },
    contactFromLog: (owner, id, contactId) => contactFromLog(deps, owner, id, contactId),
    squadFromLog: (owner, id) => squadFromLog(deps, owner, id),
    policy: (owner, at, heard) => policyAt(deps, owner, at, heard),
    policyVersions: (owner, page) => policyVersions(deps, owner, page),
  } satisfies Partial<Queries>;
}

const CALLS = modelOf(callsProjection);

/** A campaign may have 150 MB; the log has four connections for reading, and others need them. */
const WHOLE_READS = {
  atOnce: 2,
  waitingOfOne: 16,
  refusal: () => new QueriesBusyError("Other campaigns are being read whole"),
};

function campaignHistory(deps: HistoryDeps) {
  const { db, positions } = deps;
  const outcomesOf = campaignOutcomes(db);
  const wholeReads = createTurns(WHOLE_READS);
  const folds = createCampaignFolds(
    deps,
    undefined,
    wholeReads,
    async (ids, at) => (await endedCalls(db, ids, at)) ?? endedCallsAt(deps, ids, at),
  );
  return {
    campaignAt: async (owner, id, at, heard) => {
      // Before the fold, which reads to the end of the log: the answer has all events up to their position.
      const known = await outcomesOf({ id, at });
      const whole = await folds.campaignAt({ owner, id, at }, known === null ? heard : undefined);
      if (whole === null || known === null) return whole && withCampaignOutcomes(whole, null);
      heard?.(known.position);
      return withCampaignOutcomes(whole, known.outcomes);
    },
    contactsAt: async (owner, id, at, filter, page, heard) => {
      const reached = await callsReached(db);
      const found = await folds.contactsAt(
        { owner, id, at },
        filter,
        page,
        reached === null ? heard : undefined,
      );
      if (found === null) return null;
      if (reached !== null) heard?.(reached);
      const rows = await withOutcomes(found.rows, (ids) =>
        reached === null ? Promise.resolve(new Map()) : outcomesOfCalls(db, ids, at),
      );
      return { ...found, rows };
    },

    campaignStory: folds.story,

    explain: (owner, question, heard) =>
      wholeReads(owner, () => explainContact(deps, owner, question, heard)),

    contactEvents: (owner, id, contactId, page, heard) => {
      heard?.(positions.known());
      return wholeReads(owner, () => contactHistory(deps, owner, id, contactId, page));
    },
  } satisfies Partial<Queries>;
}

const FOUND = [searchProjection, callsProjection];
const NUMBERS = [searchProjection, contactsProjection];

function searchQueries(deps: HistoryDeps, snapshot: Snapshot) {
  return {
    search: served((owner, text, kinds, heard) =>
      snapshot(FOUND, heard, (rows) => findEverywhere(rows, owner, text, kinds)),
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

function ownerQueries(deps: HistoryDeps) {
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

/** How far the rows of calls reach; null: they are being built, and nothing waits for them. */
async function callsReached(db: ReadDatabase): Promise<Position | null> {
  try {
    return (await loadPositions(db, [CALLS])).get(CALLS) ?? null;
  } catch (error) {
    if (isOfMissingTables(error)) return null;
    throw error;
  }
}

/** Also false while the read model has no rows: then the log is asked. */
function isKnownCampaign(db: ReadDatabase, owner: OwnerId, id: CampaignId): Promise<boolean> {
  return isCampaignOf(db, owner, id).catch((error: unknown) => {
    if (isOfMissingTables(error)) return false;
    throw error;
  });
}
