import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { NewUser, Users } from "../../../application/ports/configuration/users.ts";
import type { PlanLimits, PlanRecord } from "../../../contract/account.ts";
import type { IssuedApiKey } from "../../../contract/api-key.ts";
import type { ApiKeyScope } from "../../../contract/scopes.ts";
import type { UserRecord } from "../../../contract/user.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { issueKey } from "./api-key-rows.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { insertOnce, readPage } from "./owners-records.ts";
import type { ConfigurationTables, UsersTable } from "./tables.ts";

type Db = Kysely<ConfigurationTables>;

export function users(deps: ConfigurationDeps): Users {
  const { db, changes } = deps;
  return {
    create: async (user) => {
      const made = await db
        .transaction()
        .execute((transaction) => createUser(deps, transaction, user, { scopes: ["admin"], given: null }));
      changes.changed(user.id);
      return made;
    },
    get: async (id) => {
      const row = await db.selectFrom("config.users").selectAll().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : recordOf(row);
    },
    list: (page) => readPage(db, db.selectFrom("config.users").selectAll(), ["id", "desc"], page, recordOf),
    change: (id, wanted) => changeUser(deps, id, wanted),
    holdDefaultPlan: () => holdDefaultPlan(deps),
    firstRun: (run) => firstRun(deps, run),
  };
}

async function changeUser(
  { db, changes, clock, defaults }: ConfigurationDeps,
  ...[id, { name, active, plan }]: Parameters<Users["change"]>
): ReturnType<Users["change"]> {
  const answer = await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom("config.users")
      .selectAll()
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return { saved: false, reason: "not_found" } as const;
    if (active === false && (await isOperator(transaction, id))) {
      return { saved: false, reason: "operator_needed" } as const;
    }
    const changed = await transaction
      .updateTable("config.users")
      .set({
        name: name ?? row.name,
        active: active ?? row.active,
        ...(plan === null ? defaultPlan(defaults) : changedPlan(row, plan ?? {})),
        updated_at: dateNow(clock),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { saved: true, value: recordOf(changed) } as const;
  });
  changes.changed(id);
  return answer;
}

type PlanColumns = Pick<
  Selectable<UsersTable>,
  "max_concurrent_calls" | "max_calls_per_second" | "max_model_tokens_per_day" | "plan_source"
>;

function changedPlan(row: PlanColumns, plan: Partial<PlanLimits>): PlanColumns {
  return {
    max_concurrent_calls: plan.maxConcurrentCalls ?? row.max_concurrent_calls,
    max_calls_per_second: plan.maxCallsPerSecond ?? row.max_calls_per_second,
    max_model_tokens_per_day:
      plan.maxModelTokensPerDay === undefined
        ? row.max_model_tokens_per_day
        : textOf(plan.maxModelTokensPerDay),
    plan_source: sourceOf(plan, row.plan_source),
  };
}

/** What an owner without a plan of its own is made with. */
function defaultPlan({ plan }: ConfigurationDeps["defaults"]): PlanColumns {
  return {
    max_concurrent_calls: plan.maxConcurrentCalls,
    max_calls_per_second: plan.maxCallsPerSecond,
    max_model_tokens_per_day: null,
    plan_source: "default",
  };
}

/** Reads first: a start that changes nothing waits for no lock of a writer. */
async function holdDefaultPlan({ db, changes, defaults }: ConfigurationDeps): Promise<number> {
  const { maxConcurrentCalls, maxCallsPerSecond } = defaults.plan;
  const other = sql<boolean>`plan_source = 'default'
    and (max_concurrent_calls, max_calls_per_second) is distinct from (${maxConcurrentCalls}, ${maxCallsPerSecond})`;
  const found = await db.selectFrom("config.users").select("id").where(other).limit(1).executeTakeFirst();
  if (found === undefined) return 0;
  const changed = await db
    .updateTable("config.users")
    .set({ max_concurrent_calls: maxConcurrentCalls, max_calls_per_second: maxCallsPerSecond })
    .where(other)
    .returning("id")
    .execute();
  for (const { id } of changed) changes.changed(id);
  return changed.length;
}

