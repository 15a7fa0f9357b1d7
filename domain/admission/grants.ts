import type { PolicyEvidence, PolicyRefusal } from "../policy/policy.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type { CallId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { AdmissionRefusal } from "./requests.ts";

export type Grant = {
  readonly callId: CallId;
  /** The latest turn of plan, campaign and connection, at most 30 s ahead; the call waits for it. */
  readonly dialAt: Instant;
  /** min(dialAt + 15 s, closing of the window, what the policy allows by time alone). */
  readonly dialBy: Instant;
  /** Live calls of the campaign (single call: of the owner), this one included, at that moment. */
  readonly activeCalls: number;
  /** min(campaign cap, plan) at that moment. */
  readonly effectiveMaxConcurrentCalls: number;
  /** Available credits before the reservation for this call. */
  readonly availableCredits: CreditUnits;
  /** By what the owner's policy allowed it; absent: there is none. */
  readonly policy?: PolicyEvidence;
};

/** A candidate that the owner's policy does not allow now: nothing was taken for it. */
export type RefusedByPolicy = {
  readonly callId: CallId;
  readonly policyVersion: number;
  readonly judgedAt: Instant;
  /** One for each rule that refuses, at least one, in the order of `PolicyRule`. */
  readonly refusals: readonly PolicyRefusal[];
};

export type Admitted = {
  readonly granted: readonly Grant[];
  readonly refusal: AdmissionRefusal;
  /** Absent: nobody. */
  readonly byPolicy?: readonly RefusedByPolicy[];
};

export type Account = {
  readonly balance: CreditUnits;
  readonly reserved: CreditUnits;
  readonly liveCalls: number;
};

/**
 * One row of the ledger. reserve and release move `reserved`; top_up and charge move `balance`,
 * which may fall below 0.
 */
export type LedgerEntry = {
  readonly id: string;
  readonly at: Instant;
  readonly cause: "top_up" | "reserve" | "release" | "charge";
  readonly amount: CreditUnits;
  readonly balance: CreditUnits;
  readonly reserved: CreditUnits;
  readonly callId: CallId | null;
  readonly reference: string | null;
};
