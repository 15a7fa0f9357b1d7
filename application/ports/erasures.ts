import type { ErasureRecord } from "../../contract/erasure.ts";
import type { CallId, CampaignId, ErasureId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Page, PageRequest } from "./queries/pages.ts";

/** The texts of one call, of all calls to a number, or of calls older than their owner's retention. */
export type Erasure = ErasureRecord & { readonly owner: OwnerId };

export type RunningErasure = Pick<Erasure, "id" | "owner" | "kind"> & { readonly callIds: readonly CallId[] };

/** A call whose texts are erased, and by which erasure. */
export type ErasedCall = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly erasureId: ErasureId;
};

/** A campaign that was deleted before it began: its contacts are erased. */
export type DeletedCampaign = { readonly campaignId: CampaignId; readonly owner: OwnerId };

export type Erased = ErasedCall | DeletedCampaign;

export function isErasedCall(erased: Erased): erased is ErasedCall {
  return "callId" in erased;
}

/** The state of erasures in the database, and the changes to its rows. Everything may be repeated. */
export interface Erasures {
  /** Durable before anything is erased; the first call with an id counts. */
  begin(
    erasure: Pick<Erasure, "id" | "owner" | "kind" | "callId" | "phoneNumber" | "recordings" | "createdAt">,
    callIds: readonly CallId[],
  ): Promise<void>;
  /** Erasures that are not done, the oldest first. */
  running(): Promise<readonly RunningErasure[]>;
  find(owner: OwnerId, id: ErasureId): Promise<Erasure | null>;
  /** Newest first by id. */
  list(owner: OwnerId, page: PageRequest<ErasureId>): Promise<Page<Erasure, ErasureId>>;
  /**
   * Erases their keys for good, here and soon in every other process; what has no key gets a row that
   * says so.
   */
  eraseKeys(erased: readonly Erased[]): Promise<void>;
  /** Those whose keys are not erased. */
  notErased<Id extends CallId | CampaignId>(ids: readonly Id[]): Promise<ReadonlySet<Id>>;
  /**
   * Removes the texts from sent and queued webhooks of these calls, and empties rehearsals that name one of
   * them; false: an attempt is in flight, ask again.
   */
  clear(callIds: readonly CallId[]): Promise<boolean>;
  /** Removes their contacts from kept answers to Idempotency-Keys and from parked events. */
  clearCampaigns(campaigns: readonly DeletedCampaign[]): Promise<void>;
  finish(erasure: RunningErasure, at: Instant): Promise<void>;
}

/**
 * The texts in the rows of the read models. Normally the event of an erasure or a deletion removes them. This
 * is for texts that a restore brought back, which must not be readable until then. Missing rows are ignored.
 */
export interface ShownWords {
  remove(callIds: readonly CallId[]): Promise<void>;
  removeContacts(campaignIds: readonly CampaignId[]): Promise<void>;
}

/** The list of what is erased in a file beside the database: after a restore it is erased again from it. */
export interface ErasureJournal {
  /** Flushed to disk before it resolves. */
  add(erased: readonly Erased[], at: Instant): Promise<void>;
  /** Page by page. Rejects, naming the line, when one cannot be read. */
  read(): AsyncIterable<readonly Erased[]>;
}
