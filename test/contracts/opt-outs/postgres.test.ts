import { afterAll, beforeAll } from "vitest";
import {
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
} from "../configuration/configuration-world.ts";
import { optOutsContract } from "./opt-outs-contract.ts";

let database: ConfigurationWorld;
beforeAll(async () => {
  database = await configurationWorld();
});
afterAll(() => database.end());

optOutsContract("opt-outs in PostgreSQL", () => {
  const { configuration, directory, clock } = database;
  const { pool, notifications } = database.database;
  const other = configurationOn({ pool, notifications });
  return {
    optOuts: configuration.optOuts,
    again: other.configuration.optOuts,
    suppressions: configuration.suppressions,
    directory,
    clock,
    async tell(owner) {
      await pool.query(
        `insert into config.webhook_endpoints (owner_id, url, enabled, events, created_at, updated_at)
         values ($1, 'http://127.0.0.1:8080/', true, '{number.suppressed}', now(), now())`,
        [owner],
      );
    },
    async told(owner) {
      const { rows } = await pool.query<{ body: string }>(
        `select m.body from work.webhook_messages m join work.webhook_deliveries d
           on d.owner_id = m.owner_id and d.event_id = m.event_id and d.trigger = 'auto' and d.status = 'pending'
         where m.owner_id = $1 order by m.occurred_at, m.sequence`,
        [owner],
      );
      return rows.map(({ body }) => body);
    },
    async lose(owner, phoneNumber) {
      await pool.query("delete from config.suppressions where owner_id = $1 and phone_number = $2", [
        owner,
        phoneNumber,
      ]);
    },
  };
});
