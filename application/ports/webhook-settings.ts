import type { DeliveryDetailRecord, DeliveryRecord, ReplaysRecord } from "../../contract/delivery.ts";
import type { RotatedSecretRecord, WebhookRecord, WebhookTestRecord } from "../../contract/webhook.ts";
import type { CallId, CampaignId, DeliveryId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { OutboxEntry } from "./webhook-outbox.ts";

/** Why a URL is refused. */
export type WebhookUrlRefusal =
  | "not_a_url"
  | "scheme_not_allowed"
  | "credentials_in_url"
  | "port_not_allowed"
  | "address_not_allowed"
  | "host_not_found";

export type PutWebhookAnswer =
  | { readonly saved: true; readonly endpoint: WebhookRecord }
  | { readonly saved: false; readonly reason: WebhookUrlRefusal };

export type DeliveryQuery = {
  readonly event?: WebhookEventKind;
  readonly status?: DeliveryRecord["status"];
  readonly callId?: CallId;
  /** Newest first: only deliveries created before this one. */
  readonly before?: DeliveryId;
  readonly limit: number;
};

export type ReplayAnswer =
  | { readonly replayed: true; readonly delivery: DeliveryRecord }
  /** `body_dropped`: older than 14 days. */
  | { readonly replayed: false; readonly reason: "not_found" | "body_dropped" | "erased" };

export type ReplayRange = {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
  /** Absent: the kinds that the endpoint receives. */
  readonly events?: readonly WebhookEventKind[];
  readonly campaignId?: CampaignId;
};

/** The content of a test; `eventId` is the one in its body. */
export type WebhookSample = {
  readonly event: WebhookEventKind;
  readonly eventId: string;
  readonly body: string;
};

/** What owners can see and change of their webhooks (docs/api.md §7). */
export interface WebhookSettings {
  /** null: never set. */
  get(owner: OwnerId): Promise<WebhookRecord | null>;
  /**
   * Checks the URL and every address of its host; makes a secret if there is none; closes the breaker;
   * enabling sends the deliveries that were held. `events` null: the default kinds.
   */
  put(
    owner: OwnerId,
    settings: {
      readonly url: string;
      readonly enabled: boolean;
      readonly events: readonly WebhookEventKind[] | null;
    },
  ): Promise<PutWebhookAnswer>;
  /** Makes one if there is none. */
  secret(owner: OwnerId): Promise<string>;
  /**
   * Makes a new secret; for `overlapSeconds` the old one signs as well. A second rotation during an
   * overlap ends the first.
   */
  rotateSecret(owner: OwnerId, overlapSeconds: number): Promise<RotatedSecretRecord>;
  /** Sends this body now, once, also to a disabled endpoint; null without an endpoint. */
  sendTest(owner: OwnerId, sample: WebhookSample): Promise<WebhookTestRecord | null>;
  deliveries(owner: OwnerId, query: DeliveryQuery): Promise<readonly DeliveryRecord[]>;
  delivery(owner: OwnerId, id: DeliveryId): Promise<DeliveryDetailRecord | null>;
  /**
   * Makes a new delivery with the same event id and body, and one attempt; the pending retry of the
   * original is dropped.
   */
  replay(owner: OwnerId, id: DeliveryId): Promise<ReplayAnswer>;
  /**
   * Replays every stored event of the range once for each `replayId`, however often it is called. Returns
   * how many the range has.
   */
  replayRange(owner: OwnerId, replayId: string, range: ReplayRange): Promise<ReplaysRecord>;
}

/**
 * For events that a range replay makes again from the log, because no endpoint was set when they happened.
 */
export interface ReplayArchive {
  /** Those of the events whose body is not stored. */
  missing(owner: OwnerId, eventIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Stores missing bodies, for `replayRange` to find. It queues nothing, and does not prevent an ordinary
   * delivery of the same event.
   */
  store(owner: OwnerId, entries: readonly OutboxEntry[]): Promise<void>;
}
