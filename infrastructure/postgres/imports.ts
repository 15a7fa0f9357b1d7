import type pg from "pg";
import type { Imports } from "../../application/ports/imports.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";

/** Not flushed: an import whose mark is lost is looked at once more, and found sealed. */
const MARK_SEALED = `with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
  update work.imports set sealed = true from relaxed where import_id = $1`;

export function createPostgresImports(pool: pg.Pool): Imports {
  return {
    begin: async ({ importId, campaignId, at }) => {
      await pool.query(
        `insert into work.imports (import_id, campaign_id, begun_at) values ($1, $2, $3) on conflict do nothing`,
        [importId, campaignId, at],
      );
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
