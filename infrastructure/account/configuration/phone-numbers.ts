import type { Selectable } from "kysely";
import type { PhoneNumbers } from "../../../application/ports/configuration/phone-numbers.ts";
import type { PhoneNumberRecord } from "../../../contract/phone-number.ts";
import { type ConfigurationDeps, dateNow } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { mapPage, pageOf } from "./page.ts";
import type { PhoneNumbersTable } from "./tables.ts";

export function phoneNumbers({ db, changes, clock }: ConfigurationDeps): PhoneNumbers {
  const ofOwner = (owner: PhoneNumbersTable["owner_id"]) =>
    db.selectFrom("config.phone_numbers").selectAll().where("owner_id", "=", owner);
  return {
    create: async (owner, id, { phoneNumber, connectionId, ...draft }) => {
      const now = dateNow(clock);
      const row = {
        id,
        owner_id: owner,
        phone_number: phoneNumber,
        connection_id: connectionId,
        ...draft,
        created_at: now,
        updated_at: now,
      };
      const made = await db
        .insertInto("config.phone_numbers")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returningAll()
        .executeTakeFirst();
      const standing = made ?? (await ofOwner(owner).where("id", "=", id).executeTakeFirstOrThrow());
      changes.changed(owner);
      return { created: made !== undefined, value: recordOf(standing) };
    },
    get: async (owner, id) => {
      const row = await ofOwner(owner).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : recordOf(row);
    },
    list: async (owner, { limit, after }) => {
      const rows = await ofOwner(owner)
        .$if(after !== null, (query) => query.where("id", "<", after))
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      return mapPage(
        pageOf(rows, limit, ({ id }) => id),
        recordOf,
      );
    },
    change: async (owner, id, { phoneNumber, connectionId, ...rest }) => {
      const row = await db
        .updateTable("config.phone_numbers")
        .set({
          ...rest,
          ...(phoneNumber === undefined ? {} : { phone_number: phoneNumber }),
          ...(connectionId === undefined ? {} : { connection_id: connectionId }),
          updated_at: dateNow(clock),
        })
        .where("owner_id", "=", owner)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      changes.changed(owner);
      return row === undefined ? null : recordOf(row);
    },
    delete: async (owner, id) => {
      const { numDeletedRows } = await db
        .deleteFrom("config.phone_numbers")
        .where("owner_id", "=", owner)
        .where("id", "=", id)
        .executeTakeFirst();
      changes.changed(owner);
      return numDeletedRows > 0n;
    },
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
