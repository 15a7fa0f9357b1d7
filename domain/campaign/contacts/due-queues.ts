/**
 * Who is still to be called: for each zone two binary heaps of rows, one of agreed callbacks and one of all
 * others, by due time (0: never called), ties in the order of import. A row knows its place, so it leaves
 * from anywhere in O(log n), and no entry is ever stale.
 */
export type DueQueues = {
  /** Of each row, the zone whose queue it stands in. */
  zone: Uint16Array;
  dueMillis: Float64Array;
  /** Of each row, its index in the queue and 1; 0: in none. */
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
  const heap = heapOf(table, row);
  rise(heap, heap.rows.length, row);
}

/** Nothing changes when it stands in no queue. */
export function leaveQueue(table: DueQueues, row: number): void {
  const place = table.place[row] ?? 0;
  if (place === 0) return;
  table.place[row] = 0;
  removeAt(heapOf(table, row), place - 1);
}

function heapOf(table: DueQueues, row: number): Heap {
  const { queues, dueMillis, place } = table;
  const of = queueOf(table, row);
  const rows = queues[of] ?? [];
  queues[of] = rows;
  return { rows, due: dueMillis, place };
}

function queueOf({ zone, callbackRows }: DueQueues, row: number): number {
  return callbackRows.has(row) ? callbackQueue(zone[row] ?? 0) : otherQueue(zone[row] ?? 0);
}

function otherQueue(zone: number): number {
  return 2 * zone;
}

function callbackQueue(zone: number): number {
  return 2 * zone + 1;
}

/** Everybody of the zone who is still to be called, in no order. */
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

/** The first of the zone's callbacks and of its others for whom it is not `isHeld`. */
export function firstRows(
  table: DueQueues,
  zone: number,
  isHeld: (row: number) => boolean,
): readonly number[] {
  return [callbackQueue(zone), otherQueue(zone)].flatMap((each) => {
    for (const row of dueRowsOf(table, [each], Number.POSITIVE_INFINITY)) if (!isHeld(row)) return [row];
    return [];
  });
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
    if (!isBefore(heap, row, above)) break;
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
    const isSecond = second !== undefined && isBefore(heap, second, first);
    const below = isSecond ? second : first;
    if (!isBefore(heap, below, row)) break;
    put(heap, index, below);
    index = isSecond ? left + 1 : left;
  }
  put(heap, index, row);
}

function put({ rows, place }: Heap, index: number, row: number): void {
  rows[index] = row;
  if (place !== null) place[row] = index + 1;
}

function isBefore({ due }: Heap, a: number, b: number): boolean {
  const dueA = due[a] ?? 0;
  const dueB = due[b] ?? 0;
  return dueA === dueB ? a < b : dueA < dueB;
}
