import type { Deciders } from "../../application/log/aggregates.ts";
import type { Reaction } from "../../application/log/reaction.ts";
import type { Admission } from "../../application/ports/admission.ts";
import type { Analyses, StoredAnalysisSettings } from "../../application/ports/analyses.ts";
import type { CampaignCommandQueue } from "../../application/ports/campaign-commands.ts";
import type { Carrier } from "../../application/ports/carrier.ts";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { DeliveryStore } from "../../application/ports/delivery-store.ts";
import type { Directory } from "../../application/ports/directory.ts";
import type { Eligibility } from "../../application/ports/eligibility.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Ids } from "../../application/ports/ids.ts";
import type { Imports } from "../../application/ports/imports.ts";
import type { Leases } from "../../application/ports/leases.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { OptOuts } from "../../application/ports/opt-outs.ts";
import type { PinnedConversations } from "../../application/ports/pinned-conversations.ts";
import type { Policies } from "../../application/ports/policies.ts";
import type { MemoryDatabase } from "../../infrastructure/log/memory/database.ts";
import type { MemoryAdmission } from "../memory/admission.ts";
import type { MemoryDirectory } from "../memory/directory.ts";
import type { MemoryPolicies } from "../memory/policies.ts";
import type { MemoryLists } from "../memory/suppressions/lists.ts";
import type { MemoryListState } from "../memory/suppressions/suppression-list.ts";
import type { MemoryOutboxState } from "../memory/webhook-outbox.ts";
import type { FaultyAddress } from "./faulty-address.ts";
import type { FaultyAnalysisModels } from "./faulty-analysis-models.ts";
import type { FaultyReceiver } from "./faulty-receiver.ts";
import type { RememberingCodec } from "./remembering-codec.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SimulatedLists } from "./simulated-lists.ts";
import type { FaultyCarriers } from "./two-carriers.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Everything that outlives a process: the stores, the carrier, time itself. */
export type Shared = {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly database: MemoryDatabase;
  readonly codec: RememberingCodec;
  readonly admission: MemoryAdmission;
  readonly directory: MemoryDirectory;
  readonly policies: MemoryPolicies;
  readonly suppressionLists: MemoryLists;
  readonly simulatedLists: SimulatedLists;
  /** null: the owner has none. */
  readonly address: FaultyAddress | null;
  readonly pinnedConversations: PinnedConversations;
  readonly analyses: Analyses;
  readonly analysisSettings: StoredAnalysisSettings;
  readonly leases: Leases;
  readonly leaseMillis: number;
  readonly commandQueue: CampaignCommandQueue;
  readonly imports: Imports;
  readonly checkpoints: Checkpoints;
  readonly outbox: MemoryOutboxState;
  readonly lists: MemoryListState;
  readonly carriers: FaultyCarriers;
  /** null: nobody asks after a call. */
  readonly analysisModels: FaultyAnalysisModels | null;
  /** null: nothing is delivered. */
  readonly receiver: FaultyReceiver | null;
  readonly mutants: Mutants;
  /** The process reaches a place where it may die. */
  readonly reached: (point: string) => void;
  /** A line of the run's trace; made only if it is wanted. */
  readonly trace: (line: () => string) => void;
};

/** Hooks to plant a bug into the simulated world; by default they change nothing. */
export type Mutants = {
  readonly eventStore: (store: EventStore, shared: Shared) => EventStore;
  readonly ids: (ids: Ids) => Ids;
  readonly deciders: Deciders;
  readonly admission: (admission: Admission) => Admission;
  readonly directory: (directory: Directory) => Directory;
  readonly telephony: (telephony: Carrier) => Carrier;
  readonly carriers: (carriers: Carriers) => Carriers;
  readonly optOuts: (optOuts: OptOuts, shared: Shared) => OptOuts;
  readonly policies: (policies: Policies) => Policies;
  readonly eligibility: (eligibility: Pick<Eligibility, "ask">) => Pick<Eligibility, "ask">;
  readonly reaction: (reaction: Reaction, shared: Shared) => Reaction;
  readonly deliveryStore: (store: DeliveryStore) => DeliveryStore;
};
