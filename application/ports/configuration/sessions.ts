import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { ApiKeyScope } from "./api-keys.ts";

/** Whose session it is and what it may do: what its key may. */
export type SessionRecord = {
  /** Tells one session from another; from it nobody comes to the token. */
  readonly sessionId: string;
  readonly keyId: ApiKeyId;
  readonly keyName: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly owner: { readonly id: OwnerId; readonly name: string };
  readonly expiresAt: Instant;
};

/** Sessions of browsers. Of a token only its SHA-256 is kept. A session ends with its key, and while its owner is inactive. */
export interface Sessions {
  /** For a key that was verified just now; `token` is shown this one time. null: the key counts no more. */
  open(keyId: ApiKeyId): Promise<{ readonly token: string; readonly session: SessionRecord } | null>;
  /** null: malformed, unknown, over, or its key counts no more. In use it lasts for 12 h more, 7 days in all; that is written once a minute. */
  verify(token: string): Promise<SessionRecord | null>;
  /** Again: the same. */
  close(sessionId: string): Promise<void>;
  /** Those that are over, as it is stored now. */
  ended(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
}
