import type { CreditUnits } from "../shared/credits.ts";
import type { CallId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { CallWindow } from "./settings.ts";

/**
 * Proof that the dial was allowed at that moment (docs/api.md §5, Call window), with the
 * whole window as it was.
 */
export type DialEvidence = {
  /** Local date and time in `timezone`, `2026-09-01T13:00:00.000+03:00`. */
  readonly localTime: string;
  readonly utcOffsetMinutes: number;
  readonly timezone: string;
  readonly window: CallWindow | null;
  /** Live calls of the campaign, this one included, and the cap that applied. */
  readonly activeCalls: number;
  readonly effectiveMaxConcurrentCalls: number;
  readonly availableCredits: CreditUnits;
  readonly attempt: number;
};

/** A call that the carrier had and this log does not know: the log was restored to an older state. */
export type UnknownCall = {
  readonly callId: CallId;
  readonly calledAt: Instant;
  /** Status of the contact in this log when the call was found. */
  readonly contactWas: "pending" | "waiting_retry" | "dialing";
};

/** An entry of the do-not-call list. `by`: id of the API key that made it; null: older than this field. */
export type SuppressionEntry = {
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly by: string | null;
};
