import type { EndReason } from "../call/end-reason.ts";
import type { Instant } from "../shared/instant.ts";

/**
 * When people may be called, by the clock where they are. start < end: that day; start > end: overnight; both 0: the whole day, with days or dates
 * only. What is absent is as in events of older releases: minute 0, every day, no date excluded.
 */
export type CallWindow = {
  /** Hours, 0..23. */
  readonly start: number;
  readonly end: number;
  /** 1..59. */
  readonly startMinute?: number;
  readonly endMinute?: number;
  /** ISO weekdays on which a window begins, 1 Monday to 7 Sunday, in order. */
  readonly days?: readonly number[];
  /** `2026-12-25`, in order, at most 100. */
  readonly excludedDates?: readonly string[];
};

/** What may change while PENDING or PAUSED (PATCH /campaigns/:id). */
export type CampaignSettings = {
  readonly name: string;
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  /** As given; null: the default of 3. */
  readonly maxRetries: number | null;
  /** As given; null: the default of 5. */
  readonly retryIntervalMins: number | null;
  readonly retryOn: readonly EndReason[];
  readonly timezone: string;
  readonly window: CallWindow | null;
  /** When it starts by itself while it is PENDING; absent or null: when somebody starts it. Changes only while PENDING. */
  readonly startAt?: Instant | null;
};

/** Settings that are judged by their default when they are not given, and of which a warning tells. */
export type DefaultedSetting = "retryOn" | "timezone";
