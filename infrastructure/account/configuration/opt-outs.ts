import { type Selectable, sql } from "kysely";
import type { HeardOptOut, OptOuts } from "../../../application/ports/opt-outs.ts";
import {
  ASKED_ON_THE_CALL,
  CALL_NOT_READABLE,
  reasonAfterTakeOver,
} from "../../../application/suppression/listing.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import {
  changeLists,
  type DoNotCallDeps,
  type ListChange,
  lockedEntry,
  rememberEntry,
} from "./do-not-call-list.ts";
import { instantOfDate } from "./instant-of-date.ts";
import type { OptOutsTable } from "./tables.ts";

/** Opt-outs that are put on the list again in one transaction. */
const AT_ONCE = 200;

/**
 * Opt-outs in PostgreSQL. What a call asked for is one row of work.opt_outs, written and locked before the
 * entry of its number, so that two processes and a removal by hand wait for each other in one order.
 */
export function createPostgresOptOuts(deps: DoNotCallDeps): OptOuts {
  return {
    list: (heard) =>
      changeLists(deps, async (changing) => {
        if (await isNews(changing, heard, { recorded: false })) await listAsked(changing, heard);
      }),
    due: (limit) => due(deps, limit),
    recorded: (heard) =>
      changeLists(deps, async (changing) => {
        if (await isNews(changing, heard, { recorded: true })) await listAsked(changing, heard);
        else
          await sql`update work.opt_outs set recorded = true where call_id = ${heard.callId}`.execute(
            changing.trx,
          );
      }),
    revoked: (heard) => revoked(deps, heard),
    unrevoked: (owner, phoneNumber) => unrevoked(deps, owner, phoneNumber),
    listAgain: () => listAgain(deps),
    refuse: (call) => refuse(deps, call),
  };
}

/** False: this call asked before, so nothing changes. A call that was only refused has not asked. */
async function isNews(
  { trx }: ListChange,
  heard: HeardOptOut,
  { recorded }: { readonly recorded: boolean },
): Promise<boolean> {
  const { callId, owner, campaignId, phoneNumber, by, messageIndex, saidAt } = heard;
  const { rows } = await sql`
    insert into work.opt_outs (call_id, owner_id, campaign_id, phone_number, heard_by, message_index, said_at, recorded)
    values (${callId}, ${owner}, ${campaignId}, ${phoneNumber}, ${by}, ${messageIndex}, ${saidAt}, ${recorded})
    on conflict (call_id) do update
      set heard_by = excluded.heard_by, message_index = excluded.message_index, said_at = excluded.said_at,
        recorded = excluded.recorded, revoked = false
      where opt_outs.heard_by is null
    returning call_id`.execute(trx);
  return rows.length > 0;
}

/** A new entry, or the one that is there becomes this call's. */
async function listAsked(changing: ListChange, heard: HeardOptOut): Promise<void> {
  const { callId, owner, campaignId, phoneNumber } = heard;
  const asked = {
    phoneNumber,
    reason: ASKED_ON_THE_CALL,
    source: "call",
    callId,
    campaignId,
    by: null,
  } as const;
  for (;;) {
    if (await insertEntry(changing, owner, phoneNumber, callId, asked.reason))
      return changing.note(owner, [{ ...asked, action: "listed" }]);
    const entry = await lockedEntry(changing.trx, owner, phoneNumber);
    // Taken off the list between the two statements, so it has to be added.
    if (entry === undefined) continue;
    await rememberEntry(changing.trx, entry);
    const kept = reasonAfterTakeOver(entry.reason);
    await sql`
      update config.suppressions set source = 'call', call_id = ${callId}, reason = ${kept}
      where owner_id = ${owner} and phone_number = ${phoneNumber}`.execute(changing.trx);
    return changing.note(owner, [{ ...asked, action: "taken_over", kept }]);
  }
}

/** False: the number is listed. */
async function insertEntry(
  { trx, now }: ListChange,
  ...[owner_id, phone_number, call_id, reason]: readonly [OwnerId, PhoneNumber, CallId, string]
): Promise<boolean> {
  const made = await trx
    .insertInto("config.suppressions")
    .values({ owner_id, phone_number, reason, source: "call", call_id, created_at: now, created_by: null })
    .onConflict((conflict) => conflict.columns(["owner_id", "phone_number"]).doNothing())
    .returning("phone_number")
    .executeTakeFirst();
  return made !== undefined;
}

