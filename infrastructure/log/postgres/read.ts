import {
  EventStoreError,
  type ReadAllOptions,
  type ReadAllPage,
  type ReadOptions,
  type StoredEvent,
  type StreamName,
} from "../../../application/ports/event-store.ts";
import { HEAD, PAGE_BYTES, type PageRow, pageQuery, REACH, TOTAL } from "./page-query.ts";
import { placeOf, positionAt } from "./positions.ts";
import { type LogQuery, untilAborted } from "./query.ts";
import { COLUMNS, type EventRow, toStoredEvents } from "./rows.ts";
import { isShort, type ShortReads } from "./short-streams.ts";

const FORWARD = `select ${COLUMNS} from log.events where stream = $1 and revision >= $2 order by revision limit $3`;
const BACKWARD = `select ${COLUMNS} from log.events where stream = $1 and revision <= $2 order by revision desc limit $3`;
const EXISTS = "select 1 from log.events where stream = $1 limit 1";
const LAST_REVISION = 2_147_483_647;

/** One stream; NotFound if it has no event, an empty result if it has none in that range. */
export async function readStream(
  query: LogQuery,
  readShort: ShortReads,
  stream: StreamName,
  { from, direction = "forward", max, signal }: ReadOptions,
): Promise<readonly StoredEvent[]> {
  const backward = direction === "backward";
  if (!backward && isShort(stream)) {
    const events = readShort({ stream, from: from ?? 0, max: max ?? null });
    const found = await (signal === undefined ? events : untilAborted(events, signal));
    if (found === null) throw new EventStoreError({ kind: "not_found", stream });
    return found;
  }
  const values = [stream, from ?? (backward ? LAST_REVISION : 0), max ?? null];
  const rows = await query<EventRow>(backward ? BACKWARD : FORWARD, values, signal);
  if (rows.length > 0) return toStoredEvents(rows);
  const lookedAtAll = max !== 0 && (backward ? from === undefined : (from ?? 0) <= 0);
  if (lookedAtAll || (await query(EXISTS, [stream], signal)).length === 0)
    throw new EventStoreError({ kind: "not_found", stream });
  return [];
}

/** Whole numbers as text: the longer one is larger. */
function byPosition([a]: PageRow, [b]: PageRow): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/**
 * A page of the whole log. It may be shorter than `limit`, or empty, before the end, because its bytes and
 * the events read by a filter are bounded.
 */
export async function readAll(
  query: LogQuery,
  { after, before, backward = false, limit, filter, signal }: ReadAllOptions,
): Promise<ReadAllPage> {
  const place = placeOf(after);
  const end = before === undefined ? null : placeOf(before);
  const { text, values } = pageQuery({ after: place, before: end, backward }, limit, filter);
  const forward = (await query<PageRow>(text, values, signal)).toSorted(byPosition);
  const rows = backward ? forward.toReversed() : forward;
  const head = Number(rows[0]?.[HEAD] ?? 0);
  const reach = Number(rows[0]?.[REACH] ?? 0);
  const total = rows.at(-1)?.[TOTAL] ?? null;
  const events = total === null ? [] : toStoredEvents(rows);
  const isCut = events.length === limit || Number(total) >= PAGE_BYTES;
  const last = isCut ? events.at(-1) : undefined;
  const cut = last === undefined ? null : placeOf(last.position);
  if (backward) {
    const next = cut ?? Math.max(place, reach);
    return { events, next: positionAt(next), atEnd: next <= place + 1 };
  }
  const most = end === null ? head : Math.min(head, end - 1);
  const next = cut ?? Math.max(place, Math.min(reach, most));
  return { events, next: positionAt(next), atEnd: next >= most };
}
