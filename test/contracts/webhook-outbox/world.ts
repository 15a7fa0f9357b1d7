import type {
  AttemptRecord,
  ClaimedDelivery,
  DeliveryStore,
  HealthRecord,
} from "../../../application/ports/delivery-store.ts";
import type { OutboxEntry, WebhookOutbox } from "../../../application/ports/webhook-outbox.ts";
import { numberSuppressed } from "../../../application/suppression/listing.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { AttemptClass } from "../../../domain/webhook/attempt-outcome.ts";
import { CLOSED_BREAKER } from "../../../domain/webhook/breaker.ts";
import type { Retirement } from "../../../domain/webhook/endpoint-health.ts";
import {
  type CallWebhookKind,
  type CampaignWebhookKind,
  isCallKind,
  isNumberKind,
  WEBHOOK_KINDS,
  type WebhookEventKind,
} from "../../../domain/webhook/kinds.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import type { MovingClock } from "../../support/moving-clock.ts";

/** One implementation, empty, with a clock of its own. */
export type OutboxWorld = {
  readonly outbox: WebhookOutbox;
  readonly store: DeliveryStore;
  readonly clock: MovingClock;
  /** Owners of every onQueued. */
  readonly queued: OwnerId[];
  /** Saves an endpoint as PUT /webhook does; answers its version. */
  putEndpoint(
    owner: OwnerId,
    settings?: { enabled?: boolean; events?: OutboxEntry["kind"][] },
  ): Promise<number>;
  /** Classes of the attempt log, in order. */
  attemptClasses(delivery: ClaimedDelivery): Promise<AttemptClass[]>;
  statuses(owner: OwnerId): Promise<string[]>;
  close(): Promise<void>;
};

export const owner: OwnerId = "usr_a";
export const other: OwnerId = "usr_b";

export function entry(kind: CallWebhookKind, call = "1", of: OwnerId = owner): OutboxEntry {
  const callId: CallId = `call_${call}`;
  return {
    eventId: `${kind} ${callId}`,
    owner: of,
    kind,
    callId,
    campaignId: null,
    sequence: WEBHOOK_KINDS[kind].sequence,
    occurredAt: "2026-09-01T10:00:00.000Z",
    body: JSON.stringify({ event: kind, data: { callId, name: 'Zoë 🎉 \u0000 \\ "日本"' } }),
  };
}

/** An event of the campaign, told by the event at this revision of its stream. */
export function campaignEntry(kind: CampaignWebhookKind, sequence: number, campaign = "1"): OutboxEntry {
  const campaignId: CampaignId = `cmp_${campaign}`;
  return {
    eventId: `${kind} ${campaignId} ${sequence}`,
    owner,
    kind,
    callId: null,
    campaignId,
    sequence,
    occurredAt: "2026-09-01T10:00:00.000Z",
    body: JSON.stringify({ event: kind, data: { campaign: { id: campaignId } } }),
  };
}

export function anyEntry(kind: WebhookEventKind): OutboxEntry {
  if (isCallKind(kind)) return entry(kind);
  return isNumberKind(kind) ? numberEntry(1) : campaignEntry(kind, 1);
}

/** The number, listed so many times. */
export function numberEntry(times: number, phoneNumber: PhoneNumber = "+15005550006"): OutboxEntry {
  const at = "2026-09-01T10:00:00.000Z";
  const listing = { reason: null, source: "api", callId: null, campaignId: null } as const;
  return numberSuppressed(systemIds, { owner, phoneNumber, ...listing, at, times });
}

/** Claims up to `limit` due deliveries of one owner, at the version given. */
export function claim(world: OutboxWorld, limit = 10, version = 1, of: OwnerId = owner) {
  return world.store.claim([{ owner: of, version, limit }], world.clock.nowMillis());
}

type End = Pick<AttemptRecord, "status" | "failures" | "nextAttemptAtMillis"> & { class: AttemptClass };

export const DELIVERED: End = {
  class: "delivered",
  status: "delivered",
  failures: 0,
  nextAttemptAtMillis: null,
};

export function retryAt(nextAttemptAtMillis: number, failures = 1): End {
  return { class: "refused", status: "retrying", failures, nextAttemptAtMillis };
}

export function ended(world: OutboxWorld, delivery: ClaimedDelivery, end: End): AttemptRecord {
  const now = world.clock.nowMillis();
  return {
    owner: delivery.owner,
    id: delivery.id,
    number: delivery.attempt,
    trigger: "auto",
    startedAtMillis: now,
    endedAtMillis: now,
    httpStatus: 200,
    detail: null,
    phases: { dns: null, connect: null, tls: null, firstByte: 1, total: 2 },
    answer: "ok",
    answerHeaders: {},
    remoteAddress: "127.0.0.1",
    secretId: "abc",
    ...end,
  };
}

export function retired(world: OutboxWorld, retire: Retirement, version = 1): HealthRecord {
  const atMillis = world.clock.nowMillis();
  const health = { breaker: CLOSED_BREAKER, silentSinceMillis: atMillis, exhausted: false };
  return { owner, version, health, proven: false, retire, atMillis };
}
