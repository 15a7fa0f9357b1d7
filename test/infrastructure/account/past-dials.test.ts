import { afterAll, beforeAll, expect, it } from "vitest";
import type { PastDial } from "../../../application/ports/past-dials.ts";
import { createPostgresPastDials } from "../../../infrastructure/account/admission/past-dials.ts";
import { removeExpired } from "../../../infrastructure/postgres/housekeeping.ts";
import { migratedDatabase } from "../../support/database.ts";

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());

const AT = "2026-09-01T10:00:00.000Z";
const dials = (count: number): PastDial[] =>
  Array.from({ length: count }, (_, n) => ({
    owner: "usr_1",
    phoneNumber: `+90532123${4000 + (n % 10)}`,
    callId: `call_${n}`,
    at: AT,
  }));
async function counted(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ call_id: string }>(
    "select call_id from work.number_dials where owner_id = 'usr_1' order by call_id",
  );
  return rows.map((row) => row.call_id);
}

it("counts each dial once, also when two processes count at once and when a grant counted it at another time", async () => {
  const { pool } = database;
  await pool.query(
    `insert into work.number_dials values ('usr_1', 905321234003, '2026-09-01T09:59:59Z', 'call_3')`,
  );
  const [one, other] = [createPostgresPastDials(pool), createPostgresPastDials(pool)];
  const met = [{ callId: "call_late", began: true, endReason: "busy", at: AT }] as const;
  expect(await one.readSoFar()).toEqual({ before: null, met: [] });
  const soFar = { before: "7", met };
  await Promise.all([one.count(dials(500), soFar), other.count(dials(500).toReversed(), soFar)]);
  expect(await counted()).toEqual(
    dials(500)
      .map(({ callId }) => callId)
      .toSorted(),
  );
  expect(await other.readSoFar()).toEqual(soFar);
  await one.allRead();
  expect(await other.readSoFar()).toBeNull();
  await other.readAgain();
  expect(await one.readSoFar()).toEqual({ before: null, met: [] });
});

it("keeps dials for 35 days", async () => {
  const { pool } = database;
  await pool.query(`insert into work.number_dials
    select 'usr_2', 905321234000 + days, now() - days * interval '1 day' + interval '1 hour', 'call_' || days
    from generate_series(30, 40) days`);
  await removeExpired(pool);
  const { rows } = await pool.query("select call_id from work.number_dials where owner_id = 'usr_2'");
  expect(rows.map((row) => row.call_id).toSorted()).toEqual([
    ...["call_30", "call_31", "call_32", "call_33", "call_34", "call_35"],
  ]);
});
