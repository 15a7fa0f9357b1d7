import type { Clock } from "../../application/ports/clock.ts";
import type { AttemptRecord } from "../../application/ports/delivery-store.ts";
import type { Ids } from "../../application/ports/ids.ts";
import type { OutboxEntry, PendingEnd, WebhookOutbox } from "../../application/ports/webhook-outbox.ts";
import type { EndpointSecrets } from "../../application/ports/webhook-sender.ts";
import { erasedBody } from "../../application/webhook/erased-body.ts";
import type { CallId, DeliveryId, OwnerId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { CLOSED_BREAKER } from "../../domain/webhook/breaker.ts";
import { type EndpointHealth, HELD_MILLIS } from "../../domain/webhook/endpoint-health.ts";
import { KINDS_WITH_FACTS, subjectOf, type WebhookEventKind } from "../../domain/webhook/kinds.ts";

export type MemoryEndpoint = {
  url: string;
  inUse: boolean;
  events: readonly WebhookEventKind[];
  version: number;
  secrets: EndpointSecrets;
  health: EndpointHealth;
  proven: boolean;
  lease: { worker: string; untilMillis: number } | null;
};

export type MemoryDelivery = {
  readonly owner: OwnerId;
  readonly id: DeliveryId;
  entry: OutboxEntry;
  readonly afterId: DeliveryId | null;
  status: "pending" | "sending" | "delivered" | "retrying" | "held" | "dead";
  attempts: number;
  failures: number;
  nextAttemptAtMillis: number;
  startedAtMillis: number | null;
  heldUntilMs: number | null;
  recovering: boolean;
  readonly createdAtMs: number;
};

/** One line of the log: an end, or an attempt that ended unknown. */
export type MemoryAttempt =
  | AttemptRecord
  | { readonly id: DeliveryId; readonly number: number; readonly class: "unknown" };

/** Everything durable; it outlives the process of a simulated crash. */
export type MemoryOutboxState = {
  readonly endpoints: Map<OwnerId, MemoryEndpoint>;
  /** By owner and event id. */
  readonly deliveries: Map<string, MemoryDelivery>;
  readonly attempts: MemoryAttempt[];
  readonly pendingEnds: Map<CallId, PendingEnd>;
};

export function memoryOutboxState(): MemoryOutboxState {
  return { endpoints: new Map(), deliveries: new Map(), attempts: [], pendingEnds: new Map() };
}

/**
 * Saves an endpoint's settings as a PUT does: the breaker closes, held deliveries are due if it is in use.
 */
export function putMemoryEndpoint(
  state: MemoryOutboxState,
  owner: OwnerId,
  settings: Pick<MemoryEndpoint, "url" | "inUse" | "events" | "secrets">,
  nowMillis: number,
): void {
  const before = state.endpoints.get(owner);
  const health = { breaker: CLOSED_BREAKER, silentSinceMillis: nowMillis, exhausted: false };
  const version = (before?.version ?? 0) + 1;
  state.endpoints.set(owner, { ...settings, version, health, proven: false, lease: before?.lease ?? null });
  for (const delivery of state.deliveries.values()) {
    if (delivery.owner !== owner) continue;
    if (settings.inUse && delivery.status === "held") free(delivery, nowMillis);
    if (!settings.inUse) holdOpen(delivery, nowMillis);
  }
}

function free(delivery: MemoryDelivery, nowMillis: number): void {
  delivery.status = delivery.failures > 0 ? "retrying" : "pending";
  delivery.nextAttemptAtMillis = nowMillis;
  delivery.heldUntilMs = null;
}

/** Holds a delivery that waits for an attempt; one in flight is not changed. */
export function holdOpen(delivery: MemoryDelivery, nowMillis: number): void {
  if (delivery.status !== "pending" && delivery.status !== "retrying") return;
  delivery.status = "held";
  delivery.heldUntilMs = nowMillis + HELD_MILLIS;
}

/**
 * The in-memory form of the PostgreSQL outbox for tests and the simulation; both pass
 * test/contracts/webhook-outbox.
 */
export function memoryOutbox(
  state: MemoryOutboxState,
  deps: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly onQueued: (owners: readonly OwnerId[]) => void;
  },
): WebhookOutbox {
  return {
    async enqueue(entries) {
      const ordered = entries.toSorted((a, b) => a.sequence - b.sequence);
      const queued = ordered.filter((entry) =>
        enqueueOne(state, entry, deps.ids.next("dlv"), deps.clock.nowMillis()),
      );
      for (const { kind, callId } of entries)
        if (callId !== null && hasFacts(kind)) state.pendingEnds.delete(callId);
      if (queued.length > 0) deps.onQueued([...new Set(queued.map((entry) => entry.owner))]);
    },
    async takes(owner, kind) {
      return [...state.endpoints].some(([of, { events }]) => of === owner && events.includes(kind));
    },
    async deferEnds(ends) {
      for (const end of ends) {
        const announced = [...state.deliveries.values()].some(
          ({ entry }) => entry.callId === end.callId && hasFacts(entry.kind),
        );
        const waiting = state.pendingEnds.get(end.callId);
        if (!announced && (waiting === undefined || end.due < waiting.due))
          state.pendingEnds.set(end.callId, end);
      }
    },
    async dueEnds(now, limit) {
      return byDue(state)
        .filter((end) => end.due <= now)
        .slice(0, limit);
    },
    async nextEndDue() {
      return byDue(state)[0]?.due ?? null;
    },
    async endWaits(callId) {
      return state.pendingEnds.has(callId);
    },
    async emptyCalls(callIds) {
      for (const delivery of state.deliveries.values()) {
        const { callId, body } = delivery.entry;
        if (callId !== null && callIds.includes(callId))
          delivery.entry = { ...delivery.entry, body: erasedBody(body) };
      }
    },
    async dropEnds(callIds) {
      for (const callId of callIds) state.pendingEnds.delete(callId);
    },
  };
}

