import type { Selectable } from "kysely";
import type { Made } from "../../../application/ports/configuration/saved.ts";
import type { Suppressions } from "../../../application/ports/configuration/suppressions.ts";
import type { SuppressionRecord } from "../../../contract/suppression.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { deleteRow, readPage } from "./owners-records.ts";
import type { SuppressionsTable } from "./tables.ts";

/** Rows of one statement. */
const ROWS_AT_ONCE = 1_000;

export function suppressions(deps: ConfigurationDeps): Suppressions {
  return {
    add: (owner, phoneNumber, reason, by) => addOne(deps, owner, phoneNumber, reason, by),
    addAll: (owner, reasons, by) => addAll(deps, owner, reasons, by),
    list: (owner, page) => listPage(deps, owner, page),
    delete: (owner, phoneNumber) => deleteOne(deps, owner, phoneNumber),
  };
}

async function addOne(
  { db, changes, clock }: ConfigurationDeps,
  ...[owner_id, phone_number, reason, created_by]: Parameters<Suppressions["add"]>
): Promise<Made<SuppressionRecord>> {
  for (;;) {
    const made = await db
      .insertInto("config.suppressions")
      .values({ owner_id, phone_number, reason, created_at: dateNow(clock), created_by })
      .onConflict((conflict) => conflict.columns(["owner_id", "phone_number"]).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (made !== undefined) {
      changes.changed(owner_id);
      return { created: true, value: recordOf(made) };
    }
    const listed = await db
      .selectFrom("config.suppressions")
      .selectAll()
      .where("owner_id", "=", owner_id)
      .where("phone_number", "=", phone_number)
      .executeTakeFirst();
    // Taken off the list between the two statements, so it has to be added.
    if (listed !== undefined) return { created: false, value: recordOf(listed) };
  }
}

async function addAll(
  { db, changes, clock }: ConfigurationDeps,
  ...[owner_id, reasons, created_by]: Parameters<Suppressions["addAll"]>
): Promise<number> {
  const created_at = dateNow(clock);
  // In one order, so that two lists with the same numbers cannot deadlock.
  const rows = [...reasons]
    .map(([phone_number, reason]) => ({ owner_id, phone_number, reason, created_at, created_by }))
    .toSorted((a, b) => (a.phone_number < b.phone_number ? -1 : 1));
  const added = await db.transaction().execute(async (trx) => {
    let inserted = 0;
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const result = await trx
        .insertInto("config.suppressions")
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.columns(["owner_id", "phone_number"]).doNothing())
        .executeTakeFirst();
      inserted += Number(result.numInsertedOrUpdatedRows ?? 0n);
    }
    return inserted;
  });
  if (added > 0) changes.changed(owner_id);
  return added;
}

async function listPage(
  { db }: ConfigurationDeps,
  ...[owner, { limit, after }]: Parameters<Suppressions["list"]>
): ReturnType<Suppressions["list"]> {
  const listed = db.selectFrom("config.suppressions").selectAll().where("owner_id", "=", owner);
  const page = { limit, after: after === null ? null : String(after) };
  const { rows, next } = await readPage(db, listed, ["sequence", "desc"], page, recordOf);
  return { rows, next: next === null ? null : Number(next) };
}

async function deleteOne(
  { db, changes }: ConfigurationDeps,
  ...[owner, phoneNumber]: Parameters<Suppressions["delete"]>
): Promise<boolean> {
  const wasThere = await deleteRow(db, "config.suppressions", { owner_id: owner, phone_number: phoneNumber });
  changes.changed(owner);
  return wasThere;
}

function recordOf(row: Selectable<SuppressionsTable>): SuppressionRecord {
  return { phoneNumber: row.phone_number, reason: row.reason, createdAt: instantOfDate(row.created_at) };
}
