import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CreditUnits } from "../../../domain/shared/credits.ts";
import type { CallId, CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { CallDialing } from "../../call/call-dialing.ts";
import type { EndWish } from "../../call/call-ending.ts";
import type { AssistantHealth } from "../../call/health/assistant-health.ts";
import type { CarrierHealth } from "../../call/health/carrier-health.ts";
import type { KnownOptOuts } from "../../conversation/known-opt-outs.ts";
import type { GivenUp } from "../../given-up.ts";
import type { Aggregates } from "../../log/aggregates.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import type { ModelTokensDeps } from "../../model-tokens.ts";
import type { Asking } from "../../policy/asking.ts";
import type { Admission } from "../../ports/admission.ts";
import type { CampaignCommandQueue } from "../../ports/campaign-commands.ts";
import type { CampaignProgressReports } from "../../ports/campaign-progress.ts";
import type { Carriers } from "../../ports/carriers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Directory } from "../../ports/directory.ts";
import type { EventCodec } from "../../ports/event-codec.ts";
import type { EventStore } from "../../ports/event-store.ts";
import type { Feed } from "../../ports/feed.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Leases } from "../../ports/leases.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Policies } from "../../ports/policies.ts";
import type { SuppressionLists } from "../../ports/suppression-lists.ts";
import type { EngineSettings } from "../../settings.ts";
import type { CampaignConversations } from "../campaign-conversation.ts";
import type { CallbackSettingsOf } from "./callback-settings.ts";
import type { ContactTexts } from "./contact-texts.ts";
import type { EndedCalls, HoldPace } from "./policy-holds.ts";
import type { StartLimit } from "./start-limit.ts";

export type RunnerDeps = {
  readonly aggregates: Aggregates;
  readonly admission: Admission;
  readonly directory: Directory;
  readonly policies: Policies;
  readonly asking: Asking;
  readonly lists: Pick<SuppressionLists, "standing" | "onChange">;
  readonly leases: Leases;
  readonly commandQueue: CampaignCommandQueue;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly feed: Feed;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: EngineSettings;
  readonly carriers: Carriers;
  readonly carrierHealth: CarrierHealth;
  readonly assistantHealth: AssistantHealth;
  readonly dialing: CallDialing;
  readonly hangUp: (callId: CallId, wish: EndWish, origin: EventOrigin) => Promise<void>;
  readonly texts: ContactTexts;
  readonly conversations: CampaignConversations;
  readonly optOuts: KnownOptOuts;
  readonly callbackSettings: CallbackSettingsOf;
  readonly endedCalls: EndedCalls;
  readonly holdPace: HoldPace;
  readonly startLimit: StartLimit;
  readonly givenUp: GivenUp;
  /** Absent: progress is not reported. */
  readonly progress?: Pick<CampaignProgressReports, "write">;
  readonly tokensOfDay?: NonNullable<ModelTokensDeps["tokensOfDay"]>;
  /** The watchdog must look at this time at the latest. */
  readonly wakeWatchdogBy: (at: Instant) => void;
};

/** The contact of each live call; an end on the feed names only the callId. */
export type CallOwners = Map<CallId, { readonly campaignId: CampaignId; readonly contactId: ContactId }>;

/** How a call of the campaign ended. */
export type CallEnd = {
  readonly callId: CallId;
  readonly contactId: ContactId;
  readonly endReason: EndReason;
  readonly durationSeconds: number | null;
  readonly cost: CreditUnits;
  readonly endedAt: Instant;
  /** Id of the event that reported it. */
  readonly causationId: string | null;
};