function hasFacts(kind: WebhookEventKind): boolean {
  return KINDS_WITH_FACTS.some((each) => each === kind);
}

function byDue(state: MemoryOutboxState): PendingEnd[] {
  return [...state.pendingEnds.values()].sort((a, b) => millisOf(a.due) - millisOf(b.due));
}

/** The delivery that goes out right before this one; undefined: none has to. */
function deliveryBefore(state: MemoryOutboxState, entry: OutboxEntry): MemoryDelivery | undefined {
  const subject = subjectOf(entry);
  let before: MemoryDelivery | undefined;
  for (const delivery of state.deliveries.values()) {
    const { entry: other } = delivery;
    if (other.sequence >= entry.sequence || other.owner !== entry.owner || subjectOf(other) !== subject)
      continue;
    if (before === undefined || other.sequence > before.entry.sequence) before = delivery;
  }
  return before;
}

function enqueueOne(
  state: MemoryOutboxState,
  entry: OutboxEntry,
  id: DeliveryId,
  nowMillis: number,
): boolean {
  const endpoint = state.endpoints.get(entry.owner);
  const key = `${entry.owner} ${entry.eventId}`;
  if (endpoint === undefined || !endpoint.events.includes(entry.kind) || state.deliveries.has(key))
    return false;
  state.deliveries.set(key, {
    owner: entry.owner,
    id,
    entry,
    afterId: deliveryBefore(state, entry)?.id ?? null,
    status: endpoint.inUse ? "pending" : "held",
    attempts: 0,
    failures: 0,
    nextAttemptAtMillis: nowMillis,
    startedAtMillis: null,
    heldUntilMs: endpoint.inUse ? null : nowMillis + HELD_MILLIS,
    recovering: false,
    createdAtMs: nowMillis,
  });
  return true;
}
