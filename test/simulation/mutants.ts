import type { Deciders } from "../../application/aggregates.ts";
import { DECIDERS } from "../../application/aggregates.ts";
import type { Admission } from "../../application/ports/admission.ts";
import type { Directory } from "../../application/ports/directory.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Ids } from "../../application/ports/ids.ts";
import type { Telephony } from "../../application/ports/telephony.ts";
import type { Reaction } from "../../application/reactions/reaction.ts";
import type { DeliveryStore } from "../../infrastructure/webhooks/delivery-store.ts";
import type { Shared } from "./shared-world.ts";

/** Places at which a bug can be planted into the simulated world; each leaves things as they are by default. */
export type Mutants = {
  readonly eventStore: (store: EventStore, shared: Shared) => EventStore;
  readonly ids: (ids: Ids) => Ids;
  readonly deciders: Deciders;
  readonly admission: (admission: Admission) => Admission;
  readonly directory: (directory: Directory) => Directory;
  readonly telephony: (telephony: Telephony) => Telephony;
  readonly reaction: (reaction: Reaction, shared: Shared) => Reaction;
  readonly deliveryStore: (store: DeliveryStore) => DeliveryStore;
};

const same = <T>(thing: T): T => thing;

export const HEALTHY: Mutants = {
  eventStore: same,
  ids: same,
  deciders: DECIDERS,
  admission: same,
  directory: same,
  telephony: same,
  reaction: same,
  deliveryStore: same,
};
