import type { CallOfTheCarrier } from "../../domain/call/carrier-identity.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/**
 * Stores that were restored to an older state, or replaced: nobody is dialled until an operator accepts it.
 */
export type Restored = {
  /**
   * The value for `ACCEPT_RESTORED`: the same state gives the same value again, another state another one.
   */
  readonly value: string;
  /** What happened and how to go on, in one line without personal data. */
  readonly line: string;
  /** The same for /health/ready. */
  readonly detail: Readonly<Record<string, string | number | null>>;
  /** Calls that the carrier has and the log does not know. */
  readonly calls: readonly CallOfTheCarrier[];
  /** When the carrier received the last of them; null: there are none. */
  readonly until: Instant | null;
};

/** What was found, and which connections cannot be judged yet because their carrier does not answer. */
export type Looked = { readonly restored: Restored | null; readonly silent: readonly string[] };

export type RestoreGuard = {
  /**
   * Looks for a restore (docs/architecture.md §5): asks the carriers for calls since the last sign of life,
   * then the log whether it knows them. A separate log is searched for events that are newer than the
   * database. Call it before the first sign of life of this start. Rejects CarrierSilentError when no carrier
   * answers, and as the stores do.
   */
  readonly look: () => Promise<Looked>;
  /** The same for connections whose carrier did not answer, with the time of the first look. */
  readonly lookAgain: (silent: readonly string[]) => Promise<Looked>;
  /** Records that the last finding was accepted. */
  readonly accepted: () => Promise<void>;
};

/** No carrier returned its calls, so the state is unknown and nobody is dialled. */
export class CarrierSilentError extends Error {
  override readonly name = "CarrierSilentError";
}
