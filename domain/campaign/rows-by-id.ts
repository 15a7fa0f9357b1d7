/**
 * The row of each id in a list of ids, as row numbers at places that the ids' text names; -1: empty. A Map takes seven times the room, and
 * there are a million contacts in a process. An id that is listed twice has its last row.
 */
export type RowsById = Int32Array;

/** Fuller, and too many ids meet at a place. */
const FULL = 0.75;

export function noRows(): RowsById {
  return new Int32Array([-1]);
}

/** With the ids from row `first` on; the rest of the list is in it already. */
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

/** Where the id stands, or the empty place where it would: some are always empty. */
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
