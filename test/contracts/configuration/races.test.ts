import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationWorld,
  toolDraft,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let other: pg.PoolClient;
let owner: OwnerId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = systemIds.next("usr");
  const user = { id: owner, apiKeyId: systemIds.next("key"), name: "Ada", plan: {}, credits: 0 };
  await world.configuration.users.create(user);
  other = await world.database.pool.connect();
  await other.query("begin");
});
afterEach(async () => {
  await other.query("rollback");
  other.release();
});

/** Commits the other transaction when the work waits for it (or has, wrongly, ended already). */
async function commitWhenWaitedFor<Answer>(work: Promise<Answer>): Promise<Answer> {
  let ended = false;
  const answer = work.finally(() => {
    ended = true;
  });
  const waits =
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await eventually("the lock", async () => ended || (await world.database.pool.query(waits)).rows.length > 0);
  await other.query("commit");
  return answer;
}

it("waits for a tool that is being deleted, and then does not take it", async () => {
  const tool = systemIds.next("tool");
  await world.configuration.tools.create(owner, tool, toolDraft);
  await other.query("delete from config.tools where id = $1", [tool]);
  const draft = { ...assistantDraft, toolIds: [tool] };
  const made = await commitWhenWaitedFor(
    world.configuration.assistants.create(owner, systemIds.next("ast"), draft),
  );
  expect(made).toEqual({ saved: false, reason: "tools_not_found", toolIds: [tool] });
});

it("waits for an assistant that is taking the tool, and then does not delete it", async () => {
  const [tool, assistant] = [systemIds.next("tool"), systemIds.next("ast")];
  await world.configuration.tools.create(owner, tool, toolDraft);
  await world.configuration.assistants.create(owner, assistant, assistantDraft);
  await other.query("select 1 from config.tools where id = $1 for share", [tool]);
  await other.query("update config.assistants set tool_ids = array[$2] where id = $1", [assistant, tool]);
  const deleted = await commitWhenWaitedFor(world.configuration.tools.delete(owner, tool));
  expect(deleted).toMatchObject({ saved: false, reason: "in_use" });
});

it("waits for a revocation under way before it judges which operator key is the last", async () => {
  const ids = [systemIds.next("key"), systemIds.next("key")] as const;
  const draft = { name: "operator", scopes: ["operator"], expiresAt: null } as const;
  for (const id of ids) await world.configuration.apiKeys.create(owner, id, draft);
  await other.query("select 1 from config.users where id = $1 for update", [owner]);
  await other.query("update config.api_keys set revoked_at = now() where id = $1", [ids[0]]);
  const revoked = await commitWhenWaitedFor(world.configuration.apiKeys.revoke(owner, ids[1]));
  expect(revoked).toEqual({ saved: false, reason: "last_operator_key" });
});
