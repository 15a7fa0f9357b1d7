import process from "node:process";
import type { Admission } from "../../application/ports/admission.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { numberColumns } from "../../infrastructure/account/admission/numbers.ts";
import { createPostgresAdmission } from "../../infrastructure/account/admission/postgres-admission.ts";
import { createPostgresPolicies } from "../../infrastructure/account/policies.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createLogger } from "../../infrastructure/logger.ts";
import { createNotifications } from "../../infrastructure/postgres/notifications.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction } from "../../infrastructure/postgres/transaction.ts";
import { createMemorySubjectKeys } from "../../simulation/memory/subject-keys.ts";
import { type BenchDatabase, openBenchDatabase } from "../bench-database.ts";
import { alternate, type Benchmark, type Result } from "../benchmark.ts";
import { OURS, row } from "../rows.ts";

/** Dials that are kept, of so many numbers of each of eight owners. */
const DIALS = Number(process.env["NUMBERS_DIALS"] ?? 10_000_000);
const OWNERS = 8;
const NUMBERS = Math.max(1, Math.ceil(DIALS / OWNERS / 10));
const ASKED = 500;
const RUNS = 51;
const PRICE = 1;
const RULES: Policy = {
  callableHours: { start: 3, end: 2 },
  attemptsPerNumber: { day: 2, week: 4, month: 8 },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

/**
 * What a policy costs where slots are taken: the latest dials and the open slots of 500 numbers among all
 * that are kept, and a whole admission of 100 candidates with and without one. No peer: the goal is the
 * issue's.
 */
export const benchmark: Benchmark = { name: "numbers", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const database = await openBenchDatabase();
  const notifications = createNotifications(database.pool, createLogger("silent"));
  await notifications.start();
  const logger = createLogger("silent");
  const policies = createPostgresPolicies(database.pool, notifications, logger);
  const keys = createMemorySubjectKeys();
  const admission = createPostgresAdmission({ pool: database.pool, notifications, logger, keys });
  const owners = Array.from({ length: OWNERS }, () => systemIds.next("usr"));
  for (const owner of owners) {
    await database.pool.query(
      "insert into config.users values ($1, $1, 100000, 100000, true, now(), now())",
      [owner],
    );
    await admission.topUp(owner, 1e12, "bench");
  }
  log(`${DIALS} dials of ${NUMBERS} numbers of each of ${OWNERS} owners`);
  await manyDials(database, owners);
  const [first = "usr_", second = "usr_"] = owners;
  await policies.store(first, 1, RULES);
  const rows = [
    row(
      `dials and open slots of ${ASKED} numbers`,
      "ms",
      await alternate([{ name: OURS, run: () => asked(database, first) }], RUNS),
      { atMost: 2 },
    ),
    row(
      "admission of 100 candidates",
      "ms",
      await alternate(
        [
          { name: "with a policy", run: () => admitted(admission, first) },
          { name: "without", run: () => admitted(admission, second) },
        ],
        RUNS,
      ),
    ),
  ];
  const settings = await database.settings();
  const { rows: sizes } = await database.pool.query<{ megabytes: number }>(
    "select (pg_total_relation_size('work.number_dials') / 1000000)::integer as megabytes",
  );
  policies.stop();
  admission.stop();
  await notifications.close();
  await database.stop();
  return { benchmark: "numbers", settings: { ...settings, dials: DIALS, runs: RUNS, ...sizes[0] }, rows };
}

/** Ten dials of each number over the days that are kept. */
async function manyDials({ pool }: BenchDatabase, owners: readonly OwnerId[]): Promise<void> {
  for (const owner of owners) {
    await pool.query(
      `insert into work.number_dials (owner_id, number, at, call_id)
       select $1, 905300000000 + n % $2, now() - n * (interval '34 days' / $3), 'call_' || md5($1 || n)
       from generate_series(1, $3) n`,
      [owner, NUMBERS, Math.ceil(DIALS / OWNERS)],
    );
  }
  await pool.query("vacuum analyze work.number_dials");
}

function someNumbers(count: number): PhoneNumber[] {
  const begin = Math.floor(Math.random() * Math.max(1, NUMBERS - count));
  return Array.from({ length: count }, (_, index): PhoneNumber => `+${905_300_000_000 + begin + index}`);
}

async function asked({ pool }: BenchDatabase, owner: OwnerId): Promise<number> {
  const numbers = someNumbers(ASKED);
  return inTransaction(
    pool,
    async (client) => {
      const started = performance.now();
      await client.query({
        name: "bench-numbers",
        text: `select ${numberColumns(1)}`,
        values: [numbers.map(() => owner), numbers, numbers.map(() => 8)],
      });
      return performance.now() - started;
    },
    BEGIN_WITH_KEPT_PLANS,
  );
}

async function admitted(admission: Admission, owner: OwnerId): Promise<number> {
  const numbers = someNumbers(100);
  const candidates = numbers.map((phoneNumber) => ({
    ...{ callId: systemIds.next("call"), phoneNumber, windowClosesAt: null },
  }));
  const unlimited = { maxConcurrentCalls: null, maxCallsPerSecond: null, connection: null };
  const started = performance.now();
  const campaignId = systemIds.next("cmp");
  const { granted } = await admission.admit({
    ...{ owner, campaignId, candidates, pricePerMinute: PRICE, ...unlimited },
  });
  const millis = performance.now() - started;
  await admission.close(granted.map(({ callId }) => ({ callId, cost: 0, unused: true })));
  return millis;
}
