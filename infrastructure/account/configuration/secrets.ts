import type { Secrets } from "../../../application/ports/configuration/secrets.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { deleteRow, readPage } from "./owners-records.ts";

/** The context that an encrypted secret is bound to. */
export function secretContext(owner: OwnerId, name: string): string {
  return `secret ${owner} ${name}`;
}

export function secrets({ db, clock, secretBox }: ConfigurationDeps): Secrets {
  return {
    put: async (owner, name, value) => {
      const sealed = Buffer.from(secretBox.seal(value, secretContext(owner, name)));
      const now = dateNow(clock);
      await db
        .insertInto("config.secrets")
        .values({ owner_id: owner, name, sealed, updated_at: now })
        .onConflict((conflict) =>
          conflict.columns(["owner_id", "name"]).doUpdateSet({ sealed, updated_at: now }),
        )
        .execute();
      return { name, updatedAt: instantOfDate(now) };
    },
    list: (owner, page) => {
      const own = db
        .selectFrom("config.secrets")
        .select(["name", "updated_at"])
        .where("owner_id", "=", owner);
      return readPage(db, own, ["name", "asc"], page, ({ name, updated_at }) => ({
        name,
        updatedAt: instantOfDate(updated_at),
      }));
    },
    delete: (owner, name) => deleteRow(db, "config.secrets", { owner_id: owner, name }),
  };
}
