/**
 * Contacts waiting for a retry, by due time, ties in the order of import. A binary heap in two plain arrays.
 */
export type RetryQueue = { readonly due: number[]; readonly contacts: number[] };

export type Waiting = { readonly contact: number; readonly dueMillis: number };

export function createRetryQueue(): RetryQueue {
  return { due: [], contacts: [] };
}

export function pushRetry(queue: RetryQueue, contact: number, dueMillis: number): void {
  queue.due.push(dueMillis);
  queue.contacts.push(contact);
  let child = queue.due.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!isBefore(queue, child, parent)) return;
    swap(queue, child, parent);
    child = parent;
  }
}

export function peekRetry({ due, contacts }: RetryQueue): Waiting | null {
  const [dueMillis] = due;
  const [contact] = contacts;
  return dueMillis === undefined || contact === undefined ? null : { contact, dueMillis };
}

export function popRetry(queue: RetryQueue): Waiting | null {
  const first = peekRetry(queue);
  if (first === null) return null;
  swap(queue, 0, queue.due.length - 1);
  queue.due.pop();
  queue.contacts.pop();
  sink(queue);
  return first;
}

/** In the order of due time; does not change the queue. */
export function* retriesInOrder(queue: RetryQueue): Generator<Waiting> {
  const copy: RetryQueue = { due: queue.due.slice(), contacts: queue.contacts.slice() };
  for (let next = popRetry(copy); next !== null; next = popRetry(copy)) yield next;
}

function sink(queue: RetryQueue): void {
  let parent = 0;
  for (;;) {
    const left = 2 * parent + 1;
    const right = left + 1;
    let first = parent;
    if (left < queue.due.length && isBefore(queue, left, first)) first = left;
    if (right < queue.due.length && isBefore(queue, right, first)) first = right;
    if (first === parent) return;
    swap(queue, parent, first);
    parent = first;
  }
}

function isBefore({ due, contacts }: RetryQueue, a: number, b: number): boolean {
  const [dueA = 0, dueB = 0] = [due[a], due[b]];
  return dueA === dueB ? (contacts[a] ?? 0) < (contacts[b] ?? 0) : dueA < dueB;
}

function swap({ due, contacts }: RetryQueue, a: number, b: number): void {
  const [dueA = 0, contactA = 0] = [due[a], contacts[a]];
  due[a] = due[b] ?? 0;
  contacts[a] = contacts[b] ?? 0;
  due[b] = dueA;
  contacts[b] = contactA;
}
