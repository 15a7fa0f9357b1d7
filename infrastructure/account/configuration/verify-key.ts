import type { Kysely, Selectable } from "kysely";
import type { Clock } from "../../../application/ports/clock.ts";
import type { VerifiedApiKey } from "../../../application/ports/configuration/api-keys.ts";
import type { OwnerChanges } from "../owner-changes.ts";
import { isSecretOf, partsOf } from "./key-text.ts";
import type { ApiKeysTable, ConfigurationTables } from "./tables.ts";

type KeyRow = Pick<Selectable<ApiKeysTable>, "id" | "owner_id" | "scopes" | "secret_hash" | "expires_at">;
type Remembered = { readonly row: KeyRow; readonly until: number };

/** The longest time in the cache, in case a revocation's notification is lost. */
const LONGEST_MILLIS = 5_000;
const MOST_KEYS = 10_000;

/**
 * Checks keys. Rows of used keys are cached until their owner changes something in any process; while changes
 * of other processes may be missed, every key is read.
 */
export function createKeyVerifier(
  db: Kysely<ConfigurationTables>,
  changes: OwnerChanges,
  clock: Clock,
): (key: string) => Promise<VerifiedApiKey | null> {
  const remembered = new Map<string, Remembered>();
  let generation = 0;
  changes.onChange((owner) => {
    generation += 1;
    for (const [lookup, { row }] of remembered) if (row.owner_id === owner) remembered.delete(lookup);
  });
  changes.onGap(() => {
    generation += 1;
    remembered.clear();
  });

  const rowOf = async (lookup: string): Promise<KeyRow | null> => {
    const known = remembered.get(lookup);
    if (known !== undefined && known.until > clock.monotonicMillis() && changes.reliable()) return known.row;
    const before = generation;
    const row = await readKey(db, lookup);
    if (row !== null && before === generation) {
      if (remembered.size >= MOST_KEYS) remembered.clear();
      remembered.set(lookup, { row, until: clock.monotonicMillis() + LONGEST_MILLIS });
    }
    return row;
  };
  return async (key) => {
    const parts = partsOf(key);
    const row = await rowOf(parts.lookup);
    const right = isSecretOf(parts, row?.secret_hash ?? null);
    if (row === null || !right) return null;
    if (row.expires_at !== null && row.expires_at.getTime() <= clock.nowMillis()) return null;
    return { owner: row.owner_id, keyId: row.id, scopes: row.scopes };
  };
}

/** Not revoked, and its owner is active. */
async function readKey(db: Kysely<ConfigurationTables>, lookup: string): Promise<KeyRow | null> {
  const row = await db
    .selectFrom("config.api_keys as k")
    .innerJoin("config.users as u", "u.id", "k.owner_id")
    .select(["k.id", "k.owner_id", "k.scopes", "k.secret_hash", "k.expires_at"])
    .where("k.lookup", "=", lookup)
    .where("k.revoked_at", "is", null)
    .where("u.active", "=", true)
    .executeTakeFirst();
  return row ?? null;
}
