import type { Kysely, Selectable } from "kysely";
import type { ApiKeyDraft } from "../../../application/ports/configuration/api-keys.ts";
import type { ApiKeyRecord, IssuedApiKey } from "../../../contract/api-key.ts";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { drawKey, partsOf } from "./key-text.ts";
import { ownersRecords } from "./owners-records.ts";
import type { ApiKeysTable, ConfigurationTables } from "./tables.ts";

/**
 * If the id exists, nothing is made and no secret returned. `given`: the text of the key; null: a random one.
 */
export async function issueKey(
  db: Kysely<ConfigurationTables>,
  owner: OwnerId,
  id: ApiKeyId,
  draft: ApiKeyDraft & { readonly at: Date; readonly given: string | null },
): Promise<IssuedApiKey> {
  const key = draft.given ?? drawKey();
  const { lookup, secretHash } = partsOf(key);
  const { created, value } = await ownersRecords(db, "config.api_keys", keyRecordOf).insert(owner, id, {
    name: draft.name,
    scopes: [...draft.scopes],
    lookup,
    secret_hash: secretHash,
    expires_at: draft.expiresAt === null ? null : new Date(millisOf(draft.expiresAt)),
    last_used_at: null,
    created_at: draft.at,
    revoked_at: null,
  });
  return { ...value, key: created ? key : null };
}

export function keyRecordOf(row: Selectable<ApiKeysTable>): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    expiresAt: row.expires_at === null ? null : instantOfDate(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : instantOfDate(row.last_used_at),
    createdAt: instantOfDate(row.created_at),
  };
}
