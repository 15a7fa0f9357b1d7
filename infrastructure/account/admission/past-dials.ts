import type pg from "pg";
import type { PastDials, ReadSoFar } from "../../../application/ports/past-dials.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { inTransaction } from "../../postgres/transaction.ts";

/** `PastDials` in work.number_dials and work.number_dials_fill. */
export function createPostgresPastDials(pool: pg.Pool): PastDials {
  return {
    readSoFar: async () => {
      const { rows } = await pool.query<ReadSoFar>(
        "select position as before, calls as met from work.number_dials_fill where not done",
      );
      return rows[0] ?? null;
    },
    count: (dials, { before, met }) =>
      inTransaction(pool, async (client) => {
        const rows = dials.map(({ at, ...dial }) => ({ ...dial, at: millisOf(at) }));
        await client.query({ name: "count-past-dials", text: COUNT, values: [JSON.stringify(rows)] });
        await client.query("update work.number_dials_fill set position = $1, calls = $2", [
          before,
          JSON.stringify(met),
        ]);
      }),
    allRead: async () => {
      await pool.query(`${FROM_THE_END}, done = true`);
    },
    readAgain: async () => {
      await pool.query(`${FROM_THE_END}, done = false`);
    },
  };
}

const FROM_THE_END = "update work.number_dials_fill set position = null, calls = '[]'";

/** A grant is counted at the time of its admission, so a call is looked for at any time. */
const COUNT = `
insert into work.number_dials (owner_id, number, at, call_id)
select owner, substr("phoneNumber", 2)::bigint, to_timestamp(at / 1000), "callId"
from json_to_recordset($1::json) as dial(owner text, "phoneNumber" text, "callId" text, at float8)
where not exists (select from work.number_dials d
  where d.owner_id = dial.owner and d.number = substr(dial."phoneNumber", 2)::bigint and d.call_id = dial."callId")
on conflict do nothing`;
