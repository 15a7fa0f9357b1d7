import type pg from "pg";
import type { SharedLoad } from "../../application/installation-numbers.ts";

/** Shared resources for /metrics: reads a row for each connection and each process. */
export async function sharedLoad(pool: pg.Pool): Promise<SharedLoad> {
  const { rows: delays } = await pool.query<{ carrier: string; seconds: number }>(DELAYS);
  const { rows: limits } = await pool.query<{ text: number; audio: number }>(LIMITS);
  return { delays, conversations: limits[0] ?? { text: 0, audio: 0 } };
}

const DELAYS = `
select kind as carrier,
  max(greatest(0, next_turn_ms / 1000 - extract(epoch from clock_timestamp())))::float8 as seconds
from work.connection_turns group by kind`;

const LIMITS = `
select coalesce(sum(text_limit), 0)::float8 as text, coalesce(sum(audio_limit), 0)::float8 as audio
from work.processes where alive_at > clock_timestamp() - interval '20 seconds'`;
