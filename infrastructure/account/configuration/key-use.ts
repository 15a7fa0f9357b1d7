import { type Kysely, sql } from "kysely";
import type { Clock } from "../../../application/ports/clock.ts";
import type { ApiKeyId } from "../../../domain/shared/ids.ts";
import type { ConfigurationTables } from "./tables.ts";

const WRITE_MILLIS = 30_000;

export type KeyUse = {
  readonly used: (keyId: ApiKeyId) => void;
  /** Writes the pending uses. */
  readonly write: () => Promise<void>;
  /** Writes them, and stops the timer. */
  readonly stop: () => Promise<void>;
};

/**
 * Last uses of keys, collected in memory and written twice a minute: no request waits for it, and a
 * crash may lose them.
 */
export function createKeyUse(db: Kysely<ConfigurationTables>, clock: Clock): KeyUse {
  const used = new Map<ApiKeyId, number>();
  const write = async (): Promise<void> => {
    if (used.size === 0) return;
    const ids = [...used.keys()];
    const times = [...used.values()];
    used.clear();
    await sql`
      update config.api_keys k set last_used_at = to_timestamp(u.at / 1000)
      from unnest(${ids}::text[], ${times}::float8[]) as u(id, at)
      where k.id = u.id and (k.last_used_at is null or k.last_used_at < to_timestamp(u.at / 1000))`.execute(
      db,
    );
  };
  // The next round writes later uses, so a failure needs no alarm.
  const timer = setInterval(() => void write().catch(() => undefined), WRITE_MILLIS);
  timer.unref();
  return {
    used: (keyId) => used.set(keyId, clock.nowMillis()),
    write,
    stop: async () => {
      clearInterval(timer);
      await write();
    },
  };
}
