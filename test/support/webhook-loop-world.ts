import type { DeliveryStore } from "../../application/ports/delivery-store.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import type { OutboxEntry } from "../../application/ports/webhook-outbox.ts";
import { type DeliveryLoop, deliveryLoop } from "../../application/webhook/delivery/delivery-loop.ts";
import { DEFAULT_PLACES, type PlaceLimits } from "../../application/webhook/delivery/places.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type CallWebhookKind, DEFAULT_KINDS, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { attemptSender } from "../../infrastructure/webhook/delivery/attempt.ts";
import { memoryDeliveryStore } from "../../simulation/memory/delivery-store.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";
import {
  type MemoryDelivery,
  type MemoryOutboxState,
  memoryOutbox,
  memoryOutboxState,
  putMemoryEndpoint,
} from "../../simulation/memory/webhook-outbox.ts";
import { type MovingClock, movingClock } from "./moving-clock.ts";
import { type ScriptedReceivers, scriptedReceivers } from "./scripted-receivers.ts";

export const LOOP_SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

export type LoopWorld = {
  readonly clock: MovingClock;
  readonly receivers: ScriptedReceivers;
  readonly state: MemoryOutboxState;
  /** Another process on the same durable state; the first one is started already. */
  startLoop(worker: string): DeliveryLoop;
  readonly loop: DeliveryLoop;
  putEndpoint(owner: OwnerId, enabled?: boolean): void;
  enqueue(...entries: OutboxEntry[]): Promise<void>;
  /** Lets everything run that can run now. */
  settle(): Promise<void>;
  /** Moves the clock in steps, as a second at a time. */
  pass(millis: number): Promise<void>;
  deliveries(owner: OwnerId): MemoryDelivery[];
  close(): Promise<void>;
};

export function urlOf(owner: OwnerId): string {
  return `http://127.0.0.1:8080/${owner}`;
}

export function webhookEntry(
  owner: OwnerId,
  call: string,
  kind: CallWebhookKind = "call.ended",
): OutboxEntry {
  const callId: CallId = `call_${call}`;
  const body = JSON.stringify({ event: kind, data: { callId } });
  const occurredAt = "2026-09-01T10:00:00.000Z";
  const { sequence } = WEBHOOK_KINDS[kind];
  return { eventId: `${kind} ${callId}`, owner, kind, callId, campaignId: null, sequence, occurredAt, body };
}

/** What a test wants otherwise, of every loop of its world. */
type Differing = {
  /** Name of the first loop. */
  readonly worker?: string;
  readonly wrapStore?: (store: DeliveryStore) => DeliveryStore;
  readonly wrapReceivers?: (receivers: ScriptedReceivers) => Pick<ScriptedReceivers, "send">;
  readonly metrics?: Metrics;
  readonly logger?: Logger;
  readonly places?: PlaceLimits;
};

/** The delivery loop over the in-memory outbox, with scripted receivers and a clock that a test moves. */
export function webhookLoopWorld({
  worker: first = "w1",
  wrapStore = (store) => store,
  wrapReceivers = (receivers) => receivers,
  metrics = silentMetrics,
  logger = silentLogger,
  places = DEFAULT_PLACES,
}: Differing = {}): LoopWorld {
  const clock = movingClock();
  const receivers = scriptedReceivers();
  const state = memoryOutboxState();
  const loops: DeliveryLoop[] = [];
  const startLoop = (worker: string): DeliveryLoop => {
    const made = deliveryLoop({
      store: wrapStore(memoryDeliveryStore(state, clock)),
      sendAttempt: attemptSender(wrapReceivers(receivers)),
      clock,
      random: () => 0.5,
      logger,
      metrics,
      places,
      worker,
    });
    made.start();
    loops.push(made);
    return made;
  };
  const loop = startLoop(first);
  const outbox = memoryOutbox(state, { clock, ids: systemIds, onQueued: (owners) => loop.wake(owners) });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    clock,
    receivers,
    state,
    startLoop,
    loop,
    putEndpoint(owner, enabled = true) {
      const secrets = { current: LOOP_SECRET, previous: null };
      const events = DEFAULT_KINDS;
      putMemoryEndpoint(
        state,
        owner,
        { url: urlOf(owner), inUse: enabled, events, secrets },
        clock.nowMillis(),
      );
      loop.refresh([owner]);
    },
    async enqueue(...entries) {
      await outbox.enqueue(entries);
      await settle();
    },
    settle,
    async pass(millis) {
      for (let left = millis; left > 0; left -= 1_000) {
        clock.advance(Math.min(left, 1_000));
        await settle();
      }
    },
    deliveries: (owner) => [...state.deliveries.values()].filter((delivery) => delivery.owner === owner),
    async close() {
      for (const request of receivers.open()) request.answer(500);
      await Promise.all(loops.map((each) => each.stop(0)));
    },
  };
}
