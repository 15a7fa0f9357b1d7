import { type Kysely, sql } from "kysely";
import type { Clock } from "../../../application/ports/clock.ts";
import type { KeyEnd } from "../../../application/ports/configuration/api-keys.ts";
import type { ConfigurationTables } from "./tables.ts";

/** Which of the keys are no longer valid, and why; a missing key was revoked. */
export async function endedKeys(
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
