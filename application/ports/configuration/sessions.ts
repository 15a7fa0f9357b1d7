import type { ApiKeyScope } from "../../../contract/scopes.ts";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";

/** The owner of a session and its rights, which are those of its key. */
export type SessionRecord = {
  /** Identifies a session; the token cannot be derived from it. */
  readonly sessionId: string;
  readonly keyId: ApiKeyId;
  readonly keyName: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly owner: { readonly id: OwnerId; readonly name: string };
  readonly expiresAt: Instant;
};

/**
 * Browser sessions. Only the SHA-256 of a token is stored. A session ends with its key, and while
 * its owner is inactive.
 */
export interface Sessions {
  /** For a key that was just verified; `token` is shown only this once. null: the key is no longer valid. */
  open(keyId: ApiKeyId): Promise<{ readonly token: string; readonly session: SessionRecord } | null>;
  /**
   * null: malformed, unknown, over, or its key is no longer valid. Each use extends it by 12 h, up to 7 days
   * in all; that is written once a minute.
   */
  verify(token: string): Promise<SessionRecord | null>;
  /** A repeat changes nothing. */
  close(sessionId: string): Promise<void>;
  /** Those that are over, read from the store without a cache. */
  ended(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
}
