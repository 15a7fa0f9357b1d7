import type { Selectable } from "kysely";
import type {
  PhoneNumberDraft,
  PhoneNumbers,
} from "../../../application/ports/configuration/phone-numbers.ts";
import type { PhoneNumberRecord } from "../../../contract/phone-number.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { ownersRecords } from "./owners-records.ts";
import type { PhoneNumbersTable } from "./tables.ts";

export function phoneNumbers({ db, changes, clock }: ConfigurationDeps): PhoneNumbers {
  const stored = ownersRecords(db, "config.phone_numbers", recordOf);
  return {
    get: stored.get,
    list: stored.list,
    create: async (owner, id, { phoneNumber, connectionId, ...draft }) => {
      const now = dateNow(clock);
      const columns = { ...draft, phone_number: phoneNumber, connection_id: connectionId };
      const made = await stored.insert(owner, id, { ...columns, created_at: now, updated_at: now });
      changes.changed(owner);
      return made;
    },
    change: async (owner, id, draft) => {
      const changed = await stored.update(owner, id, { ...columnsOf(draft), updated_at: dateNow(clock) });
      changes.changed(owner);
      return changed;
    },
    delete: async (owner, id) => {
      const wasThere = await stored.delete(owner, id);
      changes.changed(owner);
      return wasThere;
    },
  };
}

function columnsOf({ phoneNumber, connectionId, ...rest }: Partial<PhoneNumberDraft>) {
  return {
    ...rest,
    ...(phoneNumber === undefined ? {} : { phone_number: phoneNumber }),
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
  };
}

function recordOf(row: Selectable<PhoneNumbersTable>): PhoneNumberRecord {
  return {
    id: row.id,
    phoneNumber: row.phone_number,
    label: row.label,
    active: row.active,
    carrier: row.carrier,
    connectionId: row.connection_id,
    shared: row.shared,
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}
