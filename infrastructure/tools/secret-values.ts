import type pg from "pg";
import type { SecretBox } from "../../application/ports/secret-box.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { secretContext } from "../account/configuration/secrets.ts";

/** The current values of the owner's secrets with those names. */
export type SecretValues = (owner: OwnerId, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function secretValues(pool: pg.Pool, box: SecretBox): SecretValues {
  return async (owner, names) => {
    if (names.length === 0) return new Map();
    const { rows } = await pool.query<{ name: string; sealed: Buffer }>({
      name: "secret values",
      text: "select name, sealed from config.secrets where owner_id = $1 and name = any($2::text[])",
      values: [owner, names],
    });
    return new Map(rows.map(({ name, sealed }) => [name, box.open(sealed, secretContext(owner, name))]));
  };
}
