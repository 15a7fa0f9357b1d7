import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { EventMetadata } from "./event-store.ts";

/** One webhook event with its final body: these bytes are sent on every attempt and replay. */
export type OutboxEntry = {
  /** UUIDv5 of the cause: the same cause gives the same entry. */
  readonly eventId: string;
  readonly owner: OwnerId;
  readonly kind: WebhookEventKind;
  /** null: it is about a campaign, or about a number. */
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  /** Of an event about a number and nothing else; absent: it is about a call or a campaign. */
  readonly phoneNumber?: PhoneNumber;
  /**
   * Its place among the events about the same call, campaign or number: it is sent after those with a lower
   * one.
   */
  readonly sequence: number;
  readonly occurredAt: Instant;
  /** JSON text, at most 256 KiB. */
  readonly body: string;
};

/** A call.ended that waits for a recording or for the campaign's record of the outcome. */
export type PendingEnd = { readonly callId: CallId; readonly owner: OwnerId; readonly due: Instant };

/**
 * Every webhook is stored here first, in one transaction (docs/delivery.md). The PostgreSQL and the in-memory
 * form pass test/contracts/webhook-outbox.
 */
export interface WebhookOutbox {
  /**
   * Once for each eventId and endpoint, however often it is called; removes the pending end of a call whose
   * call.ended is included. For an owner that never had an endpoint nothing is queued.
   */
  enqueue(entries: readonly OutboxEntry[]): Promise<void>;
  /** False: nothing of this kind would be queued now for the event's owner, so no body has to be made. */
  takes(owner: EventMetadata["owner"], kind: WebhookEventKind): Promise<boolean>;
  /**
   * Keeps the earliest `due` of a call, also among several in the list; ignored when its call.ended is
   * already queued or was sent.
   */
  deferEnds(ends: readonly PendingEnd[]): Promise<void>;
  /** Pending ends whose time has come, the longest due first. */
  dueEnds(now: Instant, limit: number): Promise<readonly PendingEnd[]>;
  nextEndDue(): Promise<Instant | null>;
  /** Whether the call.ended of this call still waits. */
  endWaits(callId: CallId): Promise<boolean>;
  /** Removes the texts of these calls from stored webhooks; the events stay and are sent without texts. */
  emptyCalls(callIds: readonly CallId[]): Promise<void>;
  /** These can never be sent: nothing waits for them any more. */
  dropEnds(callIds: readonly CallId[]): Promise<void>;
}
