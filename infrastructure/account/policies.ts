import type pg from "pg";
import type { Logger } from "../../application/ports/logger.ts";
import type { Notifications } from "../../application/ports/notifications.ts";
import type { Policies } from "../../application/ports/policies.ts";
import type { Policy, PolicyInForce } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { inTransaction } from "../postgres/transaction.ts";
import { createOwnerCache } from "./owner-cache.ts";
import { createOwnerChanges } from "./owner-changes.ts";

/** How soon a change is known here whose notification was lost. */
const LOOK_MILLIS = 1_000;

export type PostgresPolicies = Policies & {
  /** After it nobody hears of changes whose notification was lost. */
  readonly stop: () => void;
};

/**
 * Policies in force, in `work.policies`. Other processes hear of a change by a notification; if that is lost,
 * they see its row within a second.
 */
export function createPostgresPolicies(
  pool: pg.Pool,
  notifications: Notifications,
  logger: Logger,
): PostgresPolicies {
  const changes = createOwnerChanges(notifications, "policy-changed");
  const cache = createOwnerCache(changes);
  let seen: ReadonlyMap<OwnerId, number> = new Map();
  const look = async (): Promise<void> => {
    try {
      const { rows } = await pool.query<{ owner_id: OwnerId; version: number }>({
        name: "policies-changed",
        text: CHANGED,
      });
      const before = seen;
      seen = new Map(rows.map((row) => [row.owner_id, row.version]));
      for (const [owner, version] of seen) if (before.get(owner) !== version) changes.noticed(owner);
    } catch (error) {
      logger.debug({ problem: String(error) }, "changes of policies were not looked for");
    }
  };
  const timer = setInterval(() => void look(), LOOK_MILLIS);
  timer.unref();
  return {
    inForce: (owner) => cache.get(owner, "policy", () => inForce(pool, owner)),
    store: async (owner, version, policy) => {
      if (await store(pool, owner, version, policy)) changes.changed(owner);
    },
    replaceAll: async (policies) => {
      const before = await replaceAll(pool, policies);
      for (const owner of new Set([...before, ...policies.keys()])) changes.changed(owner);
    },
    onChange: changes.onChange,
    stop: () => clearInterval(timer),
  };
}

async function inForce(pool: pg.Pool, owner: OwnerId): Promise<PolicyInForce | null> {
  const { rows } = await pool.query<PolicyInForce>({
    name: "policy-in-force",
    text: "select version, policy from work.policies where owner_id = $1",
    values: [owner],
  });
  return rows[0] ?? null;
}

/** An admission of the owner ends before it, or reads what it stored. False: nothing changed. */
function store(pool: pg.Pool, owner: OwnerId, version: number, policy: Policy): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query("insert into work.owner_accounts (owner_id) values ($1) on conflict do nothing", [
      owner,
    ]);
    await client.query("select 1 from work.owner_accounts where owner_id = $1 for update", [owner]);
    const { rowCount } = await client.query(STORE, [owner, version, JSON.stringify(policy)]);
    return rowCount === 1;
  });
}

/** Returns the owners that had one. */
function replaceAll(
  pool: pg.Pool,
  policies: ReadonlyMap<OwnerId, PolicyInForce>,
): Promise<readonly OwnerId[]> {
  const rows = [...policies].map(([owner_id, inForce]) => ({ owner_id, ...inForce }));
  return inTransaction(pool, async (client) => {
    const removed = await client.query<{ owner_id: OwnerId }>("delete from work.policies returning owner_id");
    await client.query(
      `insert into work.policies (owner_id, version, policy, changed_at)
       select owner_id, version, policy, clock_timestamp()
       from json_to_recordset($1::json) as latest (owner_id text, version integer, policy jsonb)`,
      [JSON.stringify(rows)],
    );
    return removed.rows.map((row) => row.owner_id);
  });
}

const STORE = `
insert into work.policies (owner_id, version, policy, changed_at) values ($1, $2, $3, clock_timestamp())
on conflict (owner_id) do update
  set version = excluded.version, policy = excluded.policy, changed_at = excluded.changed_at
  where policies.version < excluded.version`;

/** Longer than a look may be late. */
const CHANGED = `
select owner_id, version from work.policies where changed_at > now() - interval '60 seconds'`;
