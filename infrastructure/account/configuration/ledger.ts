import type { Ledger } from "../../../application/ports/configuration/ledger.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { mapPage, pageOf } from "./page.ts";

export function ledger({ db }: ConfigurationDeps): Ledger {
  return {
    list: async (owner, { limit, after }) => {
      const rows = await db
        .selectFrom("work.ledger")
        .selectAll()
        .where("owner_id", "=", owner)
        .$if(after !== null, (query) => query.where("id", "<", after))
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      return mapPage(
        pageOf(rows, limit, ({ id }) => id),
        (row) => ({
          id: row.id,
          at: instantOfDate(row.at),
          cause: row.cause,
          amount: Number(row.amount),
          balance: Number(row.balance),
          reserved: Number(row.reserved),
          callId: row.call_id,
          reference: row.reference,
        }),
      );
    },
  };
}
