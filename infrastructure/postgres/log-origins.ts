import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import type { OriginMemory } from "../log/eventstoredb/connection.ts";

/**
 * Positions of the first events of installations in a shared log, by prefix (work.log_origins). It only saves
 * time: without the database or the table the search is done again.
 */
export function postgresLogOrigins(pool: pg.Pool, logger: Logger): OriginMemory {
  return {
    async load(prefix) {
      try {
        const { rows } = await pool.query<{ position: string; event_id: string }>(LOAD, [prefix]);
        const [row] = rows;
        return row === undefined ? null : { position: row.position, eventId: row.event_id };
      } catch (error) {
        logger.debug({ problem: String(error) }, "the place of the first event is not known");
        return null;
      }
    },
    async save(prefix, { position, eventId }) {
      await pool.query(SAVE, [prefix, position, eventId]).catch((error: unknown) => {
        logger.debug({ problem: String(error) }, "the place of the first event was not kept");
      });
    },
  };
}

const LOAD = "select position, event_id from work.log_origins where prefix = $1";
const SAVE = `insert into work.log_origins (prefix, position, event_id) values ($1, $2, $3)
  on conflict (prefix) do update set position = excluded.position, event_id = excluded.event_id, found_at = now()`;
