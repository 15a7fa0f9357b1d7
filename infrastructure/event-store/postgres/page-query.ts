import type { EventFilter } from "../../../application/ports/event-store.ts";
import { COLUMNS, type EventRow } from "./rows.ts";

/** `head`: the last position of the log. `total`: bytes of data in the page up to this event; null when the page has no event. */
export type PageRow = [head: string, total: string | null, ...event: EventRow];

export type PageQuery = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The last position that the query looks at. */
  readonly reach: number;
};

/** An event that begins beyond this many bytes of a page is left to the next one. */
export const PAGE_BYTES = 8 * 1024 * 1024;
/** How many events a filter without an index looks through at once. */
const WINDOW = 50_000;

export function pageQuery(after: number, limit: number, filter: EventFilter = {}): PageQuery {
  const values: unknown[] = [after, limit];
  const conditions = ["position > $1"];
  const holds = (condition: (parameter: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const { categories, streams, types, owner } = filter;
  if (categories !== undefined)
    holds((list) => `split_part(stream, '-', 1) = any (${list}::text[])`, categories);
  if (streams !== undefined) holds((list) => `stream = any (${list}::text[])`, streams);
  if (types !== undefined) holds((list) => `type = any (${list}::text[])`, types);
  if (owner !== undefined) holds((one) => `owner = ${one}`, owner);
  const looksThrough = owner === undefined && values.length > 2;
  const reach = looksThrough ? after + WINDOW : Number.MAX_SAFE_INTEGER;
  if (looksThrough) holds((bound) => `position <= ${bound}::bigint`, reach);
  return { text: textOf(conditions.join(" and ")), values, reach };
}

function textOf(conditions: string): string {
  return `select log_end.head, page.* from (select coalesce(max(position), 0) as head from log.events) log_end
    left join lateral (
      select total, ${COLUMNS} from (
        select ${COLUMNS}, octet_length(data::text) as bytes,
          sum(octet_length(data::text)) over (order by position) as total
        from (select * from log.events where ${conditions} order by position limit $2) matching
      ) sized
      where total - bytes < ${PAGE_BYTES}
    ) page on true
    order by page.position`;
}
