import type { OwnerId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";

/** A key belongs to owner, method and path (docs/api.md §1, Idempotency-Key). */
export type IdempotentRequest = {
  readonly owner: OwnerId;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** Any digest of the body; another one under the same key is a conflict. */
  readonly bodyHash: string;
  /** Ids for the new records. Stored when the key is new; else the ids stored before are returned. */
  readonly ids: JsonObject;
};

/** The answer for every repeat. `body` is JSON text, without values that are shown only once. */
export type KeptAnswer = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The right to execute the request: a lease of 10 s by the database's clock, renewed automatically until one
 * of these calls ends it (or the process dies).
 */
export interface IdempotencyClaim {
  /** A 2xx answer, kept for 24 h. The first one counts, also against a holder whose lease was lost. */
  complete(answer: KeptAnswer): Promise<void>;
  /** Refused before anything was stored: the key can be used again. */
  free(): Promise<void>;
  /** Storing was tried and failed: the key keeps its ids, and the next request takes over at once. */
  abandon(): Promise<void>;
}

export type Begun =
  /** `takenOver`: an earlier holder may have stored something with these ids: read first, then repeat. */
  | {
      readonly kind: "claimed";
      readonly takenOver: boolean;
      readonly ids: JsonObject;
      readonly claim: IdempotencyClaim;
    }
  | { readonly kind: "replay"; readonly answer: KeptAnswer }
  /** The same key with another body. */
  | { readonly kind: "conflict" }
  /** Another request holds it and did not end in the given time. */
  | { readonly kind: "in_flight" };

/**
 * Keys are kept for 24 h in PostgreSQL (docs/architecture.md §3.1); the row with the ids is durable before
 * anything is created.
 */
export interface Idempotency {
  /**
   * While another request holds the key, waits for its end, at most `waitMillis` or until `signal` aborts.
   */
  begin(
    request: IdempotentRequest,
    options: { readonly waitMillis: number; readonly signal?: AbortSignal },
  ): Promise<Begun>;
}
