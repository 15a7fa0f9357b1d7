import { groupRunner } from "../../../application/group-runner.ts";
import type { StoredEvent, StreamName } from "../../../application/ports/event-store.ts";
import type { LogQuery } from "./query.ts";
import { COLUMNS, type EventRow, toStoredEvents } from "./rows.ts";

/** A stream forward from a revision on; `max` null: to its end. */
export type ShortRead = { readonly stream: StreamName; readonly from: number; readonly max: number | null };

/** Events in order; null: there is no such stream. */
export type ShortReads = (read: ShortRead) => Promise<readonly StoredEvent[] | null>;

/**
 * A page of a long stream may have megabytes, and would delay the short ones of its statement. Streams of
 * calls are short; all others are read alone.
 */
export function isShort(stream: StreamName): boolean {
  return stream.startsWith("call-");
}

const LARGEST_GROUP = 32;

/**
 * Streams that are requested while all connections are busy are read by one statement, so that a thousand
 * calls at once do not queue one by one.
 */
export function createShortReads(query: LogQuery, connections: number): ShortReads {
  return groupRunner<ShortRead, readonly StoredEvent[] | null>({
    run: (reads) => readTogether(query, reads),
    largest: LARGEST_GROUP,
    atOnce: connections,
    failsForAll: () => true,
  });
}

/**
 * `place`: number of its read, from 1. A read without events has one row of nulls, which says
 * whether its stream exists.
 */
type PlacedEvent = [...event: EventRow, place: string, isThere: null];
type NothingFound = [null, null, null, null, null, null, null, null, place: string, isThere: "t" | "f"];
const PLACE = 8;
const IS_THERE = 9;

const READ = `select ${COLUMNS}, place,
    case when position is null then exists (select from log.events where stream = asked.name) end
  from unnest($1::text[], $2::integer[], $3::integer[]) with ordinality as asked (name, first, most, place)
  left join lateral (
    select ${COLUMNS} from log.events where stream = asked.name and revision >= asked.first
    order by revision limit asked.most
  ) found on true`;

async function readTogether(
  query: LogQuery,
  reads: readonly ShortRead[],
): Promise<(readonly StoredEvent[] | null)[]> {
  const values = [
    reads.map(({ stream }) => stream),
    reads.map(({ from }) => from),
    reads.map(({ max }) => max),
  ];
  const rows = await query<PlacedEvent | NothingFound>(READ, values);
  const found = reads.map((): PlacedEvent[] => []);
  const missing = new Set<number>();
  for (const row of rows) {
    const index = Number(row[PLACE]) - 1;
    if (row[0] !== null) found[index]?.push(row);
    else if (row[IS_THERE] === "f") missing.add(index);
  }
  return found.map((events, index) =>
    missing.has(index) ? null : toStoredEvents(events.toSorted(byRevision)),
  );
}

function byRevision([, , a]: PlacedEvent, [, , b]: PlacedEvent): number {
  return Number(a) - Number(b);
}
