import { sql } from "kysely";
import type { Names } from "../../../application/ports/configuration/names.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";

const MOST = 10_000;

export function names({ db }: Pick<ConfigurationDeps, "db">): Names {
  return {
    assistants: async (owner) => {
      const rows = await db
        .selectFrom("config.assistants")
        .select(["id", "name", "created_at"])
        .where("owner_id", "=", owner)
        .orderBy("id", "desc")
        .limit(MOST)
        .execute();
      return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: instantOfDate(created_at) }));
    },
    phoneNumbers: async (owner) => {
      const rows = await db
        .selectFrom("config.phone_numbers")
        .select(["id", "phone_number", "label", "created_at"])
        .where("owner_id", "=", owner)
        .orderBy("id", "desc")
        .limit(MOST)
        .execute();
      return rows.map(({ id, phone_number: phoneNumber, label, created_at }) => ({
        id,
        phoneNumber,
        label,
        createdAt: instantOfDate(created_at),
      }));
    },
    apiKeys: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom("config.api_keys")
        .select(["id", "name"])
        .where(sql<boolean>`id = any(${ids}::text[])`)
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}
