import type { CallId, CampaignId, DeliveryId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { OutboxEntry } from "./webhook-outbox.ts";

/** `misconfigured`: its address is not allowed (detected while connecting). A PUT ends the last two. */
export type WebhookStatus = "enabled" | "disabled" | "misconfigured";

export type WebhookEndpoint = {
  readonly url: string;
  readonly enabled: boolean;
  readonly events: readonly WebhookEventKind[];
  readonly status: WebhookStatus;
  /** Why it is disabled: by a PUT, by a 410, or after 120 h without a success. */
  readonly disabledReason: "manual" | "gone" | "failing" | null;
  /** Deliveries that wait for an attempt or are in flight. */
  readonly pending: number;
  readonly held: number;
  readonly dead: number;
  /** When the oldest event was queued that is neither delivered nor a dead letter. */
  readonly oldestUndeliveredAt: Instant | null;
};

/** Why a URL is refused. */
export type WebhookUrlRefusal =
  | "not_a_url"
  | "scheme_not_allowed"
  | "credentials_in_url"
  | "port_not_allowed"
  | "address_not_allowed"
  | "host_not_found";

export type PutWebhookAnswer =
  | { readonly saved: true; readonly endpoint: WebhookEndpoint }
  | { readonly saved: false; readonly reason: WebhookUrlRefusal };

export type DeliveryStatus = "pending" | "sending" | "delivered" | "retrying" | "held" | "dead";

export type WebhookDelivery = {
  readonly id: DeliveryId;
  readonly eventId: string;
  readonly event: WebhookEventKind;
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  readonly status: DeliveryStatus;
  readonly trigger: "auto" | "manual" | "test";
  readonly attempts: number;
  readonly nextAttemptAt: Instant | null;
  readonly createdAt: Instant;
  readonly deliveredAt: Instant | null;
};

/** One entry of the attempt log; times in milliseconds, null for phases that did not happen. */
export type WebhookAttempt = {
  readonly number: number;
  readonly trigger: "auto" | "manual" | "test" | "recovery";
  readonly startedAt: Instant;
  readonly class:
    | "delivered"
    | "gone"
    | "throttled"
    | "redirect"
    | "refused"
    | "unreachable"
    | "blocked"
    | "unknown";
  readonly status: number | null;
  readonly detail: string | null;
  readonly phases: {
    readonly dns: number | null;
    readonly connect: number | null;
    readonly tls: number | null;
    readonly firstByte: number | null;
    readonly total: number;
  } | null;
  /** The first 4 KiB of the response. */
  readonly response: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly remoteAddress: string | null;
  /** Names the secret that signed it, without revealing it. */
  readonly secretId: string | null;
  readonly nextAttemptAt: Instant | null;
};

export type WebhookDeliveryDetail = WebhookDelivery & {
  /** null: removed 14 days after the event. */
  readonly body: string | null;
  readonly attemptLog: readonly WebhookAttempt[];
};

export type DeliveryQuery = {
  readonly event?: WebhookEventKind;
  readonly status?: DeliveryStatus;
  readonly callId?: CallId;
  /** Newest first: only deliveries created before this one. */
  readonly before?: DeliveryId;
  readonly limit: number;
};

export type ReplayAnswer =
  | { readonly replayed: true; readonly delivery: WebhookDelivery }
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

export type WebhookTestAnswer = {
  /** HTTP status; null without a response, `detail` then says why. */
  readonly status: number | null;
  readonly ms: number;
  readonly detail: string | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: string | null;
};

/** What owners can see and change of their webhooks (docs/api.md §7). */
export interface WebhookSettings {
  /** null: never set. */
  get(owner: OwnerId): Promise<WebhookEndpoint | null>;
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
  rotateSecret(
    owner: OwnerId,
    overlapSeconds: number,
  ): Promise<{ readonly secret: string; readonly previousValidUntil: Instant | null }>;
  /** Sends this body now, once, also to a disabled endpoint; null without an endpoint. */
  sendTest(owner: OwnerId, sample: WebhookSample): Promise<WebhookTestAnswer | null>;
  deliveries(owner: OwnerId, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  delivery(owner: OwnerId, id: DeliveryId): Promise<WebhookDeliveryDetail | null>;
  /**
   * Makes a new delivery with the same event id and body, and one attempt; the pending retry of the
   * original is dropped.
   */
  replay(owner: OwnerId, id: DeliveryId): Promise<ReplayAnswer>;
  /**
   * Replays every stored event of the range once for each `replayId`, however often it is called. Returns
   * how many the range has.
   */
  replayRange(owner: OwnerId, replayId: string, range: ReplayRange): Promise<{ readonly deliveries: number }>;
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
