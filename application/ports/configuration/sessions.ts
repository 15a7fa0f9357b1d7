import type { SessionRecord } from "../../../contract/session.ts";
import type { ApiKeyId } from "../../../domain/shared/ids.ts";

/** `sessionId` identifies it; the token cannot be derived from it. */
export type OpenSession = SessionRecord & { readonly sessionId: string };

/**
 * Browser sessions. Only the SHA-256 of a token is stored. A session ends with its key, and while
 * its owner is inactive.
 */
export interface Sessions {
  /** For a key that was just verified; `token` is shown only this once. null: the key is no longer valid. */
  open(keyId: ApiKeyId): Promise<{ readonly token: string; readonly session: OpenSession } | null>;
  /**
   * null: malformed, unknown, over, or its key is no longer valid. Each use extends it by 12 h, up to 7 days
   * in all; that is written once a minute.
   */
  verify(token: string): Promise<OpenSession | null>;
  /** A repeat changes nothing. */
  close(sessionId: string): Promise<void>;
  /** Those that are over, read from the store without a cache. */
  ended(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
}
