import type { Clock } from "../../application/ports/clock.ts";
import type {
  AttemptRecord,
  Claim,
  ClaimedDelivery,
  DeliveryStore,
  HealthRecord,
} from "../../application/ports/delivery-store.ts";
import { holdOpen, type MemoryDelivery, type MemoryOutboxState } from "./webhook-outbox.ts";

/** The delivery loop's side of the in-memory outbox. */
export function memoryDeliveryStore(state: MemoryOutboxState, clock: Clock): DeliveryStore {
  const all = (): MemoryDelivery[] => [...state.deliveries.values()];
  const isLeasedBy = (worker: string, lease: { worker: string; untilMillis: number } | null): boolean =>
    lease === null || lease.worker === worker || lease.untilMillis < clock.nowMillis();
  return {
    async dueOwners(worker, nowMillis, limit) {
      const due = all().filter((delivery) => isOpen(delivery) && delivery.nextAttemptAtMillis <= nowMillis);
      const owners = [...new Set(due.map((delivery) => delivery.owner))];
      return owners
        .filter((owner) => isLeasedBy(worker, state.endpoints.get(owner)?.lease ?? null))
        .slice(0, limit);
    },
    async lease(worker, owners, ttlMillis) {
      return owners.flatMap((owner) => {
        const endpoint = state.endpoints.get(owner);
        if (endpoint === undefined || !isLeasedBy(worker, endpoint.lease)) return [];
        endpoint.lease = { worker, untilMillis: clock.nowMillis() + ttlMillis };
        return [{ ...endpoint, owner }];
      });
    },
    async release(worker, owners) {
      for (const owner of owners) {
        const endpoint = state.endpoints.get(owner);
        if (endpoint?.lease?.worker === worker) endpoint.lease = null;
      }
    },
    async claim(claims, nowMillis) {
      return claims.flatMap((claim) => claimDue(state, claim, nowMillis));
    },
    async giveBack(deliveries) {
      for (const { id, attempt } of deliveries) {
        const delivery = all().find((candidate) => candidate.id === id);
        if (delivery?.status !== "sending" || delivery.attempts !== attempt) continue;
        delivery.status = delivery.failures > 0 ? "retrying" : "pending";
        delivery.attempts -= 1;
        delivery.startedAtMillis = null;
      }
    },
    async record(attempts, healths) {
      for (const health of healths) applyHealth(state, health);
      for (const attempt of attempts) applyAttempt(state, attempt);
    },
    async recoverUnknown(owners, beforeMillis, nowMillis, underWay) {
      const lost = all().filter(
        (delivery) =>
          owners.includes(delivery.owner) &&
          delivery.status === "sending" &&
          (delivery.startedAtMillis ?? nowMillis) < beforeMillis &&
          !underWay.includes(delivery.id),
      );
      for (const delivery of lost) {
        state.attempts.push({ id: delivery.id, number: delivery.attempts, class: "unknown" });
        Object.assign(delivery, {
          status: "retrying",
          nextAttemptAtMillis: nowMillis,
          recovering: true,
          startedAtMillis: null,
        });
      }
      return lost.length;
    },
    async hold(owners, nowMillis) {
      for (const delivery of all()) {
        const inUse = state.endpoints.get(delivery.owner)?.inUse === true;
        if (owners.includes(delivery.owner) && !inUse) holdOpen(delivery, nowMillis);
      }
    },
    async retire(nowMillis, limit) {
      const late = all().filter(
        (delivery) => delivery.status === "held" && (delivery.heldUntilMs ?? nowMillis) <= nowMillis,
      );
      for (const delivery of late.slice(0, limit)) delivery.status = "dead";
      return Math.min(late.length, limit);
    },
    async oldestUndelivered() {
      const open = all().filter((delivery) => isOpen(delivery) || delivery.status === "held");
      return open.length === 0 ? null : Math.min(...open.map((delivery) => delivery.createdAtMs));
    },
  };
}

function isOpen({ status }: MemoryDelivery): boolean {
  return status === "pending" || status === "retrying" || status === "sending";
}

function claimDue(state: MemoryOutboxState, claim: Claim, nowMillis: number): ClaimedDelivery[] {
  const endpoint = state.endpoints.get(claim.owner);
  if (endpoint?.version !== claim.version || !endpoint.inUse) return [];
  const due = [...state.deliveries.values()]
    .filter((delivery) => delivery.owner === claim.owner && mayStart(state, delivery, nowMillis))
    .sort((a, b) => a.nextAttemptAtMillis - b.nextAttemptAtMillis || (a.id < b.id ? -1 : 1));
  return due.slice(0, claim.limit).map((delivery) => {
    Object.assign(delivery, {
      status: "sending",
      attempts: delivery.attempts + 1,
      startedAtMillis: nowMillis,
    });
    const { owner, id, entry, attempts, failures, recovering } = delivery;
    const { eventId, body } = entry;
    return { owner, id, eventId, body, attempt: attempts, failures, trigger: "auto" as const, recovering };
  });
}

function mayStart(state: MemoryOutboxState, delivery: MemoryDelivery, nowMillis: number): boolean {
  if (delivery.status !== "pending" && delivery.status !== "retrying") return false;
  if (delivery.nextAttemptAtMillis > nowMillis) return false;
  if (delivery.afterId === null) return true;
  const first = [...state.deliveries.values()].find((candidate) => candidate.id === delivery.afterId);
  return (
    first === undefined || first.status === "delivered" || first.status === "dead" || first.failures >= 3
  );
}

function applyHealth(state: MemoryOutboxState, record: HealthRecord): void {
  const endpoint = state.endpoints.get(record.owner);
  if (endpoint?.version !== record.version) return;
  endpoint.health = record.health;
  endpoint.proven = record.proven;
  if (record.retire === null || !endpoint.inUse) return;
  endpoint.inUse = false;
  endpoint.version += 1;
  for (const delivery of state.deliveries.values())
    if (delivery.owner === record.owner) holdOpen(delivery, record.atMillis);
}

function applyAttempt(state: MemoryOutboxState, attempt: AttemptRecord): void {
  const logged = state.attempts.some(({ id, number }) => id === attempt.id && number === attempt.number);
  if (!logged) state.attempts.push(attempt);
  const delivery = [...state.deliveries.values()].find(({ id }) => id === attempt.id);
  if (delivery?.status !== "sending" || delivery.attempts !== attempt.number) return;
  const inUse = state.endpoints.get(delivery.owner)?.inUse === true;
  delivery.status = attempt.status === "held" && inUse ? "retrying" : attempt.status;
  delivery.failures = attempt.failures;
  delivery.nextAttemptAtMillis = attempt.nextAttemptAtMillis ?? delivery.nextAttemptAtMillis;
  delivery.recovering = false;
  delivery.startedAtMillis = null;
  if (delivery.status === "held") {
    delivery.status = "retrying";
    holdOpen(delivery, attempt.endedAtMillis);
  }
}
