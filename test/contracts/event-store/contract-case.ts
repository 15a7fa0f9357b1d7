import type { EventStore } from "../../../application/ports/event-store.ts";
import type { EventStoreHarness } from "./harness.ts";

/** What the case that runs now has: a harness of its own, and a first store on its log. */
export type ContractCase = {
  readonly harness: () => EventStoreHarness;
  readonly store: () => EventStore;
};
