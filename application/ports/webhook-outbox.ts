import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { EventMetadata } from "./event-store.ts";

/** One webhook event, body ready: these very bytes go out on every attempt and replay. */
export type OutboxEntry = {
  /** UUIDv5 of what happened: the same cause is the same entry. */
  readonly eventId: string;
  readonly owner: OwnerId;
  readonly kind: WebhookEventKind;
  /** null: it is about a campaign. */
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  /** Its place among the events about the same call or campaign: it goes out after those with a lower one. */
  readonly sequence: number;
  readonly occurredAt: Instant;
  /** JSON text, at most 256 KiB. */
  readonly body: string;
};

/** A call.ended that waits for a recording or for the campaign's record of the outcome. */
export type PendingEnd = { readonly callId: CallId; readonly owner: OwnerId; readonly due: Instant };

/**
 * What goes out is first put here, in one transaction (docs/delivery.md). The PostgreSQL form and the in-memory one pass test/contracts/webhook-outbox.
 */
export interface WebhookOutbox {
  /** Once per eventId and endpoint, however often it is called; clears the pending end of a call whose call.ended is among them. An owner without any endpoint ever: nothing is queued. */
  enqueue(entries: readonly OutboxEntry[]): Promise<void>;
  /** False: of this kind nothing would be queued now for the owner that an event names, so that no body need be made. */
  takes(owner: EventMetadata["owner"], kind: WebhookEventKind): Promise<boolean>;
  /** Keeps the earliest `due` of a call, also of several in one list; nothing when its call.ended is queued or was told already. */
  deferEnds(ends: readonly PendingEnd[]): Promise<void>;
  /** Pending ends whose time has come, the longest due first. */
  dueEnds(now: Instant, limit: number): Promise<readonly PendingEnd[]>;
  nextEndDue(): Promise<Instant | null>;
  /** Takes the words out of what is stored about these calls; the events stay, and go out emptied. */
  emptyCalls(callIds: readonly CallId[]): Promise<void>;
  /** These can never be told: nothing waits for them any more. */
  dropEnds(callIds: readonly CallId[]): Promise<void>;
}
