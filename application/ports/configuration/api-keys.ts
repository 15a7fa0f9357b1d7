import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Saved } from "./saved.ts";

/** Names of docs/api.md §2; which scope implies which is the API's affair. */
export type ApiKeyScope =
  | "calls:read"
  | "calls:write"
  | "campaigns:read"
  | "campaigns:write"
  | "squads:read"
  | "squads:write"
  | "tools:read"
  | "tools:write"
  | "assistants:*"
  | "phone-numbers:*"
  | "webhooks:*"
  | "events:read"
  | "account:read"
  | "admin"
  | "operator";

export type ApiKeyDraft = {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** null: never. */
  readonly expiresAt: Instant | null;
};

export type ApiKeyRecord = ApiKeyDraft & {
  readonly id: ApiKeyId;
  /** Written with a delay of up to a minute. */
  readonly lastUsedAt: Instant | null;
  readonly createdAt: Instant;
};

/** `key` is shown this one time; null when the key was made before (the retry of a request after a crash). */
export type IssuedApiKey = { readonly record: ApiKeyRecord; readonly key: string | null };

export type VerifiedApiKey = {
  readonly owner: OwnerId;
  readonly keyId: ApiKeyId;
  readonly scopes: readonly ApiKeyScope[];
};

/** Why a key counts no more. */
export type KeyEnd = "key_revoked" | "key_expired" | "owner_inactive";

export type RevokeRefusal =
  | { readonly reason: "not_found" }
  /** Afterwards the owner would have no other key that lasts for ever and may as much as this one in `admin` and `operator`: nobody could get back in. */
  | { readonly reason: "last_operator_key" | "last_admin_key" };

/** Keys of one owner; of a secret only its SHA-256 is kept. Lists: newest first, without revoked ones. */
export interface ApiKeys {
  create(owner: OwnerId, id: ApiKeyId, draft: ApiKeyDraft): Promise<IssuedApiKey>;
  list(owner: OwnerId, page: PageRequest<ApiKeyId>): Promise<Page<ApiKeyRecord, ApiKeyId>>;
  /** At once, in every process. */
  revoke(owner: OwnerId, id: ApiKeyId): Promise<Saved<null, RevokeRefusal>>;
  /** null: malformed, unknown, expired, revoked, or its owner is inactive. Takes the same time whatever part of the secret is wrong. */
  verify(key: string): Promise<VerifiedApiKey | null>;
  /** Those of the keys that count no more, as it is stored now: nothing remembered is believed. */
  ended(ids: readonly string[]): Promise<ReadonlyMap<string, KeyEnd>>;
}