function firstRun(
  deps: ConfigurationDeps,
  { userId, apiKeyId, bootstrapKey }: Parameters<Users["firstRun"]>[0],
): ReturnType<Users["firstRun"]> {
  return deps.db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('ringfold first run', 0))`.execute(transaction);
    const known = await transaction.selectFrom("config.api_keys").select("id").limit(1).executeTakeFirst();
    if (known !== undefined) return null;
    const first: NewUser = { id: userId, apiKeyId, name: "operator", plan: {}, credits: null };
    const key = { scopes: ["admin", "operator"], given: bootstrapKey } as const;
    return (await createUser(deps, transaction, first, key)).apiKey;
  });
}

/** The owner, its account and its first key. */
async function createUser(
  { defaults, clock }: ConfigurationDeps,
  transaction: Db,
  { id, apiKeyId, name, plan, credits }: NewUser,
  key: { readonly scopes: readonly ApiKeyScope[]; readonly given: string | null },
): Promise<{ readonly created: boolean; readonly user: UserRecord; readonly apiKey: IssuedApiKey }> {
  const at = dateNow(clock);
  const made = await insertOnce(transaction, "config.users", {
    id,
    name,
    max_concurrent_calls: plan.maxConcurrentCalls ?? defaults.plan.maxConcurrentCalls,
    max_calls_per_second: plan.maxCallsPerSecond ?? defaults.plan.maxCallsPerSecond,
    max_model_tokens_per_day: textOf(plan.maxModelTokensPerDay ?? null),
    plan_source: sourceOf(plan, "default"),
    active: true,
    created_at: at,
    updated_at: at,
  } satisfies Insertable<UsersTable>);
  if (made !== null) await openAccount(transaction, id, credits ?? defaults.credits, at);
  const row =
    made ??
    (await transaction.selectFrom("config.users").selectAll().where("id", "=", id).executeTakeFirstOrThrow());
  const draft = { name: "first key", scopes: key.scopes, expiresAt: null, at, given: key.given };
  const apiKey = await issueKey(transaction, id, apiKeyId, draft);
  return { created: made !== null, user: recordOf(row), apiKey };
}

/** A request for slots before the owner existed has left an empty account. */
async function openAccount(transaction: Db, owner: OwnerId, credits: number, at: Date): Promise<void> {
  await transaction
    .insertInto("work.owner_accounts")
    .values({ owner_id: owner, balance: credits })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet({ balance: credits }))
    .execute();
  if (credits === 0) return;
  const entry = { cause: "top_up", amount: credits, balance: credits, reserved: 0 } as const;
  await transaction
    .insertInto("work.ledger")
    .values({ owner_id: owner, at, ...entry, call_id: null, reference: null })
    .execute();
}

async function isOperator(db: Db, owner: OwnerId): Promise<boolean> {
  const row = await db
    .selectFrom("config.api_keys")
    .select("id")
    .where("owner_id", "=", owner)
    .where("revoked_at", "is", null)
    .where(sql<boolean>`'operator' = any(scopes)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function sourceOf(plan: Partial<PlanLimits> | undefined, before: PlanRecord["source"]): PlanRecord["source"] {
  const isSet = Object.values(plan ?? {}).some((value) => value !== undefined);
  return isSet ? "operator" : before;
}

function textOf(amount: number | null): string | null {
  return amount === null ? null : String(amount);
}

function recordOf(row: Selectable<UsersTable>): UserRecord {
  return {
    id: row.id,
    name: row.name,
    plan: {
      maxConcurrentCalls: row.max_concurrent_calls,
      maxCallsPerSecond: row.max_calls_per_second,
      maxModelTokensPerDay:
        row.max_model_tokens_per_day === null ? null : Number(row.max_model_tokens_per_day),
      source: row.plan_source,
    },
    active: row.active,
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}
