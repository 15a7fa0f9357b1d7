import type { TestDatabase } from "./postgres.ts";

/** Ends the connections that hold turns, as the death of their processes does. */
export async function cutTurns({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'ringfold turns' and datname = current_database()`,
  );
}
