import type { CallId, ErasureId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Page, PageRequest } from "./queries/pages.ts";

/** What is to be forgotten: the words of one call, of all calls to a number, or of calls that their owner keeps no longer. */
export type ErasureKind = "call" | "phone_number" | "retention";

export type Erasure = {
  readonly id: ErasureId;
  readonly owner: OwnerId;
  readonly kind: ErasureKind;
  readonly callId: CallId | null;
  readonly phoneNumber: PhoneNumber | null;
  /** done: no copy of ours holds a word any more. */
  readonly status: "running" | "done";
  /** Calls whose words it erases. */
  readonly calls: number;
  /** Recordings among them. */
  readonly recordings: number;
  /** Webhook messages that were emptied. */
  readonly deliveries: number;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
};

export type RunningErasure = Pick<Erasure, "id" | "owner" | "kind"> & { readonly callIds: readonly CallId[] };

/** A call whose words are to be gone, and because of which erasure. */
export type ErasedCall = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly erasureId: ErasureId;
};

/** What is known of erasures in the database, and what is done to its rows. Everything may be repeated. */
export interface Erasures {
  /** Durable before anything is erased; the first one of an id stands. */
  begin(
    erasure: Pick<Erasure, "id" | "owner" | "kind" | "callId" | "phoneNumber" | "recordings" | "createdAt">,
    callIds: readonly CallId[],
  ): Promise<void>;
  /** All that did not come to their end, the oldest first. */
  running(): Promise<readonly RunningErasure[]>;
  find(owner: OwnerId, id: ErasureId): Promise<Erasure | null>;
  /** Newest first by id. */
  list(owner: OwnerId, page: PageRequest<ErasureId>): Promise<Page<Erasure, ErasureId>>;
  /** The keys of these calls are gone for good, here and, soon, in every other process; a call without a key gets a row that says so. */
  eraseKeys(calls: readonly ErasedCall[]): Promise<void>;
  /** Those of them whose keys are not erased. */
  notErased(callIds: readonly CallId[]): Promise<ReadonlySet<CallId>>;
  /** Empties what was told, or is to be told, of these calls; false: an attempt to tell it is under way, ask again. */
  clear(callIds: readonly CallId[]): Promise<boolean>;
  finish(erasure: RunningErasure, at: Instant): Promise<void>;
}

/** The words in the rows that reading answers from. They go by the event of the erasure; this is for words that a restore brought back, which nobody may read until then. */
export interface ShownWords {
  /** Rows that are not there are passed over. */
  remove(callIds: readonly CallId[]): Promise<void>;
}

/** The list of erased calls beside the database: a restored backup of it forgets again by this. */
export interface ErasureJournal {
  /** Flushed before it resolves. */
  add(calls: readonly ErasedCall[], at: Instant): Promise<void>;
  /** Page by page. Rejects, naming the line, when one cannot be read. */
  read(): AsyncIterable<readonly ErasedCall[]>;
}
