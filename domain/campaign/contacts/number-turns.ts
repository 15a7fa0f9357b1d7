import {
  type DueQueues,
  isBefore,
  joinHeap,
  joinQueue,
  leaveHeap,
  leaveQueue,
  queueOf,
} from "./due-queues.ts";

/**
 * Contacts that share a number which was held for a callback once. Of those in one queue the first stands
 * there for all, the others wait in a heap of their own; while the number is held, none but its holder stands
 * in a queue. So taking and letting go of a number moves one row of each queue, however many have the number.
 */
export type NumberTurns = DueQueues & {
  /** Numbers without the plus. */
  numbers: Float64Array;
  /** Rows with a callback that are not done, by number, the first due first: only the first is called. */
  readonly holders: Map<number, readonly number[]>;
  /** By number, then by queue. */
  readonly turns: Map<number, Map<number | string, Turn>>;
  /** Rows in the order of their numbers, as far as anybody has asked for it. */
  byNumber: Uint32Array;
  /** Of each group, how many are still to be called. */
  readonly toCall: number[];
};

type Turn = { standing: number | null; readonly aside: number[] };

/** Of those who agreed a callback with the row's number; undefined: nobody did. */
export function firstHolder({ holders, numbers }: NumberTurns, row: number): number | undefined {
  return holders.get(numbers[row] ?? 0)?.[0];
}

/** Its status says that it is still to be called. */
export function joinInTurn(table: NumberTurns, row: number): void {
  count(table, row, 1);
  enter(table, row);
}

/** Nothing changes when it is not to be called. */
export function leaveTurn(table: NumberTurns, row: number): void {
  if (!isWaiting(table, row)) return;
  count(table, row, -1);
  exit(table, row);
}

function count({ toCall, group }: NumberTurns, row: number, by: number): void {
  const of = group[row] ?? 0;
  while (toCall.length <= of) toCall.push(0);
  toCall[of] = (toCall[of] ?? 0) + by;
}

function isWaiting({ place }: DueQueues, row: number): boolean {
  return (place[row] ?? 0) > 0;
}

function enter(table: NumberTurns, row: number): void {
  const first = firstHolder(table, row);
  const turns = first === row ? undefined : turnsOf(table, row, first !== undefined);
  if (turns === undefined) {
    joinQueue(table, row);
    return;
  }
  const queue = queueOf(table, row);
  const turn = turns.get(queue) ?? { standing: null, aside: [] };
  turns.set(queue, turn);
  const { standing } = turn;
  if (standing !== null && isBefore(table.dueMillis, row, standing)) stepAside(table, turn);
  if (first === undefined && turn.standing === null) stand(table, turn, row);
  else joinHeap(table, turn.aside, row);
}

/** undefined: its number was never held while another had it. */
function turnsOf({ turns, numbers }: NumberTurns, row: number, isHeld: boolean) {
  const number = numbers[row] ?? 0;
  const known = turns.get(number);
  if (known !== undefined || !isHeld) return known;
  const first = new Map<number | string, Turn>();
  turns.set(number, first);
  return first;
}

function exit(table: NumberTurns, row: number): void {
  const turns = table.turns.get(table.numbers[row] ?? 0);
  const queue = queueOf(table, row);
  const turn = turns?.get(queue);
  if (turn === undefined || firstHolder(table, row) === row) leaveQueue(table, row);
  else if (turn.standing !== row) leaveHeap(table, turn.aside, row);
  else {
    leaveQueue(table, row);
    turn.standing = null;
    standNext(table, turn);
  }
  if (turn?.standing === null && turn.aside.length === 0) turns?.delete(queue);
}

function stand(table: NumberTurns, turn: Turn, row: number): void {
  turn.standing = row;
  joinQueue(table, row);
}

function standNext(table: NumberTurns, turn: Turn): void {
  const [row] = turn.aside;
  if (row === undefined || turn.standing !== null) return;
  leaveHeap(table, turn.aside, row);
  stand(table, turn, row);
}

function stepAside(table: NumberTurns, turn: Turn): void {
  const { standing, aside } = turn;
  if (standing === null) return;
  leaveQueue(table, standing);
  joinHeap(table, aside, standing);
  turn.standing = null;
}

/** `held`: all holders of the number, the first due first. */
export function setHolders(table: NumberTurns, number: number, held: readonly number[]): void {
  const { holders, turns } = table;
  const [before, first] = [holders.get(number)?.[0], held[0]];
  if (before === undefined && first !== undefined) makeTurns(table, number);
  const firsts = before === first ? [] : [before, first];
  const moved = firsts.flatMap((row) => (row !== undefined && isWaiting(table, row) ? [row] : []));
  for (const row of moved) exit(table, row);
  if (first === undefined) holders.delete(number);
  else holders.set(number, held);
  for (const turn of turns.get(number)?.values() ?? [])
    if (first === undefined) standNext(table, turn);
    else stepAside(table, turn);
  for (const row of moved) enter(table, row);
}

/** Once for each number that several have: so each row is moved for it once. */
function makeTurns(table: NumberTurns, number: number): void {
  if (table.turns.has(number)) return;
  const rows = rowsWith(table, number);
  if (rows.length < 2) return;
  const waiting = rows.filter((row) => isWaiting(table, row));
  for (const row of waiting) leaveQueue(table, row);
  table.turns.set(number, new Map());
  for (const row of waiting) enter(table, row);
}

function rowsWith(table: NumberTurns, number: number): readonly number[] {
  const { numbers } = table;
  table.byNumber = inOrder(table.byNumber, numbers);
  const { byNumber } = table;
  const numberAt = (place: number) => numbers[byNumber[place] ?? 0] ?? 0;
  let [from, to] = [0, byNumber.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numberAt(middle) < number) from = middle + 1;
    else to = middle;
  }
  while (to < byNumber.length && numberAt(to) === number) to += 1;
  return [...byNumber.subarray(from, to)];
}

/** `sorted` with the rows that were added since: n log n for these, and one pass over all. */
function inOrder(sorted: Uint32Array, numbers: Float64Array): Uint32Array {
  const first = sorted.length;
  if (first === numbers.length) return sorted;
  const order = (a: number, b: number) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b;
  const added = Uint32Array.from({ length: numbers.length - first }, (_, index) => first + index).sort(order);
  const all = new Uint32Array(numbers.length);
  let [old, young] = [0, 0];
  for (let place = 0; place < all.length; place += 1) {
    const [left, right] = [sorted[old], added[young]];
    const isOld = left !== undefined && (right === undefined || order(left, right) < 0);
    all[place] = (isOld ? left : right) ?? 0;
    if (isOld) old += 1;
    else young += 1;
  }
  return all;
}
