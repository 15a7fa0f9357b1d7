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
  /** Ids for what is to be made. Kept when the key is new; else those kept before are answered. */
  readonly ids: JsonObject;
};

/** What every repetition gets. `body` is JSON text, without what is shown only once. */
export type KeptAnswer = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The right to carry the request out: a lease of 10 s on the database's clock, renewed by itself until one of these ends it (or the process dies). */
export interface IdempotencyClaim {
  /** A 2xx answer, for 24 h. The first one stays, also against a holder that was overtaken. */
  complete(answer: KeptAnswer): Promise<void>;
  /** Refused before anything was stored: the key is free again. */
  free(): Promise<void>;
  /** Storing was tried and did not end well: the key keeps its ids, and the next one who comes takes over at once. */
  abandon(): Promise<void>;
}

export type Begun =
  /** `takenOver`: somebody began before and may have stored something under these very ids: read first, then repeat. */
  | {
      readonly kind: "claimed";
      readonly takenOver: boolean;
      readonly ids: JsonObject;
      readonly claim: IdempotencyClaim;
    }
  | { readonly kind: "replay"; readonly answer: KeptAnswer }
  /** The same key with another body. */
  | { readonly kind: "conflict" }
  /** Another request holds it and did not end in the time given. */
  | { readonly kind: "in_flight" };

/** Keys of 24 h, kept in PostgreSQL (docs/architecture.md §3.1): the row, with the ids, is durable before anything is made. */
export interface Idempotency {
  /** While another request holds the key this waits for its end, at most `waitMillis`, or until `signal` aborts. */
  begin(
    request: IdempotentRequest,
    options: { readonly waitMillis: number; readonly signal?: AbortSignal },
  ): Promise<Begun>;
}
