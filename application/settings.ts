import type { CreditUnits } from "../domain/shared/credits.ts";
import type { ConversationSettings } from "./ports/directory.ts";

/** Seconds that a call rings at most, unless its campaign says otherwise (docs/api.md §4, deadlines). */
export const DEFAULT_RING_TIMEOUT_SECONDS = 60;

/** What an assistant does unless it says otherwise (docs/api.md §3). */
export const DEFAULT_CONVERSATION: ConversationSettings = {
  modelConnectionId: null,
  fallbackMessage: null,
  silenceTimeoutSeconds: 8,
  endSilenceMs: 500,
  interruptible: true,
  recording: null,
  recordingNotice: null,
};

export type EngineSettings = {
  readonly pricePerMinute: CreditUnits;
  /** Name of this process as a holder of leases; one that comes back under the same name takes its own leases up again at once. */
  readonly processId: string;
  readonly leaseMillis: number;
  /** No wait is longer: the wall clock is read again then (docs/architecture.md §4). */
  readonly longestWaitMillis: number;
};

export const DEFAULT_LEASE_MILLIS = 7_500;
export const DEFAULT_LONGEST_WAIT_MILLIS = 15_000;
