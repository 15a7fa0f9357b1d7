import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { Poison, ReadTransaction } from "./projection.ts";

/** Rows of a projection that are each folded from the events of one stream (or one part of it). */
export type RowModel<Row extends { readonly revision: number }> = {
  /** The row of an event; null: none. */
  readonly keyOf: (recorded: RecordedEvent) => string | null;
  /** Pure. `undefined` before the first event, and for a deleted row. */
  readonly project: (row: Row | undefined, recorded: RecordedEvent) => Row | undefined;
  readonly load: (trx: ReadTransaction, keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** `before` undefined: the row is not in the table. `after` undefined: it is deleted. */
  readonly save: (trx: ReadTransaction, changes: readonly RowChange<Row>[]) => Promise<void>;
  /** Number of rows cached between batches. */
  readonly remembered: number;
  /** Few events follow for such a row: it is not cached, and read again when one does. Absent: never. */
  readonly isOver?: (row: Row) => boolean;
};

export type RowChange<Row> = {
  readonly key: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
};

export interface RowWriter {
  write(trx: ReadTransaction, events: readonly RecordedEvent[]): Promise<readonly Poison[]>;
  forget(): void;
}

/**
 * Writes each row once for a batch, however many events it had. Rows are cached between batches, so that a
 * call's next event needs no read. Events whose revision the row already has are skipped.
 */
export function createRowWriter<Row extends { readonly revision: number }>(model: RowModel<Row>): RowWriter {
  const rows = new Map<string, Row>();
  return {
    async write(trx, events) {
      const keyed = events.flatMap((recorded) => {
        const key = model.keyOf(recorded);
        return key === null ? [] : [{ key, recorded }];
      });
      const before = await rowsBefore(keyed.map(({ key }) => key));
      const { after, poisons } = foldBatch(model, before, keyed);
      await model.save(trx, changesOf(before, after));
      remember(after);
      return poisons;

      async function rowsBefore(keys: readonly string[]): Promise<Map<string, Row>> {
        const known = new Map<string, Row>();
        const missing = new Set<string>();
        for (const key of keys) {
          const row = rows.get(key);
          if (row === undefined) missing.add(key);
          else known.set(key, row);
        }
        if (missing.size === 0) return known;
        for (const [key, row] of await model.load(trx, [...missing])) known.set(key, row);
        return known;
      }
    },
    forget: () => rows.clear(),
  };

  function remember(after: ReadonlyMap<string, Row | undefined>): void {
    for (const [key, row] of after) {
      rows.delete(key);
      if (row !== undefined && model.isOver?.(row) !== true) rows.set(key, row);
    }
    for (const key of rows.keys()) {
      if (rows.size <= model.remembered) return;
      rows.delete(key);
    }
  }
}

function foldBatch<Row extends { readonly revision: number }>(
  model: RowModel<Row>,
  before: ReadonlyMap<string, Row>,
  keyed: readonly { readonly key: string; readonly recorded: RecordedEvent }[],
): { readonly after: Map<string, Row | undefined>; readonly poisons: readonly Poison[] } {
  const after = new Map<string, Row | undefined>();
  const poisons: Poison[] = [];
  for (const { key, recorded } of keyed) {
    const row = after.has(key) ? after.get(key) : before.get(key);
    if (row !== undefined && row.revision >= recorded.revision) continue;
    try {
      after.set(key, model.project(row, recorded));
    } catch (error) {
      poisons.push({ recorded, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return { after, poisons };
}

function changesOf<Row>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row | undefined>,
): RowChange<Row>[] {
  return [...after].flatMap(([key, row]) => {
    const old = before.get(key);
    return old === row ? [] : [{ key, before: old, after: row }];
  });
}
