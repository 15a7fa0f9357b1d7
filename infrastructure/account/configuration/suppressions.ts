import { type Selectable, sql } from "kysely";
import type { Made } from "../../../application/ports/configuration/saved.ts";
import { SHOWN_CHANGES, type Suppressions } from "../../../application/ports/configuration/suppressions.ts";
import type { SuppressionChange, SuppressionRecord } from "../../../contract/suppression.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { changeLists, type EntryRow, lockedEntry, rememberEntry } from "./do-not-call-list.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { readPage } from "./owners-records.ts";
import type { SuppressionHistoryTable } from "./tables.ts";

/** Rows of one statement. */
const ROWS_AT_ONCE = 1_000;

export function suppressions(deps: ConfigurationDeps): Suppressions {
  return {
    add: (owner, phoneNumber, reason, by) => addOne(deps, owner, phoneNumber, reason, by),
    addAll: (owner, reasons, by) => addAll(deps, owner, reasons, by),
    list: (owner, page, phoneNumber) => listPage(deps, owner, page, phoneNumber),
    get: (owner, phoneNumber) => getOne(deps, owner, phoneNumber),
    takeOff: (owner, phoneNumber, by, revoked) => takeOff(deps, owner, phoneNumber, by, revoked),
  };
}

function addOne(
  deps: ConfigurationDeps,
  ...[owner_id, phoneNumber, reason, by]: Parameters<Suppressions["add"]>
): Promise<Made<SuppressionRecord>> {
  return changeLists(deps, async ({ trx, now, note }) => {
    for (;;) {
      const made = await trx
        .insertInto("config.suppressions")
        .values({ owner_id, phone_number: phoneNumber, reason, created_at: now, created_by: by })
        .onConflict((conflict) => conflict.columns(["owner_id", "phone_number"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      if (made !== undefined) {
        await note(owner_id, [{ phoneNumber, action: "listed", reason, source: "api", by, callId: null }]);
        return { created: true, value: recordOf(made) };
      }
      const listed = await lockedEntry(trx, owner_id, phoneNumber);
      // Taken off the list between the two statements, so it has to be added.
      if (listed !== undefined) return { created: false, value: recordOf(listed) };
    }
  });
}

function addAll(
  deps: ConfigurationDeps,
  ...[owner_id, reasons, by]: Parameters<Suppressions["addAll"]>
): Promise<number> {
  return changeLists(deps, async ({ trx, now, note }) => {
    // In one order, so that two lists with the same numbers cannot deadlock.
    const rows = [...reasons]
      .map(([phone_number, reason]) => ({
        ...{ owner_id, phone_number, reason, created_at: now, created_by: by },
        source: "import" as const,
      }))
      .toSorted((a, b) => (a.phone_number < b.phone_number ? -1 : 1));
    let inserted = 0;
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const made = await trx
        .insertInto("config.suppressions")
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.columns(["owner_id", "phone_number"]).doNothing())
        .returning(["phone_number as phoneNumber", "reason", "source", "call_id as callId"])
        .execute();
      inserted += made.length;
      await note(
        owner_id,
        made.map((entry) => ({ ...entry, action: "listed", by })),
      );
    }
    return inserted;
  });
}

async function listPage(
  { db }: ConfigurationDeps,
  ...[owner, { limit, after }, phoneNumber]: Parameters<Suppressions["list"]>
): ReturnType<Suppressions["list"]> {
  const all = db.selectFrom("config.suppressions").selectAll().where("owner_id", "=", owner);
  const listed = phoneNumber === undefined ? all : all.where("phone_number", "=", phoneNumber);
  const page = { limit, after: after === null ? null : String(after) };
  const { rows, next } = await readPage(db, listed, ["sequence", "desc"], page, recordOf);
  return { rows, next: next === null ? null : Number(next) };
}

/** Both of one moment. */
async function getOne(
  { db }: ConfigurationDeps,
  ...[owner, phoneNumber]: Parameters<Suppressions["get"]>
): ReturnType<Suppressions["get"]> {
  const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return reading.execute(async (trx) => {
    const entry = await trx
      .selectFrom("config.suppressions")
      .selectAll()
      .where("owner_id", "=", owner)
      .where("phone_number", "=", phoneNumber)
      .executeTakeFirst();
    const changes = await trx
      .selectFrom("config.suppression_history")
      .selectAll()
      .where("owner_id", "=", owner)
      .where("phone_number", "=", phoneNumber)
      .orderBy("sequence", "desc")
      .limit(SHOWN_CHANGES)
      .execute();
    const history = changes.map(changeOf);
    if (entry !== undefined)
      return { ...recordOf(entry), listed: true, history: history.length > 0 ? history : [firstOf(entry)] };
    if (history.length === 0) return null;
    const nothing = { reason: null, source: null, callId: null, createdAt: null };
    return { phoneNumber, listed: false, ...nothing, history };
  });
}

/**
 * Opt-outs are locked before the entry, as a call does that lists its number, and looked for again once the
 * entry is held: a call that took it over meanwhile is not among the revoked ones.
 */
async function takeOff(
  deps: ConfigurationDeps,
  ...[owner, phoneNumber, by, revoked]: Parameters<Suppressions["takeOff"]>
): ReturnType<Suppressions["takeOff"]> {
  return changeLists(deps, async ({ trx, note }) => {
    const optOuts = () =>
      sql<{ readonly call_id: CallId; readonly is_known: boolean }>`
        select call_id, heard_by is null or call_id = any(${revoked}::text[]) as is_known from work.opt_outs
        where owner_id = ${owner} and phone_number = ${phoneNumber} and not revoked
        order by call_id for update`.execute(trx);
    await optOuts();
    const entry = await lockedEntry(trx, owner, phoneNumber);
    if (entry === undefined) return "not_listed";
    const { rows } = await optOuts();
    if (rows.some(({ is_known }) => !is_known)) return "heard_again";
    await rememberEntry(trx, entry);
    await sql`
      delete from config.suppressions
      where owner_id = ${owner} and phone_number = ${phoneNumber}`.execute(trx);
    const callIds = rows.map(({ call_id }) => call_id);
    await sql`update work.opt_outs set revoked = true where call_id = any(${callIds}::text[])`.execute(trx);
    const { reason, source, call_id: callId } = entry;
    await note(owner, [{ phoneNumber, action: "removed", reason, source, by, callId }]);
    return "taken_off";
  });
}

function recordOf(row: EntryRow): SuppressionRecord {
  return {
    phoneNumber: row.phone_number,
    reason: row.reason,
    source: row.source,
    callId: row.call_id,
    createdAt: instantOfDate(row.created_at),
  };
}

function changeOf(row: Selectable<SuppressionHistoryTable>): SuppressionChange {
  const { action, reason, source, by_key: by, call_id: callId, at } = row;
  return { action, reason, source, by, callId, at: instantOfDate(at) };
}

/** What the history of an entry from before there was one begins with. */
function firstOf({
  reason,
  source,
  created_by: by,
  call_id: callId,
  created_at,
}: EntryRow): SuppressionChange {
  return { action: "listed", reason, source, by, callId, at: instantOfDate(created_at) };
}
