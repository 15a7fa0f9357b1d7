import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { ReadSchema } from "./read-schema.ts";

export type ReadDatabase = Kysely<ReadSchema>;
export type ReadTransaction = Transaction<ReadSchema>;

/**
 * Marks a statement whose best plan does not depend on the size of its tables, so that connections prepare it
 * (infrastructure/postgres/prepared-statements.ts).
 */
export const PREPARED = sql`/* prepared */`;

/**
 * The physical name of a projection's table: `calls` → read.calls_v1, or the one that a rebuild
 * is filling beside it.
 */
export type TableOf = (table: string) => RawBuilder<unknown>;

/** An event that a projection cannot process. It is parked and does not stop the others. */
export type Poison = { readonly recorded: RecordedEvent; readonly problem: string };

/**
 * Fills the tables of one projection. Its cached rows are valid only while every transaction that it wrote
 * in has been committed.
 */
export interface ProjectionWriter {
  /** Events in log order; returns those that it could not process. */
  write(trx: ReadTransaction, events: readonly RecordedEvent[]): Promise<readonly Poison[]>;
  /** The last transaction was not committed, or another process wrote the tables: drops the cached rows. */
  forget(): void;
}

/**
 * One read model in one file: tables, the fold from events to rows, queries. The same events written twice
 * give the same rows. A change of a table or a row needs a higher `version`: the new version is built beside
 * the old one, and nothing is migrated.
 */
export type Projection = {
  readonly name: string;
  readonly version: number;
  readonly types: ReadonlySet<DomainEvent["type"]>;
  readonly tables: readonly string[];
  /**
   * Pause after it has caught up, so that many small batches become a few; absent: writes wait for it,
   * so it does not pause.
   */
  readonly restMillis?: number;
  /**
   * With what writing needs (primary keys); what only queries need is made by `createIndexes`, when
   * the tables are full.
   */
  createTables(trx: ReadTransaction, tableOf: TableOf): Promise<void>;
  createIndexes(trx: ReadTransaction, tableOf: TableOf): Promise<void>;
  openWriter(tableOf: TableOf): ProjectionWriter;
};

export const READ_SCHEMA = "read";

/** Name of a projection and its version, in the checkpoint and in logs: `calls_v1`. */
export function modelOf({ name, version }: Pick<Projection, "name" | "version">): string {
  return `${name}_v${version}`;
}

export function tableName(projection: Pick<Projection, "version">, table: string): string {
  return `${table}_v${projection.version}`;
}

/** The tables that serve queries. */
export function servingTables(projection: Projection): TableOf {
  return (table) => sql.table(`${READ_SCHEMA}.${tableName(projection, table)}`);
}

/** The tables that a rebuild fills; in the end they replace the serving ones. */
export function nextTables(projection: Projection): TableOf {
  return (table) => sql.table(`${READ_SCHEMA}.${tableName(projection, table)}_next`);
}
