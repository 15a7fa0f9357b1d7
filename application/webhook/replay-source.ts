import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { OutboxEntry } from "../ports/webhook-outbox.ts";

/** The part of the log that a range replay covers. */
export type ReplayedPart = {
  readonly owner: OwnerId;
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly kinds: ReadonlySet<WebhookEventKind>;
  readonly campaignId?: CampaignId;
};

/**
 * One event of the range. `make` returns null when there is nothing to send (yet): the ordinary
 * delivery will send it.
 */
export type ReplayedEvent = {
  readonly eventId: string;
  readonly make: () => Promise<OutboxEntry | null>;
};

/** Every event of the range about calls, or about campaigns, in arrays that bound the memory. */
export type ReplaySource = {
  readonly events: (part: ReplayedPart) => AsyncIterable<readonly ReplayedEvent[]>;
  /** Bodies made at once. */
  readonly atOnce: number;
};
