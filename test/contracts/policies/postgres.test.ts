import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Policies } from "../../../application/ports/policies.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import { createPostgresPolicies, type PostgresPolicies } from "../../../infrastructure/account/policies.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";
import { policiesContract } from "./policies-contract.ts";

const SECOND = 1_000;
const OFF: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

let database: WorkDatabase;
const opened: PostgresPolicies[] = [];
const open = (notifications: WorkDatabase["notifications"]): PostgresPolicies => {
  const policies = createPostgresPolicies(database.pool, notifications, silentLogger);
  opened.push(policies);
  return policies;
};
let here: Policies;
let there: Policies;
let closeThere: () => Promise<void>;

beforeAll(async () => {
  database = await workDatabase();
  const notifications = createNotifications(database.pool, silentLogger);
  await notifications.start();
  closeThere = notifications.close;
  here = open(database.notifications);
  there = open(notifications);
});
afterAll(async () => {
  for (const policies of opened) policies.stop();
  await closeThere();
  await database.drop();
});

policiesContract("policies in PostgreSQL", () => ({
  policies: here,
  again: there,
  soon: async (what, holds) => {
    await eventually(what, holds, SECOND);
  },
}));

describe("policies in PostgreSQL", () => {
  it("waits for an admission of the owner, and lets no later one by", async () => {
    const owner = systemIds.next("usr");
    await here.store(owner, 1, OFF);
    const admission = await database.pool.connect();
    await admission.query("begin");
    await admission.query("select 1 from work.owner_accounts where owner_id = $1 for update", [owner]);
    let isStored = false;
    const storing = here.store(owner, 2, OFF).then(() => {
      isStored = true;
    });
    await eventually("the store to wait for the row", async () => {
      const { rows } = await database.pool.query<{ waits: boolean }>(
        `select count(*) > 0 as waits from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%work.owner_accounts%'`,
      );
      return rows[0]?.waits === true;
    });
    const { rows } = await admission.query("select version from work.policies where owner_id = $1", [owner]);
    expect([isStored, rows]).toEqual([false, [{ version: 1 }]]);
    await admission.query("commit");
    admission.release();
    await storing;
    expect((await here.inForce(owner))?.version).toBe(2);
  });

  it("sees a change whose notification was lost", async () => {
    const owner = systemIds.next("usr");
    const deaf = open({ ...database.notifications, subscribe: () => () => undefined });
    expect(await deaf.inForce(owner)).toBeNull();
    const heard: string[] = [];
    deaf.onChange((changed) => heard.push(changed));
    await here.store(owner, 1, OFF);
    await eventually("the change", async () => heard.includes(owner), 3 * SECOND);
    expect((await deaf.inForce(owner))?.version).toBe(1);
  });
});
