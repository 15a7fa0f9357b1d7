import type pg from "pg";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { openPool } from "../../../infrastructure/postgres/pool.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import type { AdmissionWorld } from "./admission-world.ts";
import { postgresAdmissionOn } from "./postgres-admission-world.ts";

/** Two processes on one database, each with its own pool, as the service opens them. */
export type TwoProcesses = {
  readonly database: WorkDatabase;
  readonly here: AdmissionWorld;
  readonly there: AdmissionWorld;
  readonly end: () => Promise<void>;
};

export async function twoProcesses(): Promise<TwoProcesses> {
  const database = await workDatabase();
  const connection = { connectionString: database.connectionString };
  const open = (): pg.Pool => openPool({ connection, logger: silentLogger });
  const pools = [open(), open()] as const;
  const notifications = createNotifications(pools[1], silentLogger);
  await notifications.start();
  // For good: whoever tells again each 5 s would overwrite what a test of limits tells.
  await database.pool.query(
    `insert into work.processes (id, text_limit, audio_limit, alive_at)
     select unnest('{here, there}'::text[]), 10000, 10000, 'infinity'`,
  );
  const here = postgresAdmissionOn(database, pools[0], "here");
  const there = postgresAdmissionOn({ ...database, notifications }, pools[1], "there");
  return {
    database,
    here,
    there,
    end: async () => {
      await Promise.all([here.end(), there.end()]);
      await notifications.close();
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
    },
  };
}
