import type { CampaignCommandQueue } from "../../application/ports/campaign-commands.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { EventCodec } from "../../application/ports/event-codec.ts";
import type { Ids } from "../../application/ports/ids.ts";
import type { Imports } from "../../application/ports/imports.ts";
import type { Leases } from "../../application/ports/leases.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { MemoryDatabase } from "../../infrastructure/event-store/memory/database.ts";
import type { MemoryAdmission } from "../../infrastructure/memory/admission.ts";
import type { MemoryDirectory } from "../../infrastructure/memory/directory.ts";
import type { MemoryOutboxState } from "../../infrastructure/webhooks/memory-outbox.ts";
import type { FaultyCarrier } from "./faulty-carrier.ts";
import type { FaultyReceiver } from "./faulty-receiver.ts";
import type { Mutants } from "./mutants.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Everything that outlives a process: the stores, the carrier, time itself. */
export type Shared = {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly database: MemoryDatabase;
  readonly codec: EventCodec;
  readonly admission: MemoryAdmission;
  readonly directory: MemoryDirectory;
  readonly leases: Leases;
  readonly leaseMillis: number;
  readonly commandQueue: CampaignCommandQueue;
  readonly imports: Imports;
  readonly checkpoints: Checkpoints;
  readonly outbox: MemoryOutboxState;
  readonly carrier: FaultyCarrier;
  /** null: nothing is delivered. */
  readonly receiver: FaultyReceiver | null;
  readonly mutants: Mutants;
  /** The code comes by a named crash point. */
  readonly reached: (point: string) => void;
  /** A line of the run's trace; not even made when nobody wants it. */
  readonly trace: (line: () => string) => void;
};
