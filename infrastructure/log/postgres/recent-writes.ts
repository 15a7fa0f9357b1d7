import type { EventMetadata } from "../../../application/ports/event-store.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { type AppendRequest, expectedNumber } from "./requests.ts";
import { type EventRow, jsonColumn } from "./rows.ts";

/**
 * The last writes of this process as rows of a query: a reader right behind them need not ask the database.
 */
export type RecentWrites = {
  /** The events of one committed group, at `base` + 1, `base` + 2, …; `created` as PostgreSQL's text. */
  readonly add: (base: number, created: string, appends: readonly AppendRequest[]) => void;
  /** The first events after a position, without a gap; null: only the database knows. */
  readonly after: (place: number, limit: number) => readonly EventRow[] | null;
};

const MOST_EVENTS = 2_000;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Positions have no gaps and ascend in commit order, so consecutive rows are complete. A write of another
 * process in between shows as a gap before the next group: everything before the gap is dropped.
 */
export function createRecentWrites(): RecentWrites {
  let rows: WrittenRow[] = [];
  let bytes = 0;
  /** Position of the first row. */
  let first = 1;
  const last = (): number => first + rows.length - 1;
  const letGo = (count: number): void => {
    for (const [, , , , , data] of rows.splice(0, count)) bytes -= data.length;
    first += count;
  };
  return {
    add(base, created, appends) {
      if (base !== last()) {
        rows = [];
        bytes = 0;
        first = base + 1;
      }
      for (const row of appends.flatMap((append) => rowsOf(append, created))) {
        rows.push([String(last() + 1), ...row]);
        bytes += row[4].length;
      }
      while (rows.length > MOST_EVENTS || bytes > MOST_BYTES) letGo(Math.ceil(rows.length / 2));
    },
    after(place, limit) {
      if (place < first - 1 || place >= last()) return null;
      const start = place - first + 1;
      return readBack(rows.slice(start, start + limit));
    },
  };
}

/** An event's row with its JSON as text: many are dropped before anybody asks. */
type WrittenRow = [position: string, ...RowBehindPosition];
type RowBehindPosition = [
  stream: string,
  revision: string,
  eventId: string,
  type: string,
  data: string,
  metadata: string,
  created: string,
];

function readBack(rows: readonly WrittenRow[]): EventRow[] {
  const dataOf = jsonColumn<JsonObject>();
  const metadataOf = jsonColumn<EventMetadata>();
  return rows.map(([position, stream, revision, id, type, data, metadata, created]) => [
    position,
    stream,
    revision,
    id,
    type,
    dataOf(data),
    metadataOf(metadata),
    created,
  ]);
}

function rowsOf({ stream, expected, events, json }: AppendRequest, created: string): RowBehindPosition[] {
  const base = expectedNumber(expected) + 1;
  return events.map(({ id, type }, offset) => {
    const { data = "null", metadata = "null" } = json[offset] ?? {};
    return [stream, String(base + offset), id.toLowerCase(), type, data, metadata, created];
  });
}
