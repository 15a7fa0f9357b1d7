/**
 * Who is still to be called and not held for another's callback (`number-turns`): for each zone two binary
 * heaps of rows, one of agreed callbacks and one of all others, by due time (0: never called), ties in the
 * order of import. A row knows its place, so it leaves from anywhere in O(log n), and no entry is ever stale.
 */
export type DueQueues = {
  /** Of each row, the zone whose queue it stands in. */
  zone: Uint16Array;
  dueMillis: Float64Array;
  /** Of each row, its index in its heap and 1; 0: in none. */
  place: Uint32Array;
  /** Rows that wait for their callback. */
  readonly callbackRows: Set<number>;
  /** Of each zone two: others, callbacks; no entry: nobody was ever in it. */
  readonly queues: number[][];
};

/** Rows by due time. `place`: where they stand is written there; null: nowhere. */
type Heap = { readonly rows: number[]; readonly due: Float64Array; readonly place: Uint32Array | null };

/** By its due time, which does not change while it stands there. */
export function joinQueue(table: DueQueues, row: number): void {
  joinHeap(table, rowsOf(table, row), row);
}

/** Nothing changes when it stands in no queue. */
export function leaveQueue(table: DueQueues, row: number): void {
  leaveHeap(table, rowsOf(table, row), row);
}

/** A row stands in one heap at a time. */
export function joinHeap({ dueMillis, place }: DueQueues, rows: number[], row: number): void {
  rise({ rows, due: dueMillis, place }, rows.length, row);
}

/** Nothing changes when it stands in none. */
export function leaveHeap({ dueMillis, place }: DueQueues, rows: number[], row: number): void {
  const index = (place[row] ?? 0) - 1;
  if (index === -1) return;
  place[row] = 0;
  removeAt({ rows, due: dueMillis, place }, index);
}

function rowsOf(table: DueQueues, row: number): number[] {
  const { queues } = table;
  const of = queueOf(table, row);
  const rows = queues[of] ?? [];
  queues[of] = rows;
  return rows;
}

/** Index into `queues`. */
export function queueOf({ zone, callbackRows }: DueQueues, row: number): number {
  return callbackRows.has(row) ? callbackQueue(zone[row] ?? 0) : otherQueue(zone[row] ?? 0);
}

function otherQueue(zone: number): number {
  return 2 * zone;
}

function callbackQueue(zone: number): number {
  return 2 * zone + 1;
}

/** Everybody of the zone who stands in its queues, in no order. */
export function queuesToCall({ queues }: DueQueues, zone: number): readonly (readonly number[])[] {
  return [callbackQueue(zone), otherQueue(zone)].map((each) => queues[each] ?? []);
}

/**
 * Rows of these zones that are due at `nowMillis`: callbacks, then all others, each in order; k of them take
 * O(k log n). The queues must not change meanwhile.
 */
export function* dueRowsInOrder(
  table: DueQueues,
  zones: readonly number[],
  nowMillis: number,
): Generator<number> {
  yield* dueRowsOf(table, zones.map(callbackQueue), nowMillis);
  yield* dueRowsOf(table, zones.map(otherQueue), nowMillis);
}

/** The first of the zone's callbacks and the first of its others. */
export function firstRows(table: DueQueues, zone: number): readonly number[] {
  return queuesToCall(table, zone).flatMap(([row]) => (row === undefined ? [] : [row]));
}

function* dueRowsOf(table: DueQueues, from: readonly number[], nowMillis: number): Generator<number> {
  const { queues, dueMillis, place } = table;
  const next: Heap = { rows: [], due: dueMillis, place: null };
  const add = (row: number | undefined) => {
    if (row !== undefined && (dueMillis[row] ?? 0) <= nowMillis) rise(next, next.rows.length, row);
  };
  for (const each of from) add(queues[each]?.[0]);
  for (let [row] = next.rows; row !== undefined; [row] = next.rows) {
    removeAt(next, 0);
    const queue = queues[queueOf(table, row)] ?? [];
    const below = 2 * (place[row] ?? 0);
    add(queue[below - 1]);
    add(queue[below]);
    yield row;
  }
}

function removeAt(heap: Heap, index: number): void {
  const last = heap.rows.pop();
  if (last !== undefined && index < heap.rows.length) sink(heap, rise(heap, index, last), last);
}

/** Returns where the row came to stand. */
function rise(heap: Heap, from: number, row: number): number {
  let index = from;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap.rows[parent] ?? 0;
    if (!isBefore(heap.due, row, above)) break;
    put(heap, index, above);
    index = parent;
  }
  put(heap, index, row);
  return index;
}

function sink(heap: Heap, from: number, row: number): void {
  const { rows } = heap;
  let index = from;
  for (;;) {
    const left = 2 * index + 1;
    const [first, second] = [rows[left], rows[left + 1]];
    if (first === undefined) break;
    const isSecond = second !== undefined && isBefore(heap.due, second, first);
    const below = isSecond ? second : first;
    if (!isBefore(heap.due, below, row)) break;
    put(heap, index, below);
    index = isSecond ? left + 1 : left;
  }
  put(heap, index, row);
}

function put({ rows, place }: Heap, index: number, row: number): void {
  rows[index] = row;
  if (place !== null) place[row] = index + 1;
}

/** In the order of a queue. */
export function isBefore(dueMillis: Float64Array, a: number, b: number): boolean {
  const dueA = dueMillis[a] ?? 0;
  const dueB = dueMillis[b] ?? 0;
  return dueA === dueB ? a < b : dueA < dueB;
}
