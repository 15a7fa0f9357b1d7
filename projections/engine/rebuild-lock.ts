import { sql } from "kysely";
import type { Clock } from "../../application/ports/clock.ts";
import { modelOf, type Projection, type ReadDatabase } from "./projection.ts";

/** Another process is building the same read model. */
export class RebuildRunningError extends Error {
  override readonly name = "RebuildRunningError";
  constructor(model: string) {
    super(`${model} is being built by another process; try again when it is done.`);
  }
}

const LOOK_AGAIN_MILLIS = 250;

export type WhenBusy = { readonly kind: "refuse" } | { readonly kind: "wait"; readonly clock: Clock };

/**
 * One builder of a read model at a time. The lock lives as long as its connection, so a dead
 * process releases it.
 */
export async function underLock<Answer>(
  db: ReadDatabase,
  projections: readonly Projection[],
  whenBusy: WhenBusy,
  signal: AbortSignal,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return db.connection().execute(async (session) => {
    try {
      for (const model of projections.map(modelOf).toSorted()) {
        while (!(await tryLock(session, model))) {
          if (whenBusy.kind === "refuse") throw new RebuildRunningError(model);
          await whenBusy.clock.sleep(LOOK_AGAIN_MILLIS, signal);
          signal.throwIfAborted();
        }
      }
      return await work();
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(session);
    }
  });
}

async function tryLock(session: ReadDatabase, model: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${`read.rebuild.${model}`}, 0)) as taken`.execute(session);
  return rows[0]?.taken === true;
}
