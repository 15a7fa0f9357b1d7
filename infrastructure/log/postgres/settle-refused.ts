import type pg from "pg";
import { type AppendResult, EventStoreError } from "../../../application/ports/event-store.ts";
import { type AppendRequest, expectedNumber } from "./requests.ts";

const AT_PLACE =
  "select event_id, position from log.events where stream = $1 and revision between $2 and $3 order by revision";

/**
 * An append that was not written: the original answer if the same events were written
 * before, else its Conflict.
 */
export async function originalOrConflict(
  readers: pg.Pool,
  request: AppendRequest,
  actual: number,
): Promise<AppendResult> {
  const { stream, expected, events } = request;
  const first = expectedNumber(expected) + 1;
  const last = first + events.length - 1;
  const conflict = new EventStoreError({
    kind: "conflict",
    stream,
    expected,
    actual: actual === -1 ? "no_stream" : actual,
  });
  if (actual < last) throw conflict;
  const { rows } = await readers.query<[eventId: string, position: string]>({
    name: "at-place",
    text: AT_PLACE,
    rowMode: "array",
    values: [stream, first, last],
  });
  const position = rows.at(-1)?.[1];
  const ours = events.every(({ id }, index) => rows[index]?.[0] === id.toLowerCase());
  if (!ours || position === undefined) throw conflict;
  return { revision: last, position };
}
