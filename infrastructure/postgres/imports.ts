import type pg from "pg";
import type { Imports } from "../../application/ports/imports.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import { RELAXED } from "./transaction.ts";

/** Not flushed: an import whose mark is lost is looked at once more, and found sealed. */
const MARK_SEALED = `with ${RELAXED}
  update work.imports set sealed = true from relaxed where import_id = $1`;

/**
 * Row and key in one statement. A campaign that had a key gets no other one: if its row is gone, that is
 * damage, and a new key would hide it.
 */
const BEGIN = `with made as (
    insert into config.subject_keys (subject, owner_id, sealed_key)
    select $2, $4, decode($5, 'base64')
    where not exists (select from work.imports where campaign_id = $2 and keyed)
    on conflict (subject) do nothing returning subject
  )
  insert into work.imports (import_id, campaign_id, begun_at, keyed) values ($1, $2, $3, true)
  on conflict (import_id) do update set keyed = true
  returning exists (select from made) as "isMade"`;

/** Draws keys, and knows those that are stored. */
type Keys<Drawn> = {
  readonly draw: (campaignId: CampaignId, owner: string) => Drawn;
  readonly remember: (drawn: readonly Drawn[]) => void;
};

/** Rows of work.imports. `sealed` of a drawn key: its stored form, in base64. */
export function createPostgresImports<Drawn extends { readonly sealed: string }>(
  pool: pg.Pool,
  keys: Keys<Drawn>,
): Imports {
  return {
    begin: async ({ importId, campaignId, owner, at }) => {
      const drawn = keys.draw(campaignId, owner);
      const values = [importId, campaignId, at, owner, drawn.sealed];
      const { rows } = await pool.query<{ isMade: boolean }>(BEGIN, values);
      if (rows[0]?.isMade === true) keys.remember([drawn]);
    },
    sealed: async (importId) => {
      await pool.query(MARK_SEALED, [importId]);
    },
    unsealedSince: async (before, limit) => {
      const { rows } = await pool.query<{ importId: ImportId; campaignId: CampaignId }>(
        `select import_id as "importId", campaign_id as "campaignId" from work.imports
         where not sealed and begun_at < $1 order by begun_at limit $2`,
        [before, limit],
      );
      return rows;
    },
  };
}
