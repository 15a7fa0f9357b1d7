import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import type { SessionPresence } from "../../application/ports/session-presence.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";

const TELL_MILLIS = 2_000;
/** For rows of a process that never came back. */
const FORGET_SECONDS = 3_600;

export type PostgresSessionPresence = SessionPresence & {
  /** Writes pending changes now. */
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Rows of work.sessions: all of this process are written in one statement every 2 s, none for shorter calls.
 * Only the database's clock is used.
 */
export function createPostgresSessionPresence(
  pool: pg.Pool,
  process: string,
  logger: Logger,
): PostgresSessionPresence {
  const open = new Set<CallId>();
  const closed = new Set<CallId>();
  const flush = async (): Promise<void> => {
    if (open.size === 0 && closed.size === 0) return;
    const removed = [...closed];
    closed.clear();
    try {
      await pool.query({ name: "sessions-tell", text: TELL, values: [process, [...open], removed] });
    } catch (error) {
      for (const callId of removed) if (!open.has(callId)) closed.add(callId);
      logger.warn({ problem: String(error) }, "it was not written which calls are talked on here");
    }
  };
  const timer = setInterval(() => void flush(), TELL_MILLIS);
  timer.unref();
  return {
    begun: (callId) => {
      closed.delete(callId);
      open.add(callId);
    },
    ended: (callId) => {
      if (open.delete(callId)) closed.add(callId);
    },
    ...asked(pool),
    forget: async (callId) => {
      if (open.has(callId)) return;
      await pool.query({
        name: "sessions-forget",
        text: "delete from work.sessions where call_id = $1",
        values: [callId],
      });
    },
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

/** What the rows say, whichever process wrote them. */
function asked(pool: pg.Pool): Pick<SessionPresence, "seenAt" | "lost" | "unknown"> {
  return {
    seenAt: async (callId) => {
      const { rows } = await pool.query<{ seen_at: Date }>({
        name: "sessions-seen",
        text: "select seen_at from work.sessions where call_id = $1",
        values: [callId],
      });
      const [row] = rows;
      return row === undefined ? null : instantFromMillis(row.seen_at.getTime());
    },
    lost: async (millis, limit) => {
      const { rows } = await pool.query<{ call_id: CallId }>({
        name: "sessions-lost",
        text: `select call_id from work.sessions
          where seen_at < clock_timestamp() - make_interval(secs => $1) order by seen_at limit $2`,
        values: [millis / 1_000, limit],
      });
      return rows.map(({ call_id }) => call_id);
    },
    unknown: async (callIds) => {
      const { rows } = await pool.query<{ call_id: CallId }>({
        name: "sessions-unknown",
        text: `select call_id from unnest($1::text[]) as asked (call_id)
          where not exists (select 1 from work.sessions s where s.call_id = asked.call_id)`,
        values: [callIds],
      });
      return rows.map(({ call_id }) => call_id);
    },
  };
}

const TELL = `
with removed as (
  delete from work.sessions where process = $1 and call_id = any($3::text[])
    or seen_at < clock_timestamp() - interval '${FORGET_SECONDS} seconds'
)
insert into work.sessions (call_id, process, seen_at)
select call_id, $1, clock_timestamp() from unnest($2::text[]) as talked (call_id) order by call_id
on conflict (call_id) do update set process = excluded.process, seen_at = excluded.seen_at`;
