import { type Kysely, sql } from "kysely";
import type { Clock } from "../../../application/ports/clock.ts";
import type { ApiKeys, KeyEnd } from "../../../application/ports/configuration/api-keys.ts";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import { issueKey, keyRecordOf } from "./api-key-rows.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import type { KeyUse } from "./key-use.ts";
import { readPage } from "./owners-records.ts";
import type { ConfigurationTables } from "./tables.ts";
import { createKeyVerifier } from "./verify-key.ts";

export function apiKeys(deps: ConfigurationDeps, keyUse: KeyUse): ApiKeys {
  const { db, changes, clock } = deps;
  const verify = createKeyVerifier(db, changes, clock);
  return {
    create: (owner, id, draft) => issueKey(db, owner, id, { ...draft, at: dateNow(clock), given: null }),
    list: (owner, page) => {
      const own = db.selectFrom("config.api_keys").selectAll().where("owner_id", "=", owner);
      return readPage(db, own.where("revoked_at", "is", null), ["id", "desc"], page, keyRecordOf);
    },
    revoke: async (owner, id) => {
      const answer = await db.transaction().execute(async (transaction) => {
        await transaction
          .selectFrom("config.users")
          .select("id")
          .where("id", "=", owner)
          .forUpdate()
          .execute();
        const row = await transaction
          .selectFrom("config.api_keys")
          .select(["scopes", "expires_at"])
          .where("owner_id", "=", owner)
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .executeTakeFirst();
        if (row === undefined) return { saved: false, reason: "not_found" } as const;
        const powers = POWERS.filter((power) => row.scopes.includes(power));
        const lasts = row.expires_at === null && powers.length > 0;
        if (lasts && !(await otherKeyWith(transaction, owner, id, powers))) {
          const reason = powers.includes("operator") ? "last_operator_key" : "last_admin_key";
          return { saved: false, reason } as const;
        }
        await transaction
          .updateTable("config.api_keys")
          .set({ revoked_at: dateNow(clock) })
          .where("id", "=", id)
          .execute();
        return { saved: true, value: null } as const;
      });
      changes.changed(owner);
      return answer;
    },
    verify: async (key) => {
      const verified = await verify(key);
      if (verified !== null) keyUse.used(verified.keyId);
      return verified;
    },
    ended: (ids) => endedKeys(db, clock, ids),
  };
}

/** A key with both scopes can make any other key. */
const POWERS = ["admin", "operator"] as const;

/**
 * Only an unlimited key counts: with one that expires, the owner would lose access some day. The caller
 * holds the owner's row.
 */
async function otherKeyWith(
  db: Kysely<ConfigurationTables>,
  owner: OwnerId,
  id: ApiKeyId,
  powers: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom("config.api_keys")
    .select("id")
    .where("owner_id", "=", owner)
    .where("id", "<>", id)
    .where("revoked_at", "is", null)
    .where("expires_at", "is", null)
    .where(sql<boolean>`scopes @> ${powers}::text[]`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of the keys are no longer valid, and why; a missing key was revoked. */
async function endedKeys(
  db: Kysely<ConfigurationTables>,
  clock: Pick<Clock, "nowMillis">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyEnd>> {
  const rows = await db
    .selectFrom("config.api_keys as k")
    .innerJoin("config.users as u", "u.id", "k.owner_id")
    .select(["k.id", "k.revoked_at", "k.expires_at", "u.active"])
    .where(sql<boolean>`k.id = any(${ids})`)
    .execute();
  const ended = new Map<string, KeyEnd>(ids.map((id) => [id, "key_revoked"]));
  for (const { id, revoked_at, expires_at, active } of rows) {
    if (revoked_at !== null) continue;
    ended.delete(id);
    if (expires_at !== null && expires_at.getTime() <= clock.nowMillis()) ended.set(id, "key_expired");
    else if (!active) ended.set(id, "owner_inactive");
  }
  return ended;
}
