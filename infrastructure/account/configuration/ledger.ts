import type { Selectable } from "kysely";
import type { Ledger } from "../../../application/ports/configuration/ledger.ts";
import type { LedgerEntry } from "../../../domain/admission/grants.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { ownersRecords } from "./owners-records.ts";
import type { LedgerTable } from "./tables.ts";

export function ledger({ db }: ConfigurationDeps): Ledger {
  return { list: ownersRecords(db, "work.ledger", entryOf).list };
}

function entryOf(row: Selectable<LedgerTable>): LedgerEntry {
  return {
    id: row.id,
    at: instantOfDate(row.at),
    cause: row.cause,
    amount: Number(row.amount),
    balance: Number(row.balance),
    reserved: Number(row.reserved),
    callId: row.call_id,
    reference: row.reference,
  };
}
