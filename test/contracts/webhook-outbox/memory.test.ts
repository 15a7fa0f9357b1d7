import { DEFAULT_KINDS } from "../../../domain/webhook/kinds.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { memoryDeliveryStore } from "../../../simulation/memory/delivery-store.ts";
import {
  memoryOutbox,
  memoryOutboxState,
  putMemoryEndpoint,
} from "../../../simulation/memory/webhook-outbox.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { webhookOutboxContract } from "./contract.ts";
import type { OutboxWorld } from "./world.ts";

const secrets = { current: "whsec_a2V5", previous: null };

async function open(): Promise<OutboxWorld> {
  const clock = movingClock();
  const state = memoryOutboxState();
  const queued: OutboxWorld["queued"] = [];
  return {
    outbox: memoryOutbox(state, { clock, ids: systemIds, onQueued: (owners) => queued.push(...owners) }),
    store: memoryDeliveryStore(state, clock),
    clock,
    queued,
    async putEndpoint(owner, { enabled = true, events } = {}) {
      const settings = {
        url: "http://127.0.0.1:8080/",
        inUse: enabled,
        events: events ?? DEFAULT_KINDS,
        secrets,
      };
      putMemoryEndpoint(state, owner, settings, clock.nowMillis());
      return state.endpoints.get(owner)?.version ?? 0;
    },
    async attemptClasses({ id }) {
      return state.attempts.filter((attempt) => attempt.id === id).map((attempt) => attempt.class);
    },
    async statuses(owner) {
      return [...state.deliveries.values()].filter((one) => one.owner === owner).map((one) => one.status);
    },
    close: () => Promise.resolve(),
  };
}

webhookOutboxContract("the outbox in memory", open);