async function due({ db }: DoNotCallDeps, limit: number): Promise<readonly HeardOptOut[]> {
  const { rows } = await sql<OptOutRow>`
    select * from work.opt_outs where heard_by is not null and not recorded and not revoked
    order by sequence limit ${limit}`.execute(db);
  return rows.flatMap(heardOptOut);
}

async function revoked({ db }: DoNotCallDeps, heard: HeardOptOut): Promise<void> {
  const { callId, owner, campaignId, phoneNumber, by, messageIndex, saidAt } = heard;
  await sql`
    insert into work.opt_outs
      (call_id, owner_id, campaign_id, phone_number, heard_by, message_index, said_at, recorded, revoked)
    values (${callId}, ${owner}, ${campaignId}, ${phoneNumber}, ${by}, ${messageIndex}, ${saidAt}, true, true)
    on conflict (call_id) do update set heard_by = excluded.heard_by, message_index = excluded.message_index,
      said_at = excluded.said_at, recorded = true, revoked = true`.execute(db);
}

async function unrevoked(
  { db }: DoNotCallDeps,
  owner: OwnerId,
  phoneNumber: PhoneNumber,
): Promise<readonly HeardOptOut[]> {
  const { rows } = await sql<OptOutRow>`
    select * from work.opt_outs
    where owner_id = ${owner} and phone_number = ${phoneNumber} and not revoked and heard_by is not null
    order by sequence`.execute(db);
  return rows.flatMap(heardOptOut);
}

/** Page by page, each number by its latest call. Several processes at once add each number once. */
async function listAgain(deps: DoNotCallDeps): Promise<number> {
  for (let added = 0; ; ) {
    const some = await listSomeAgain(deps);
    added += some.added;
    if (some.found < AT_ONCE) return added;
  }
}

function listSomeAgain(deps: DoNotCallDeps): Promise<{ readonly found: number; readonly added: number }> {
  return changeLists(deps, async (changing) => {
    const { rows } = await sql<OptOutRow>`
      select o.* from work.opt_outs o
      where not revoked and not exists (
        select 1 from config.suppressions s where s.owner_id = o.owner_id and s.phone_number = o.phone_number
      )
      order by sequence desc limit ${AT_ONCE} for update`.execute(changing.trx);
    let added = 0;
    for (const {
      owner_id,
      phone_number: phoneNumber,
      call_id: callId,
      campaign_id: campaignId,
      heard_by,
    } of rows) {
      const reason = heard_by === null ? CALL_NOT_READABLE : ASKED_ON_THE_CALL;
      if (!(await insertEntry(changing, owner_id, phoneNumber, callId, reason))) continue;
      added += 1;
      await changing.note(owner_id, [
        { phoneNumber, action: "listed", reason, source: "call", by: null, callId, campaignId },
      ]);
    }
    return { found: rows.length, added };
  });
}

function refuse(deps: DoNotCallDeps, call: Parameters<OptOuts["refuse"]>[0]): Promise<void> {
  const { callId, owner, campaignId, phoneNumber } = call;
  return changeLists(deps, async (changing) => {
    const { rows } = await sql`
      insert into work.opt_outs (call_id, owner_id, campaign_id, phone_number)
      values (${callId}, ${owner}, ${campaignId}, ${phoneNumber})
      on conflict (call_id) do nothing returning call_id`.execute(changing.trx);
    if (rows.length === 0) return;
    if (!(await insertEntry(changing, owner, phoneNumber, callId, CALL_NOT_READABLE))) return;
    await changing.note(owner, [
      {
        ...{ phoneNumber, callId, campaignId },
        action: "listed",
        reason: CALL_NOT_READABLE,
        source: "call",
        by: null,
      },
    ]);
  });
}

type OptOutRow = Selectable<OptOutsTable>;

/** None: what was said on the call cannot be read. */
function heardOptOut(row: OptOutRow): readonly HeardOptOut[] {
  const { call_id: callId, owner_id: owner, campaign_id: campaignId, phone_number: phoneNumber } = row;
  const { heard_by: by, message_index: messageIndex, said_at: saidAt } = row;
  if (by === null || saidAt === null) return [];
  return [{ callId, owner, campaignId, phoneNumber, by, messageIndex, saidAt: instantOfDate(saidAt) }];
}
