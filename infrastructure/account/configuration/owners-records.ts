import { type Expression, type Insertable, type Kysely, type Selectable, sql, type Updateable } from "kysely";
import type { Made } from "../../../application/ports/configuration/saved.ts";
import type { Page, PageRequest } from "../../../application/ports/queries/pages.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import { mapPage, pageOf } from "./page.ts";
import type { ConfigurationTables } from "./tables.ts";

type Db = Kysely<ConfigurationTables>;
type TableName = keyof ConfigurationTables;
type Row<Table extends TableName> = Selectable<ConfigurationTables[Table]>;
type Values = Readonly<Record<string, unknown>>;

/** Tables whose rows have an owner, and an id that sorts by creation. */
type OwnersTable = {
  [Name in TableName]: Row<Name> extends { id: string; owner_id: OwnerId } ? Name : never;
}[TableName];
type Id<Table extends OwnersTable> = Row<Table> extends { id: infer Each extends string } ? Each : never;

/**
 * What the records of many kinds have in common, on a connection or in a transaction. Another owner's id
 * counts as unknown. What is special about a kind stands in its own file.
 */
export function ownersRecords<Table extends OwnersTable, Kept>(
  db: Db,
  table: Table,
  recordOf: (row: Row<Table>) => Kept,
) {
  type Own = Row<Table> & { readonly id: Id<Table> };
  const all = (owner: OwnerId) => sql<Own>`select * from ${sql.table(table)} where owner_id = ${owner}`;
  const one = (owner: OwnerId, id: Id<Table>) => sql<Own>`${all(owner)} and id = ${id}`;
  const kept = (row: Row<Table> | null) => (row === null ? null : recordOf(row));
  const row = async (owner: OwnerId, id: Id<Table>) => (await one(owner, id).execute(db)).rows[0] ?? null;
  const get = async (owner: OwnerId, id: Id<Table>) => kept(await row(owner, id));
  return {
    /** With columns that the record does not show. null: unknown. */
    row,
    /** null: unknown. */
    get,
    /** Newest first. */
    list: (owner: OwnerId, page: PageRequest<Id<Table>>) =>
      readPage(db, all(owner), ["id", "desc"], page, recordOf),
    /** Once for each id: a row that has it already stays as it is. */
    insert: async (
      owner: OwnerId,
      id: Id<Table>,
      values: Omit<Insertable<ConfigurationTables[Table]>, "id" | "owner_id">,
    ): Promise<Made<Kept>> => {
      const made = kept(await insertOnce(db, table, { ...values, id, owner_id: owner }));
      const value = made ?? (await get(owner, id));
      if (value === null) throw new Error(`Another owner has ${id}`);
      return { created: made !== null, value };
    },
    /** null: unknown. */
    update: async (owner: OwnerId, id: Id<Table>, values: Updateable<ConfigurationTables[Table]>) => {
      const columns = given(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      const changed = await sql<Row<Table>>`
        update ${sql.table(table)} set ${sql.join(columns)}
        where owner_id = ${owner} and id = ${id} returning *`.execute(db);
      return kept(changed.rows[0] ?? null);
    },
    /** False: unknown. */
    delete: (owner: OwnerId, id: Id<Table>) => deleteRow(db, table, { owner_id: owner, id }),
    /** `work` in a transaction in which nobody else changes the row. null: unknown. */
    locked: <Answer>(
      owner: OwnerId,
      id: Id<Table>,
      work: (row: Row<Table>, transaction: Db) => Promise<Answer>,
    ): Promise<Answer | null> =>
      db.transaction().execute(async (transaction) => {
        const [held] = (await sql<Row<Table>>`${one(owner, id)} for update`.execute(transaction)).rows;
        return held === undefined ? null : work(held, transaction);
      }),
  };
}

/** Rows in the order of a column that no two of them share. */
export async function readPage<Column extends string, Key, Found extends Readonly<Record<Column, Key>>, Kept>(
  db: Db,
  rows: Expression<Found>,
  [column, order]: readonly [Column, "asc" | "desc"],
  { limit, after }: PageRequest<Key>,
  recordOf: (row: Found) => Kept,
): Promise<Page<Kept, Key>> {
  const key = sql.ref(column);
  const rest = order === "asc" ? sql`${key} > ${after}` : sql`${key} < ${after}`;
  const found = await sql<Found>`
    select * from (${rows}) as found where ${after === null ? sql`true` : rest}
    order by ${key} ${sql.raw(order)} limit ${limit + 1}`.execute(db);
  return mapPage(
    pageOf(found.rows, limit, (row) => row[column]),
    recordOf,
  );
}

/** null: there is a row with this id. */
export async function insertOnce<Table extends "config.users" | OwnersTable>(
  db: Db,
  table: Table,
  values: Values,
): Promise<Row<Table> | null> {
  const columns = given(values);
  const made = await sql<Row<Table>>`
    insert into ${sql.table(table)} (${sql.join(columns.map(([column]) => sql.ref(column)))})
    values (${sql.join(columns.map(([, value]) => value))})
    on conflict (id) do nothing returning *`.execute(db);
  return made.rows[0] ?? null;
}

/** `key`: columns with their values. False: there is none. */
export async function deleteRow(
  db: Db,
  table: TableName,
  key: Readonly<Record<string, string>>,
): Promise<boolean> {
  const same = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const deletion = await sql`delete from ${sql.table(table)} where ${sql.join(same, sql` and `)}`.execute(db);
  return (deletion.numAffectedRows ?? 0n) > 0n;
}

const given = (values: object) =>
  Object.entries(values).filter((each): each is [string, unknown] => each[1] !== undefined);
