import type pg from "pg";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { unavailable } from "./failures.ts";

/**
 * Rows as arrays of PostgreSQL's texts (null for null) and JSON values, typed by the caller. Rejects
 * Unavailable, also when `signal` aborts.
 */
export type LogQuery = <Row extends unknown[]>(
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
) => Promise<readonly Row[]>;

/** Prepared once for each connection, under a name made from its text. */
export function createQuery(pool: pg.Pool, closing: AbortSignal): LogQuery {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `log-${names.size}`;
    names.set(text, name);
    return name;
  };
  return async <Row extends unknown[]>(text: string, values: readonly unknown[], signal?: AbortSignal) => {
    refuseAborted(closing, "the store is closed");
    if (signal !== undefined) refuseAborted(signal, "aborted");
    const answer = pool
      .query<Row>({ name: nameOf(text), text, values: [...values], rowMode: "array" })
      .then(({ rows }): readonly Row[] => rows);
    try {
      return await (signal === undefined ? answer : untilAborted(answer, signal));
    } catch (error) {
      throw unavailable(error);
    }
  };
}

/** The query ends by its own time limit; nobody waits for it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new EventStoreError({ kind: "unavailable", cause: "aborted" }));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

function refuseAborted(signal: AbortSignal, cause: string): void {
  if (signal.aborted) throw new EventStoreError({ kind: "unavailable", cause });
}
