import type pg from "pg";
import type { Checkpoint, Checkpoints, ParkedEvent } from "../../application/ports/checkpoints.ts";
import { RELAXED } from "./transaction.ts";

/**
 * The position of each reaction. Not flushed: a checkpoint lost in a crash only repeats what may be repeated.
 */
export function createPostgresCheckpoints(pool: pg.Pool): Checkpoints {
  return {
    load: async (processor) => {
      const { rows } = await pool.query<{ position: string; event_id: string | null }>(
        "select position, event_id from work.checkpoints where processor = $1",
        [processor],
      );
      const [row] = rows;
      return row === undefined ? null : { position: row.position, eventId: row.event_id };
    },
    save: async (processor, checkpoint) => {
      await save(pool, processor, checkpoint);
    },
    park: async (processor, event, problem) => {
      await pool.query(
        `insert into work.parked_events (processor, position, stream, type, event, problem, parked_at)
         values ($1, $2, $3, $4, $5, $6, now()) on conflict do nothing`,
        [processor, event.position, event.stream, event.type, JSON.stringify(event), problem],
      );
    },
    parked: async () => {
      const { rows } = await pool.query<ParkedEvent>(
        "select processor, position, stream, type, problem from work.parked_events order by parked_at, position",
      );
      return rows;
    },
  };
}

async function save(pool: pg.Pool, processor: string, { position, eventId }: Checkpoint): Promise<void> {
  await pool.query({ name: "checkpoint-save", text: SAVE, values: [processor, position, eventId] });
}

/** A statement is its own transaction; the setting is valid for that long. */
const SAVE = `
with ${RELAXED}
insert into work.checkpoints (processor, position, event_id, moved_at)
select $1, $2, $3, now() from relaxed
on conflict (processor) do update set position = excluded.position, event_id = excluded.event_id, moved_at = now()`;
