import { afterAll, beforeAll, expect, it } from "vitest";
import type { Policy } from "../../../domain/policy/policy.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { LISTS_ASKED, numberColumns } from "../../../infrastructure/account/admission/numbers.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction } from "../../../infrastructure/postgres/transaction.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import {
  type AdmissionWorld,
  ask,
  giveBack,
  grantedCalls,
  hangUp,
  someCalls,
  someCampaign,
  someOwner,
} from "./admission-world.ts";
import { type TwoProcesses, twoProcesses } from "./two-processes.ts";

const NUMBERS: readonly PhoneNumber[] = ["+905321234567", "+905321234568", "+905321234569"];
const CAP = 4;
const POLICY: Policy = {
  callableHours: null,
  attemptsPerNumber: { month: CAP },
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

let processes: TwoProcesses;
let here: AdmissionWorld;
let there: AdmissionWorld;
beforeAll(async () => {
  processes = await twoProcesses();
  ({ here, there } = processes);
});
afterAll(() => processes.end());

/** Numbers with more than `most` rows of the owner there, and how many rows all have. */
async function counted(from: string, number: string, owner: OwnerId, most: number) {
  const { rows } = await processes.database.pool.query<{ over: string; all: string }>(
    `select count(*) filter (where dials > $2) as over, coalesce(sum(dials), 0) as all
     from (select count(*) as dials from ${from} and owner_id = $1 group by ${number}) each_number`,
    [owner, most],
  );
  return { over: Number(rows[0]?.over), all: Number(rows[0]?.all) };
}
const open = (owner: OwnerId) => counted("work.call_slots where closed_at is null", "phone_number", owner, 1);
const dials = (owner: OwnerId) => counted("work.number_dials where true", "number", owner, CAP);

it("passes no cap and opens no second slot when two campaigns in two processes dial the same numbers", async () => {
  const owner = await someOwner(here, { maxConcurrentCalls: 50 });
  await here.setPolicy(owner, 1, POLICY);
  let [dialled, givenBack] = [0, 0];
  const worker = async (world: AdmissionWorld, worker: number) => {
    const campaignId = worker % 3 === 0 ? null : someCampaign();
    for (let round = 0; round < 12; round += 1) {
      const phoneNumber = NUMBERS[(worker + round) % NUMBERS.length] ?? "+";
      const calls = grantedCalls(await ask(world, owner, someCalls(2), { phoneNumber, campaignId }));
      expect((await open(owner)).over).toBe(0);
      if ((worker + round) % 2 === 0) {
        await giveBack(world, calls);
        givenBack += calls.length;
      } else {
        await hangUp(world, calls);
        dialled += calls.length;
      }
    }
  };
  await Promise.all(
    Array.from({ length: 8 }, (_, number) => worker(number % 2 === 0 ? here : there, number)),
  );
  expect(await dials(owner)).toEqual({ over: 0, all: dialled });
  expect(dialled).toBeLessThanOrEqual(CAP * NUMBERS.length);
  expect(givenBack).toBeGreaterThan(0);
});

it("counts a dial exactly where its slot was opened, when connections are cut in between", async () => {
  const owner = await someOwner(here, { maxConcurrentCalls: 1_000 });
  const asked = Array.from({ length: 100 }, (_, index) => {
    const phoneNumber: PhoneNumber = `+90532123${4000 + index}`;
    return ask(there, owner, someCalls(1), { phoneNumber }).catch(() => null);
  });
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await processes.database.pool.query(cut).catch(() => undefined);
  await Promise.all(asked);
  const slots = await eventually("the database", () => open(owner).catch(() => null));
  expect(await dials(owner)).toEqual(slots);
});

it("finds the latest dials of many numbers by the index alone, and their open slots by one", async () => {
  const { pool } = processes.database;
  await pool.query(`insert into work.number_dials (owner_id, number, at, call_id)
    select 'usr_many', 905320000000 + n % 20000, now() - n * interval '10 seconds', 'call_' || n
    from generate_series(1, 200000) n`);
  // as many as a service with a large plan has: of a few rows no plan says anything
  await pool.query(`insert into work.call_slots (call_id, owner_id, phone_number, price, dial_at, dial_by,
      next_look_at, paced, active_calls, max_concurrent_calls, available_credits, audio)
    select 'call_many' || n, 'usr_many', '+' || (905320000000 + n), 1, now(), now(), now(), false, 1, 1, 1, false
    from generate_series(1, 20000) n`);
  await pool.query("vacuum analyze work.number_dials, work.call_slots");
  const numbers = Array.from({ length: 500 }, (_, index) => `+${905320000000 + index}`);
  const plan = await inTransaction(
    pool,
    async (client) => {
      await client.query(`prepare asked (text[], text[], integer[]) as select ${numberColumns(1)}`);
      const { rows } = await client.query<{ "QUERY PLAN": string }>(
        `explain (analyze, timing off) execute asked (array_fill('usr_many'::text, array[500]),
          '{${numbers.join()}}', array_fill(4, array[500]))`,
      );
      await client.query("deallocate asked");
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    },
    BEGIN_WITH_KEPT_PLANS,
  );
  expect(plan).toContain("Index Only Scan Backward using number_dials_pkey on number_dials");
  expect(plan).toContain("using call_slots_number on call_slots");
  expect(plan).not.toMatch(/Sort|Seq Scan/);
});

it("reads lists only where the policy asks for their age, by their index", async () => {
  const { pool } = processes.database;
  await pool.query(`insert into work.policies (owner_id, version, policy, changed_at) values
    ('usr_7', 1, '{"listMaxAgeDays": 30}', now()), ('usr_8', 1, '{"oneCallAtATime": true}', now())`);
  await pool.query(`insert into config.suppression_lists (id, owner_id, name, kind, active, as_of, created_at,
      updated_at, changed_at)
    select 'spl_' || n, 'usr_' || n % 1000, 'List', 'registry', true, now(), now(), now(), now()
    from generate_series(1, 20000) n`);
  await pool.query("vacuum analyze work.policies, config.suppression_lists");
  const plan = async (owner: string) => {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(
      `explain (analyze, timing off) select ${LISTS_ASKED} from work.policies p where p.owner_id = '${owner}'`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  expect(await plan("usr_7")).toMatch(/Scan on suppression_lists_owner .*actual rows=20/);
  expect(await plan("usr_8")).toMatch(/Scan on suppression_lists_owner .*never executed/);
});
