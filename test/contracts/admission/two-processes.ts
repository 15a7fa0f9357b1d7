import type pg from "pg";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { openPool } from "../../../infrastructure/postgres/pool.ts";
import { tellLimits } from "../../../infrastructure/postgres/process-limits.ts";
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
  for (const processId of ["here", "there"])
    await tellLimits(database.pool, silentLogger, { processId, text: 10_000, audio: 10_000 });
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
