import type pg from "pg";
import type { Notifications } from "../../application/ports/notifications.ts";
import { createNotifications } from "../../infrastructure/postgres/notifications.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { migratedDatabase } from "./database.ts";

export type WorkDatabase = {
  readonly connectionString: string;
  readonly pool: pg.Pool;
  readonly notifications: Notifications;
  readonly drop: () => Promise<void>;
};

/** A migrated database whose processes hear each other. */
export async function workDatabase(): Promise<WorkDatabase> {
  const database = await migratedDatabase();
  const notifications = createNotifications(database.pool, silentLogger);
  await notifications.start();
  return {
    ...database,
    notifications,
    drop: async () => {
      await notifications.close();
      await database.drop();
    },
  };
}
