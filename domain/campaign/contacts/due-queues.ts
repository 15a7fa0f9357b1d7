import { type HoldBook, isStanding, keepsUntilMillis, type PolicyMoment } from "./holds.ts";

/**
 * Who is still to be called and not held for another's callback (`number-turns`): for each group two binary
 * heaps of rows, one of agreed callbacks and one of all others, by due time (0: never called), ties in the
 * order of import. Who is held by the policy until a time stands in a heap of the same order with all who are
 * held alike (`holds`): whether it counts is judged once for all of them, when somebody asks. A row knows its
 * place, so it leaves from anywhere in O(log n), and no entry is ever stale.
 */
export type DueQueues = HoldBook & {
  /** Of each row, the group whose queue it stands in. */
  group: Uint16Array;
  dueMillis: Float64Array;
  /** Of each row, its index in its heap and 1; 0: in none. */
  place: Uint32Array;
  /** Rows that wait for their callback. */
  readonly callbackRows: Set<number>;
  /** Of each group two: others, callbacks; no entry: nobody was ever in it. */
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
  const held = table.held.get(row)?.queue;
  if (held !== undefined) return held;
  const of = ownQueue(table, row);
  const rows = queues[of] ?? [];
  queues[of] = rows;
  return rows;
}

/** What its queue is known by. */
export function queueOf(table: DueQueues, row: number): number | string {
  const hold = table.held.get(row);
  return hold?.queue === undefined ? ownQueue(table, row) : hold.key;
}

/** Index into `queues`: where it stands unless it is held until a time. */
export function ownQueue({ group, callbackRows }: DueQueues, row: number): number {
  return callbackRows.has(row) ? callbackQueue(group[row] ?? 0) : otherQueue(group[row] ?? 0);
}

function otherQueue(group: number): number {
  return 2 * group;
}

function callbackQueue(group: number): number {
  return 2 * group + 1;
}

function groupOfQueue(queue: number): number {
  return queue >> 1;
}

/** Rows of one group, all callbacks or none. `heldUntil`: kept back until then; 0: not. */
export type DueQueue = {
  readonly group: number;
  readonly isCallback: boolean;
  readonly rows: readonly number[];
  readonly heldUntil: number;
};

/** All that have rows, of these groups. */
export function queuesToCall(
  { queues, holds }: DueQueues,
  groups: readonly number[],
  now: PolicyMoment,
): readonly DueQueue[] {
  const asked = new Set(groups);
  const found: DueQueue[] = [];
  const add = (of: number, rows: readonly number[] | undefined, heldUntil: number) => {
    const group = groupOfQueue(of);
    if (rows === undefined || rows.length === 0 || !asked.has(group)) return;
    found.push({ group, isCallback: of === callbackQueue(group), rows, heldUntil });
  };
  queues.forEach((rows, of) => {
    add(of, rows, 0);
  });
  for (const each of holds.values()) add(each.of, each.queue, keepsUntilMillis(each, now));
  return found;
}

/** Whether somebody of these groups is held until a call has ended. */
export function isCallWaitedFor({ holds }: DueQueues, groups: readonly number[], now: PolicyMoment): boolean {
  return [...holds.values()].some(
    (hold) => hold.until === null && groups.includes(groupOfQueue(hold.of)) && isStanding(hold, now),
  );
}

/**
 * Rows of these groups that are due at that moment and not kept back by a hold: callbacks, then all others,
 * each in order; k of them take O(k log n). The queues must not change meanwhile.
 */
export function* dueRowsInOrder(
  table: DueQueues,
  groups: readonly number[],
  now: PolicyMoment,
): Generator<number> {
  const open = queuesToCall(table, groups, now).filter(({ heldUntil }) => heldUntil === 0);
  for (const isCallback of [true, false])
    yield* inOrder(
      table,
      open.filter((each) => each.isCallback === isCallback),
      now.millis,
    );
}

/** Rows of these queues that are due at `nowMillis`, in order; k of them take O(k log n). */
export function* inOrder(
  table: DueQueues,
  from: readonly Pick<DueQueue, "rows">[],
  nowMillis: number,
): Generator<number> {
  const { dueMillis, place } = table;
  const next: Heap = { rows: [], due: dueMillis, place: null };
  const add = (row: number | undefined) => {
    if (row !== undefined && (dueMillis[row] ?? 0) <= nowMillis) rise(next, next.rows.length, row);
  };
  for (const { rows } of from) add(rows[0]);
  for (let [row] = next.rows; row !== undefined; [row] = next.rows) {
    removeAt(next, 0);
    const queue = rowsOf(table, row);
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
