import pg from "pg";
import type { Admission } from "../../application/ports/admission.ts";
import type { Grant } from "../../domain/admission/grants.ts";
import type { ConnectionTurn } from "../../domain/admission/requests.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { createPostgresAdmission } from "../../infrastructure/account/admission/postgres-admission.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createLogger } from "../../infrastructure/logger.ts";
import { createNotifications } from "../../infrastructure/postgres/notifications.ts";
import { createMemorySubjectKeys } from "../../simulation/memory/subject-keys.ts";
import { type BenchDatabase, openBenchDatabase, versionOf } from "../bench-database.ts";
import { alternate, type Benchmark, type Result } from "../benchmark.ts";
import { rateOf } from "../load.ts";
import { OURS, row } from "../rows.ts";

const RUNS = 5;
const RUN_MILLIS = 2_000;
const CLIENTS = 256;
const CAMPAIGNS = 10;
const BATCH = 100;
const POOL = 20;
/** Limits that are never reached: measured is their cost, not their delay. */
const LIMITED: Omit<ConnectionTurn, "key"> = {
  kind: "twilio",
  audio: false,
  callsPerSecond: 100_000,
  maxConcurrentCalls: 100_000,
};
const LIMITS = { concurrent: 100_000, perSecond: 100_000 };

/**
 * Whole lives of a slot: admitted (slot, pace, reservation) and closed (slot freed, reservation released,
 * cost charged), all in the ledger.
 */
export const benchmark: Benchmark = { name: "admission", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const pool = new pg.Pool({ ...database.connection, max: POOL });
  const notifications = createNotifications(pool, createLogger("silent"));
  await notifications.start();
  const admission = createPostgresAdmission({
    pool,
    notifications,
    logger: createLogger("silent"),
    keys: createMemorySubjectKeys(),
  });
  const owners = await someOwners(database, admission);
  const counting = (name: string, work: () => Promise<number>) => ({
    name,
    run: async () => {
      await database.settle();
      return work();
    },
  });
  const rows = [];
  for (const count of [1, owners.length]) {
    log(`single calls of ${count} owners`);
    const some = owners.slice(0, count);
    const medians = await alternate(
      [
        counting(OURS, () => singleCalls(admission, some)),
        counting("two commits a call", () => twoCommits(pool, some)),
      ],
      RUNS,
    );
    rows.push(row(`admit + close, ${CLIENTS} clients, ${count} owners`, "1/s", medians, { atLeast: 3_000 }));
  }
  log("limited connections");
  for (const count of [1, owners.length]) {
    const limited = await alternate([counting(OURS, () => limitedCalls(admission, owners, count))], RUNS);
    rows.push(
      row(`admit + close, ${CLIENTS} clients, ${count} limited connections`, "1/s", limited, {
        atLeast: 1_500,
      }),
    );
  }
  log("campaigns");
  const campaigns = await alternate(
    [counting(OURS, () => campaignCalls(admission, owners.slice(0, 1)))],
    RUNS,
  );
  rows.push(
    row(`admit ${BATCH} at once, ends one by one, ${CAMPAIGNS} campaigns`, "1/s", campaigns, {
      atLeast: 3_000,
    }),
  );
  await checkSums(database);
  const settings = await database.settings();
  admission.stop();
  await notifications.close();
  await pool.end();
  await database.stop();
  return {
    benchmark: "admission",
    settings: {
      ...settings,
      pg: versionOf("pg", "service"),
      "pool of both sides": POOL,
      plan: `${LIMITS.concurrent} calls, ${LIMITS.perSecond}/s`,
      runs: `${RUNS} of ${RUN_MILLIS} ms, alternating`,
      counted: "afterwards: live, reserved and balance of every owner against slots and ledger",
    },
    rows,
  };
}

async function someOwners(database: BenchDatabase, admission: Admission): Promise<readonly OwnerId[]> {
  const owners = Array.from({ length: 8 }, () => systemIds.next("usr"));
  for (const owner of owners) {
    await database.pool.query("insert into config.users values ($1, $1, $2, $3, true, now(), now())", [
      owner,
      LIMITS.concurrent,
      LIMITS.perSecond,
    ]);
    await admission.topUp(owner, 1e12, "bench");
  }
  return owners;
}

const PRICE = 10_000;

async function admit(
  admission: Admission,
  owner: OwnerId,
  campaignId: CampaignId | null,
  count: number,
  connection: ConnectionTurn | null = null,
): Promise<readonly Grant[]> {
  const { granted } = await admission.admit({
    owner,
    campaignId,
    candidates: Array.from({ length: count }, () => ({
      callId: systemIds.next("call"),
      phoneNumber: "+12025550100" as const,
      windowClosesAt: null,
    })),
    pricePerMinute: PRICE,
    maxConcurrentCalls: null,
    maxCallsPerSecond: null,
    connection,
  });
  return granted;
}

