import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { ReadSchema } from "./read-schema.ts";

export type ReadDatabase = Kysely<ReadSchema>;
export type ReadTransaction = Transaction<ReadSchema>;

/** In a statement: its best plan does not depend on how large a table is, so connections prepare it (infrastructure/postgres/prepared-statements.ts). */
export const PREPARED = sql`/* prepared */`;

/** The physical table of one of a projection's tables: `calls` → read.calls_v1, or the one that a rebuild is filling beside it. */
export type TableOf = (table: string) => RawBuilder<unknown>;

/** An event that a projection cannot take. It is left out, named, and holds nobody else up. */
export type Poison = { readonly recorded: RecordedEvent; readonly problem: string };

/** Fills the tables of one projection. What it remembers of the rows is true only while every transaction that it wrote in has been committed. */
export interface ProjectionWriter {
  /** Events in the order of the log; answers those that it had to leave out. */
  write(trx: ReadTransaction, events: readonly RecordedEvent[]): Promise<readonly Poison[]>;
  /** The last transaction was not committed, or somebody else wrote the tables: reads them again. */
  forget(): void;
}

/**
 * One need, one file: tables, how events become rows, queries. Written twice, the same events give the same rows. Anything that changes a table or
 * a row raises `version`: the new version is built beside the old one and nothing is migrated.
 */
export type Projection = {
  readonly name: string;
  readonly version: number;
  readonly types: ReadonlySet<DomainEvent["type"]>;
  readonly tables: readonly string[];
  /** How long it rests when it has caught up, so that many small batches become a few; absent: it is awaited and does not rest. */
  readonly restMillis?: number;
  /** With what writing needs (primary keys); what only queries need comes with `createIndexes`, when the tables are full. */
  createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void>;
  createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void>;
  openWriter(tableOf: TableOf): ProjectionWriter;
};

export const READ_SCHEMA = "read";

/** Names a projection at its version, in the checkpoint and in the logs: `calls_v1`. */
export function modelOf({ name, version }: Pick<Projection, "name" | "version">): string {
  return `${name}_v${version}`;
}

export function tableName(projection: Pick<Projection, "version">, table: string): string {
  return `${table}_v${projection.version}`;
}

/** The tables that serve. */
export function servingTables(projection: Projection): TableOf {
  return (table) => sql.table(`${READ_SCHEMA}.${tableName(projection, table)}`);
}

/** The tables that a rebuild fills; they take the place of the serving ones in the end. */
export function nextTables(projection: Projection): TableOf {
  return (table) => sql.table(`${READ_SCHEMA}.${tableName(projection, table)}_next`);
}
