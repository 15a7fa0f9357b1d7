import { hash, randomBytes } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import type { OpenSession, Sessions } from "../../../application/ports/configuration/sessions.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import type { KeyUse } from "./key-use.ts";
import type { ApiKeysTable, ConfigurationTables, SessionsTable, UsersTable } from "./tables.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const IDLE_MILLIS = 12 * 3_600_000;
const LONGEST_MILLIS = 7 * 24 * 3_600_000;
/** The last use of a session is written at most this often. */
const WRITTEN_MILLIS = 60_000;

type Row = Pick<Selectable<SessionsTable>, "id" | "key_id" | "created_at" | "expires_at"> &
  Pick<Selectable<ApiKeysTable>, "scopes" | "owner_id"> & {
    readonly key_name: Selectable<ApiKeysTable>["name"];
    readonly owner_name: Selectable<UsersTable>["name"];
  };

export function sessions({ db, clock }: Pick<ConfigurationDeps, "db" | "clock">, keyUse: KeyUse): Sessions {
  return {
    open: async (keyId) => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const now = clock.nowMillis();
      const times = { created_at: new Date(now), expires_at: new Date(now + IDLE_MILLIS) };
      const id = idOf(token);
      await db
        .insertInto("config.sessions")
        .values({ id, key_id: keyId, ...times })
        .execute();
      const row = await readSession(db, id, dateNow(clock));
      return row === null ? null : { token, session: recordOf(row) };
    },
    verify: async (token) => {
      if (!TOKEN.test(token)) return null;
      const now = clock.nowMillis();
      const row = await readSession(db, idOf(token), new Date(now));
      if (row === null) return null;
      keyUse.used(row.key_id);
      const lasts = Math.min(now + IDLE_MILLIS, row.created_at.getTime() + LONGEST_MILLIS);
      if (lasts - row.expires_at.getTime() < WRITTEN_MILLIS) return recordOf(row);
      const expires_at = new Date(lasts);
      await db.updateTable("config.sessions").set({ expires_at }).where("id", "=", row.id).execute();
      return recordOf({ ...row, expires_at });
    },
    close: async (sessionId) => {
      await db.deleteFrom("config.sessions").where("id", "=", sessionId).execute();
    },
    ended: async (sessionIds) => {
      if (sessionIds.length === 0) return new Set();
      const rows = await db
        .selectFrom("config.sessions")
        .select("id")
        .where(sql<boolean>`id = any(${sessionIds})`)
        .where("expires_at", ">", dateNow(clock))
        .execute();
      const open = new Set(rows.map(({ id }) => id));
      return new Set(sessionIds.filter((id) => !open.has(id)));
    },
  };
}

/** The token is random, so its hash is no secret that timing could reveal. */
function idOf(token: string): string {
  return hash("sha256", token, "hex");
}

/** An open session with a valid key and an active owner. */
async function readSession(db: Kysely<ConfigurationTables>, id: string, now: Date): Promise<Row | null> {
  const row = await db
    .selectFrom("config.sessions as s")
    .innerJoin("config.api_keys as k", "k.id", "s.key_id")
    .innerJoin("config.users as u", "u.id", "k.owner_id")
    .select(["s.id", "s.key_id", "s.created_at", "s.expires_at", "k.scopes", "k.owner_id"])
    .select(["k.name as key_name", "u.name as owner_name"])
    .where("s.id", "=", id)
    .where("s.expires_at", ">", now)
    .where("k.revoked_at", "is", null)
    .where((key) => key.or([key("k.expires_at", "is", null), key("k.expires_at", ">", now)]))
    .where("u.active", "=", true)
    .executeTakeFirst();
  return row ?? null;
}

function recordOf({ id, key_id, key_name, scopes, owner_id, owner_name, expires_at }: Row): OpenSession {
  return {
    sessionId: id,
    keyId: key_id,
    keyName: key_name,
    scopes,
    owner: { id: owner_id, name: owner_name },
    expiresAt: instantOfDate(expires_at),
  };
}
