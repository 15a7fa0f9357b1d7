import { sql } from "kysely";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { Poison, ProjectionWriter, ReadTransaction } from "./projection.ts";

/** Data exceptions, broken constraints and limits of PostgreSQL: a repeat would fail in the same way. */
const PERMANENT_SQLSTATE = /^(22|23|54)...$/;

/** Whether the events themselves are the cause, so that a retry does not help. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    PERMANENT_SQLSTATE.test(error.code)
  );
}

/**
 * Writes event by event, each behind a savepoint, after a batch has failed as a whole: finds the events that
 * a projection cannot process, and writes all others.
 */
export async function writeOneByOne(
  trx: ReadTransaction,
  writer: ProjectionWriter,
  events: readonly RecordedEvent[],
): Promise<readonly Poison[]> {
  const poisons: Poison[] = [];
  for (const recorded of events) {
    await sql`savepoint one_event`.execute(trx);
    try {
      poisons.push(...(await writer.write(trx, [recorded])));
      await sql`release savepoint one_event`.execute(trx);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      await sql`rollback to savepoint one_event`.execute(trx);
      writer.forget();
      poisons.push({ recorded, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return poisons;
}

/**
 * Runs `work` with the fast way of writing; after a permanent failure once more with the careful one. Any
 * other failure rejects.
 */
export async function withFallback<Answer>(
  writer: ProjectionWriter,
  work: (write: ProjectionWriter["write"]) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work(writer.write);
  } catch (error) {
    writer.forget();
    if (!isPermanent(error)) throw error;
  }
  try {
    return await work((trx, events) => writeOneByOne(trx, writer, events));
  } catch (error) {
    writer.forget();
    throw error;
  }
}
