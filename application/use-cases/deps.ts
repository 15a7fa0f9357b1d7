import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Aggregates } from "../aggregates.ts";
import type { EventOrigin } from "../append-events.ts";
import type { CarrierHealth } from "../carrier-health.ts";
import type { Admission } from "../ports/admission.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { Directory } from "../ports/directory.ts";
import type { Ids } from "../ports/ids.ts";
import type { Imports } from "../ports/imports.ts";
import type { CallDialing } from "../process-managers/call-dialing.ts";
import type { EndWish } from "../process-managers/call-ending.ts";
import type { CampaignRunners } from "../process-managers/campaign-runner/campaign-runners.ts";
import type { EngineSettings } from "../settings.ts";

/** What the use cases stand on; made by `createEngine`. */
export type UseCaseDeps = {
  readonly aggregates: Aggregates;
  readonly admission: Admission;
  readonly directory: Directory;
  readonly imports: Imports;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly crashPoints: CrashPoints;
  readonly settings: EngineSettings;
  readonly carrierHealth: CarrierHealth;
  readonly dialing: CallDialing;
  readonly runners: CampaignRunners;
  /** Makes a wish for the end of a call durable and asks the carrier. */
  readonly hangUp: (callId: CallId, wish: EndWish, origin: EventOrigin) => Promise<void>;
  /** The due loop is to look no later than then. */
  readonly lookAt: (at: Instant) => void;
};
