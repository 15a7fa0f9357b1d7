import { sql } from "kysely";
import type { ShownWords } from "../../application/ports/erasures.ts";
import { isOfMissingTables } from "../engine/missing-tables.ts";
import { type ReadDatabase, servingTables } from "../engine/projection.ts";
import { erasedProgress, wordless } from "./call-row.ts";
import { type CallsTable, callsProjection } from "./calls.ts";
import { eraseMessages } from "./message-rows.ts";
import { eraseOutcomes } from "./outcome-rows.ts";

/** Leaves the rows of calls as their CallContentErased does. */
export function shownWords(db: ReadDatabase): Pick<ShownWords, "remove"> {
  const tableOf = servingTables(callsProjection);
  const calls = tableOf("calls");
  return {
    async remove(callIds) {
      const removed = db.transaction().execute(async (trx) => {
        await eraseMessages(trx, tableOf, callIds);
        await eraseOutcomes(trx, tableOf, callIds);
        const { rows } = await sql<Pick<CallsTable, "id" | "request" | "progress">>`
          select id, request, progress from ${calls} where id = any(${callIds}::text[]) for update`.execute(
          trx,
        );
        const changed = rows.map(({ id, request, progress }) => ({
          id,
          q: wordless(request),
          p: erasedProgress(progress),
        }));
        await sql`update ${calls} as old set request = new.q, progress = new.p
          from json_to_recordset(${JSON.stringify(changed)}) as new (id text, q json, p json)
          where old.id = new.id`.execute(trx);
      });
      await removed.catch((error: unknown) => {
        // Missing rows are made from the log, where the texts are encrypted.
        if (!isOfMissingTables(error)) throw error;
      });
    },
  };
}
