import type { ApiKeyRecord, IssuedApiKey } from "../../../contract/api-key.ts";
import type { ApiKeyScope } from "../../../contract/scopes.ts";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Saved } from "./saved.ts";

export type ApiKeyDraft = {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** null: never. */
  readonly expiresAt: Instant | null;
};

export type VerifiedApiKey = {
  readonly owner: OwnerId;
  readonly keyId: ApiKeyId;
  readonly scopes: readonly ApiKeyScope[];
};

/** Why a key is no longer valid. */
export type KeyEnd = "key_revoked" | "key_expired" | "owner_inactive";

export type RevokeRefusal =
  | { readonly reason: "not_found" }
  /**
   * Without it the owner would have no other unlimited key with at least the same `admin` and `operator`
   * rights, so nobody could get access again.
   */
  | { readonly reason: "last_operator_key" | "last_admin_key" };

/**
 * API keys of one owner; only the SHA-256 of a secret is stored. Lists: newest first, without revoked ones.
 */
export interface ApiKeys {
  create(owner: OwnerId, id: ApiKeyId, draft: ApiKeyDraft): Promise<IssuedApiKey>;
  list(owner: OwnerId, page: PageRequest<ApiKeyId>): Promise<Page<ApiKeyRecord, ApiKeyId>>;
  /** Effective at once, in every process. */
  revoke(owner: OwnerId, id: ApiKeyId): Promise<Saved<null, RevokeRefusal>>;
  /**
   * null: malformed, unknown, expired, revoked, or its owner is inactive. Takes the same time whichever part
   * of the secret is wrong.
   */
  verify(key: string): Promise<VerifiedApiKey | null>;
  /** Those of the keys that are no longer valid, read from the store without a cache. */
  ended(ids: readonly string[]): Promise<ReadonlyMap<string, KeyEnd>>;
}
