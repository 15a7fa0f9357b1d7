import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CampaignStatus, PauseReason } from "../../../domain/campaign/events.ts";
import type { AssistantId, CampaignId, OwnerId, PhoneNumberId, SquadId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

/**
 * Campaign record of the seed with the additions of docs/api.md §5, except `effectiveMaxConcurrentCalls`,
 * which the API computes from the owner's current plan. `metadata` contains greetingMessage and
 * specialInstructions (the caller's own keys win).
 */
export type CampaignRecord = {
  readonly id: CampaignId;
  readonly name: string;
  readonly status: CampaignStatus;
  readonly phoneNumberId: PhoneNumberId;
  readonly assistantId: AssistantId;
  readonly assistantVersion: number;
  readonly squadId: SquadId | null;
  readonly userId: OwnerId;
  readonly totalContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  readonly pendingCalls: number;
  readonly activeCalls: number;
  readonly skippedContacts: number;
  readonly maxConcurrentCalls: number | null;
  readonly maxRetries: number | null;
  readonly retryIntervalMins: number | null;
  readonly retryOn: readonly EndReason[];
  readonly timezone: string;
  readonly callWindowStart: number | null;
  readonly callWindowEnd: number | null;
  readonly callWindowStartMinute: number;
  readonly callWindowEndMinute: number;
  readonly callWindowDays: readonly number[] | null;
  readonly callWindowExcludedDates: readonly string[];
  /** When it starts by itself, as given; it is kept after the start. */
  readonly startAt: Instant | null;
  readonly pauseReason: PauseReason | null;
  readonly nextWindowOpensAt: Instant | null;
  readonly metadata: JsonObject;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
};

/** The seed's statistics object, with further figures from the campaign's own events. */
export type CampaignStatisticsRecord = {
  readonly totalContacts: number;
  readonly pendingContacts: number;
  readonly successfulCalls: number;
  readonly failedCalls: number;
  /** How many of `pendingContacts` wait for a retry. */
  readonly waitingRetry: number;
  /** Dials so far: live ones and those of `byEndReason`. */
  readonly attempts: number;
  /** Number of ended attempts by end reason; only reasons that occurred. */
  readonly byEndReason: Readonly<Partial<Record<EndReason, number>>>;
  /** Seconds from answer to end, over all ended attempts. */
  readonly talkSeconds: number;
  /** Credits of all ended attempts; null: an older attempt has no stored cost. */
  readonly cost: number | null;
  /** Seconds; null while no call has completed. */
  readonly averageCallDuration: number | null;
};

export type CampaignWithStatistics = {
  readonly campaign: CampaignRecord;
  readonly statistics: CampaignStatisticsRecord;
};
