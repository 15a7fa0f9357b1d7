/**
 * A hash table from id to row number, with open addressing; -1: empty. A Map takes seven times the memory,
 * and a process can have a million contacts. An id that occurs twice has its last row.
 */
export type RowsById = Int32Array;

/** With a higher load factor too many ids collide. */
const FULL = 0.75;

export function noRows(): RowsById {
  return new Int32Array([-1]);
}

/** Adds the ids from row `first` on; the others are in it already. */
export function withRows(rows: RowsById, ids: readonly string[], first: number): RowsById {
  const grows = ids.length > rows.length * FULL;
  const into = grows ? new Int32Array(2 ** Math.ceil(Math.log2(ids.length / FULL))).fill(-1) : rows;
  for (let row = grows ? 0 : first; row < ids.length; row += 1)
    into[placeOf(into, ids, ids[row] ?? "")] = row;
  return into;
}

/** undefined: no such id. */
export function findRow(rows: RowsById, ids: readonly string[], id: string): number | undefined {
  const row = rows[placeOf(rows, ids, id)] ?? -1;
  return row === -1 ? undefined : row;
}

/** The place of the id, or the empty place for it. There are always empty places. */
function placeOf(rows: RowsById, ids: readonly string[], id: string): number {
  const last = rows.length - 1;
  let place = hashOf(id) & last;
  while (true) {
    const row = rows[place] ?? -1;
    if (row === -1 || ids[row] === id) return place;
    place = (place + 1) & last;
  }
}

/** FNV-1a. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 15);
}
