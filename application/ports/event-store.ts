import type { Instant } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";

/** `call-<id>`, `campaign-<id>`, `squad-<id>`, `policy-<ownerId>`, `list-<id>`. */
export type StreamName = string;
/** Opaque outside of the adapters; compare with `comparePositions` only. `START` is before every event. */
export type Position = string;
export const START: Position = "";

/**
 * `no_stream`: the stream has no event yet. A number: the revision of its last event. There is no
 * `any` (docs/log.md §1).
 */
export type ExpectedRevision = number | "no_stream";

export type EventMetadata = {
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Key id of the user, or `process:<name>`. */
  readonly actor: string;
  readonly owner: string;
  readonly schemaVersion: number;
  /** For the events of a campaign's calls; absent in older ones. */
  readonly campaignId?: string;
};

/**
 * An event to store. `id` (a UUID) is drawn once for each decision; only a retry of the same append reuses
 * it. The same id twice in one append is refused. An id that exists elsewhere in the stream is refused by
 * PostgreSQL and in memory, but not detected by EventStoreDB, which checks only the expected revision.
 */
export type EventToAppend = {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
};

/** A stored event. */
export type StoredEvent = EventToAppend & {
  readonly stream: StreamName;
  /** Contiguous from 0 in its stream. */
  readonly revision: number;
  /** Strictly ascending in commit order over the whole log; gaps are possible. */
  readonly position: Position;
  readonly created: Instant;
};

export type AppendResult = { readonly revision: number; readonly position: Position };

export type ReadOptions = {
  /** Inclusive revision; default: the first (forward) or the last (backward). */
  readonly from?: number;
  readonly direction?: "forward" | "backward";
  readonly max?: number;
  readonly signal?: AbortSignal;
};

/** All given conditions must hold. */
export type EventFilter = {
  /** Stream categories: `call`, `campaign`, `squad`, `policy`, `list`. */
  readonly categories?: readonly string[];
  readonly streams?: readonly StreamName[];
  readonly types?: readonly string[];
  readonly owner?: string;
  /** Events of a campaign's stream, and events whose metadata name it. */
  readonly campaignId?: string;
  /** Of these types only events whose metadata name no campaign. */
  readonly outsideOfCampaigns?: readonly string[];
};

export type ReadAllOptions = {
  /** Exclusive: events after it. */
  readonly after: Position;
  /** Exclusive: only events before it. */
  readonly before?: Position;
  /** Newest first; `next` is then the `before` of the next page. */
  readonly backward?: boolean;
  readonly limit: number;
  readonly filter?: EventFilter;
  readonly signal?: AbortSignal;
};
/**
 * `next` is where to read on: it also skips events that the filter leaves out, and may be beyond the last
 * event. `atEnd`: nothing more was there.
 */
export type ReadAllPage = {
  readonly events: readonly StoredEvent[];
  readonly next: Position;
  readonly atEnd: boolean;
};

export type SubscribeOptions = {
  readonly after: Position;
  readonly filter?: EventFilter;
  readonly signal: AbortSignal;
  /** The most events in one array (default 500). */
  readonly batchSize?: number;
  /**
   * Given by a subscription that many follow: a store may gather events for it while the log is busy. Whether
   * somebody waits for them, who is then hardly kept waiting.
   */
  readonly isAwaited?: () => boolean;
};

/**
 * What a subscription yields: events in order, and the position up to which all matching events were
 * delivered (it also advances over filtered events; then `events` may be empty). `caughtUp`: at that moment
 * there was nothing more. Save `position` only after `events` are processed.
 */
export type SubscriptionBatch = {
  readonly events: readonly StoredEvent[];
  readonly position: Position;
  readonly caughtUp: boolean;
};

/**
 * The event log (docs/log.md §1). Every adapter passes test/contracts/event-store. Every function rejects
 * only with `EventStoreError`.
 */
export interface EventStore {
  /**
   * Atomic, at an exact revision. With the same ids again: the original answer, and nothing is written.
   * Subscriptions of this process may get the events as they are, so nobody changes them any more.
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult>;
  /**
   * Events of one stream; rejects NotFound or Deleted for a missing or deleted one. Read long streams
   * in pages with `from`.
   */
  read(stream: StreamName, options?: ReadOptions): Promise<readonly StoredEvent[]>;
  readAll(options: ReadAllOptions): Promise<ReadAllPage>;
  /**
   * Catches up, then follows live, without gap or repeat within one run; survives restarts of the database;
   * ends when `signal` aborts. Memory is bounded with a slow consumer.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionBatch>;
  /** Position of our last event; START when there is none. */
  head(): Promise<Position>;
  /** Negative, 0, positive. */
  comparePositions(a: Position, b: Position): number;
  /** Resolves when the database answers; rejects Unavailable. */
  ping(): Promise<void>;
  /** Ends subscriptions and connections. */
  close(): Promise<void>;
}

export type EventStoreFailure =
  | {
      readonly kind: "conflict";
      readonly stream: StreamName;
      readonly expected: ExpectedRevision;
      readonly actual: ExpectedRevision;
    }
  | {
      readonly kind: "too_large";
      readonly what: "event" | "append";
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly kind: "invalid_event"; readonly index: number; readonly reason: string }
  /** The outcome of an append is unknown: retry with the same ids. */
  | { readonly kind: "unavailable"; readonly cause: string }
  | { readonly kind: "not_found"; readonly stream: StreamName }
  | { readonly kind: "deleted"; readonly stream: StreamName };

export class EventStoreError extends Error {
  override readonly name = "EventStoreError";
  readonly failure: EventStoreFailure;

  constructor(failure: EventStoreFailure) {
    super(`event log: ${JSON.stringify(failure)}`);
    this.failure = failure;
  }
}

export function isEventStoreFailure<K extends EventStoreFailure["kind"]>(
  error: unknown,
  kind: K,
): error is EventStoreError & { readonly failure: Extract<EventStoreFailure, { kind: K }> } {
  return error instanceof EventStoreError && error.failure.kind === kind;
}

export const MAX_EVENT_BYTES = 512 * 1024;
export const MAX_APPEND_BYTES = 1_048_576;
