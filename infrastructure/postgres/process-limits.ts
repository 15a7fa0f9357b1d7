import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";

const TELL_MILLIS = 5_000;

export type ProcessLimits = {
  readonly processId: string;
  /** Conversations that this process can hold at once: of text, or of audio. */
  readonly text: number;
  readonly audio: number;
};

/**
 * Reports what this process can hold, at once and every 5 s: admission grants no more calls than all live
 * processes together can hold (docs/operation.md). `stop`: it accepts no new ones.
 */
export async function tellLimits(
  pool: pg.Pool,
  logger: Logger,
  { processId, text, audio }: ProcessLimits,
): Promise<{ readonly stop: () => Promise<void> }> {
  const tell = () => pool.query({ name: "tell-limits", text: TELL, values: [processId, text, audio] });
  await tell();
  const timer = setInterval(() => {
    tell().catch((error: unknown) => {
      logger.warn({ problem: String(error) }, "what this process can hold was not told");
    });
  }, TELL_MILLIS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await pool.query(LEAVE, [processId]).catch(() => undefined);
    },
  };
}

const TELL = `
insert into work.processes (id, text_limit, audio_limit, alive_at) values ($1, $2, $3, clock_timestamp())
on conflict (id) do update set text_limit = excluded.text_limit, audio_limit = excluded.audio_limit,
  alive_at = excluded.alive_at`;

/** The row stays until the slots that it opened are closed. */
const LEAVE = "update work.processes set alive_at = '-infinity' where id = $1";
