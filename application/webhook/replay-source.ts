import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { OutboxEntry } from "../ports/webhook-outbox.ts";

/** What of the log a range replay is about. */
export type ReplayedPart = {
  readonly owner: OwnerId;
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  readonly kinds: ReadonlySet<WebhookEventKind>;
  readonly campaignId?: CampaignId;
};

/** One event of the range. `make` answers null where there is nothing to send (yet): the ordinary delivery will send it. */
export type ReplayedEvent = {
  readonly eventId: string;
  readonly make: () => Promise<OutboxEntry | null>;
};

/** Every event of the range about calls, or about campaigns, some at a time: memory is bounded by what one array needs. */
export type ReplaySource = {
  readonly events: (part: ReplayedPart) => AsyncIterable<readonly ReplayedEvent[]>;
  /** Bodies made at once. */
  readonly atOnce: number;
};