async function singleCalls(admission: Admission, owners: readonly OwnerId[]): Promise<number> {
  const { rate } = await rateOf(CLIENTS, RUN_MILLIS, async (client) => {
    const owner = owners[client % owners.length] ?? "usr_";
    const [grant] = await admit(admission, owner, null, 1);
    if (grant === undefined) throw new Error("nothing was granted");
    await admission.close([{ callId: grant.callId, cost: 4_321 }]);
  });
  return rate;
}

/** The same through connections with their own pace and lines, which all owners share. */
async function limitedCalls(
  admission: Admission,
  owners: readonly OwnerId[],
  connections: number,
): Promise<number> {
  const { rate } = await rateOf(CLIENTS, RUN_MILLIS, async (client) => {
    const owner = owners[client % owners.length] ?? "usr_";
    const connection = { ...LIMITED, key: `conn_${client % connections}` };
    const [grant] = await admit(admission, owner, null, 1, connection);
    if (grant === undefined) throw new Error("nothing was granted");
    await admission.close([{ callId: grant.callId, cost: 4_321 }]);
  });
  return rate;
}

/** Each runner asks for many at once; each call ends alone. */
async function campaignCalls(admission: Admission, owners: readonly OwnerId[]): Promise<number> {
  let ended = 0;
  const campaigns = Array.from({ length: CAMPAIGNS }, () => systemIds.next("cmp"));
  const started = performance.now();
  await rateOf(CAMPAIGNS, RUN_MILLIS, async (client) => {
    const owner = owners[client % owners.length] ?? "usr_";
    const granted = await admit(admission, owner, campaigns[client] ?? null, BATCH);
    await Promise.all(granted.map(({ callId }) => admission.close([{ callId, cost: 4_321 }])));
    ended += granted.length;
  });
  return (ended / (performance.now() - started)) * 1_000;
}

/** The obvious way: one transaction to take the slot, one to return it, each locking the owner's row. */
async function twoCommits(pool: pg.Pool, owners: readonly OwnerId[]): Promise<number> {
  const { rate } = await rateOf(CLIENTS, RUN_MILLIS, async (client) => {
    const owner = owners[client % owners.length] ?? "usr_";
    const callId = systemIds.next("call");
    await inTransaction(pool, TAKE, [owner, callId, PRICE]);
    await inTransaction(pool, GIVE_BACK, [owner, callId, PRICE]);
  });
  return rate;
}

async function inTransaction(
  pool: pg.Pool,
  statements: readonly string[],
  values: readonly [OwnerId, CallId, number],
): Promise<void> {
  const client = await pool.connect();
  await client.query("begin");
  for (const text of statements) await client.query({ name: nameOf(text), text, values: [...values] });
  await client.query("commit");
  client.release();
}

/** Both sides use prepared statements. */
const nameOf = (text: string): string => `${[...TAKE, ...GIVE_BACK].indexOf(text)}`;

const LEDGER = `select $1, now(), cause, $3::bigint, balance, reserved, $2 from work.owner_accounts`;
const TAKE = [
  "update work.owner_accounts set live = live + 1, reserved = reserved + $3::bigint where owner_id = $1 and $2::text <> ''",
  `insert into work.call_slots (call_id, owner_id, price, dial_at, dial_by, next_look_at, paced, active_calls, max_concurrent_calls, available_credits)
   values ($2, $1, $3, now(), now(), now(), false, 1, 1, 1)`,
  `insert into work.ledger (owner_id, at, cause, amount, balance, reserved, call_id)
   ${LEDGER}, (values ('reserve')) as c(cause) where owner_id = $1`,
];
const GIVE_BACK = [
  `update work.owner_accounts set live = live - 1, reserved = reserved - $3::bigint, balance = balance - $3::bigint
   where owner_id = $1 and $2::text <> ''`,
  "update work.call_slots set closed_at = now() where call_id = $2 and owner_id = $1 and $3::bigint > 0",
  `insert into work.ledger (owner_id, at, cause, amount, balance, reserved, call_id)
   ${LEDGER}, (values ('release'), ('charge')) as c(cause) where owner_id = $1`,
];

/** Figures count only when every owner's row matches its slots and its ledger. */
async function checkSums(database: BenchDatabase): Promise<void> {
  const wrong = await database.count(`work.owner_accounts a where
    live <> (select count(*) from work.call_slots s where s.owner_id = a.owner_id and closed_at is null)
    or reserved <> (select coalesce(sum(price), 0) from work.call_slots s where s.owner_id = a.owner_id and closed_at is null)
    or balance <> (select sum(case cause when 'top_up' then amount when 'charge' then -amount else 0 end)
      from work.ledger l where l.owner_id = a.owner_id)`);
  if (wrong > 0) throw new Error(`${wrong} owners do not agree with their slots or their ledger`);
}
