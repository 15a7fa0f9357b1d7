import type { CallId, CampaignId, DeliveryId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../domain/webhook/kinds.ts";
import type { OutboxEntry } from "./webhook-outbox.ts";

/** `misconfigured`: its address is not allowed (found out at a connect). A PUT ends both of the last two. */
export type WebhookStatus = "enabled" | "disabled" | "misconfigured";

export type WebhookEndpoint = {
  readonly url: string;
  readonly enabled: boolean;
  readonly events: readonly WebhookEventKind[];
  readonly status: WebhookStatus;
  /** Why it is disabled: by a PUT, by a 410, or after 120 h without a success. */
  readonly disabledReason: "manual" | "gone" | "failing" | null;
  /** Deliveries waiting for an attempt or in one. */
  readonly pending: number;
  readonly held: number;
  readonly dead: number;
  /** When the oldest event was queued that is neither delivered nor dead. */
  readonly oldestUndeliveredAt: Instant | null;
};

/** Why a URL is not taken. */
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

/** One line of the attempt log; times in milliseconds, null when the phase did not happen. */
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
  /** The first 4 KiB of the answer. */
  readonly response: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly remoteAddress: string | null;
  /** Names the secret that signed it, without telling anything about it. */
  readonly secretId: string | null;
  readonly nextAttemptAt: Instant | null;
};

export type WebhookDeliveryDetail = WebhookDelivery & {
  /** null: dropped 14 days after the event. */
  readonly body: string | null;
  readonly attemptLog: readonly WebhookAttempt[];
};

export type DeliveryQuery = {
  readonly event?: WebhookEventKind;
  readonly status?: DeliveryStatus;
  readonly callId?: CallId;
  /** Newest first: only those made before this one. */
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
  /** Omitted: those that the endpoint takes. */
  readonly events?: readonly WebhookEventKind[];
  readonly campaignId?: CampaignId;
};

/** What a test sends; `eventId` is the one that its body names. */
export type WebhookSample = {
  readonly event: WebhookEventKind;
  readonly eventId: string;
  readonly body: string;
};

export type WebhookTestAnswer = {
  /** HTTP status; null when there was no answer, `detail` then says why. */
  readonly status: number | null;
  readonly ms: number;
  readonly detail: string | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: string | null;
};

/** What an owner can see and change of its webhooks (docs/api.md §7). */
export interface WebhookSettings {
  /** null: never set. */
  get(owner: OwnerId): Promise<WebhookEndpoint | null>;
  /** Judges the URL and every address of its name; makes the secret when there is none; closes the breaker; enabling sends what was held. `events` null: the default ones. */
  put(
    owner: OwnerId,
    settings: {
      readonly url: string;
      readonly enabled: boolean;
      readonly events: readonly WebhookEventKind[] | null;
    },
  ): Promise<PutWebhookAnswer>;
  /** Makes it when there is none. */
  secret(owner: OwnerId): Promise<string>;
  /** Makes a new secret; for `overlapSeconds` the old one signs as well. A second rotation during an overlap ends the first. */
  rotateSecret(
    owner: OwnerId,
    overlapSeconds: number,
  ): Promise<{ readonly secret: string; readonly previousValidUntil: Instant | null }>;
  /** Sends this body now, once, whether the endpoint is enabled or not; null without an endpoint. */
  sendTest(owner: OwnerId, sample: WebhookSample): Promise<WebhookTestAnswer | null>;
  deliveries(owner: OwnerId, query: DeliveryQuery): Promise<readonly WebhookDelivery[]>;
  delivery(owner: OwnerId, id: DeliveryId): Promise<WebhookDeliveryDetail | null>;
  /** A delivery of its own with the same event id and body, and one attempt; the original's pending retry is dropped. */
  replay(owner: OwnerId, id: DeliveryId): Promise<ReplayAnswer>;
  /** Replays every stored event of the range once per `replayId`, however often it is asked. Answers how many are in it. */
  replayRange(owner: OwnerId, replayId: string, range: ReplayRange): Promise<{ readonly deliveries: number }>;
}

/** Where events go that are made again from the log for a range replay: they were never queued, because no endpoint was set then. */
export interface ReplayArchive {
  /** Those of the events whose body is not stored. */
  missing(owner: OwnerId, eventIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores bodies where there are none, for `replayRange` to find; queues nothing, and an ordinary delivery that comes after all is not kept back. */
  store(owner: OwnerId, entries: readonly OutboxEntry[]): Promise<void>;
}
