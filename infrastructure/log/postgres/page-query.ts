import type { EventFilter } from "../../../application/ports/event-store.ts";
import { IS_RARE, isRare } from "../rare-types.ts";
import { COLUMNS, type EventRow } from "./rows.ts";

/**
 * `total`: bytes of data in the page up to this event; null in the single row of a page without events.
 * `head`: the last position of the log. `reach`: the last position that the query looked at.
 */
export type PageRow = [...event: EventRow, total: string | null, head: string, reach: string];
export const TOTAL = 8;
export const HEAD = 9;
export const REACH = 10;

export type PageQuery = { readonly text: string; readonly values: readonly unknown[] };

/** An event that begins after this many bytes of a page is left to the next one. */
export const PAGE_BYTES = 8 * 1024 * 1024;
/**
 * How many events a filter without an index reads at once: of the log, or of one owner, of whom whoever takes
 * large pages reads more.
 */
const LOOKED_THROUGH = 50_000;
const LOOKED_THROUGH_OF_OWNER = 5_000;
const LOOKED_THROUGH_OF_LIMIT = 4;
const NO_END = Number.MAX_SAFE_INTEGER;

/** `before`: null is the end of the log. Backward, `reach` is the first position that the query looked at. */
export type PageRange = {
  readonly after: number;
  readonly before: number | null;
  readonly backward: boolean;
};

export function pageQuery(range: PageRange, limit: number, filter: EventFilter = {}): PageQuery {
  const { after, before, backward } = range;
  const rare = rareOf(filter);
  if (rare !== null) return rarePage(range, limit, rare);
  const values: unknown[] = [after, limit];
  const parameter = (value: unknown): string => {
    values.push(value);
    return `$${values.length}`;
  };
  const { categories, streams, types, owner, campaignId, outsideOfCampaigns: outside } = filter;
  const owned = owner === undefined ? [] : [ownedBehind(parameter(owner))];
  const named = streams === undefined ? [] : [`stream = any (${parameter(streams)}::text[])`];
  const others = [
    ...(categories === undefined
      ? []
      : [`split_part(stream, '-', 1) = any (${parameter(categories)}::text[])`]),
    ...(types === undefined ? [] : [`type = any (${parameter(types)}::text[])`]),
    ...(campaignId === undefined ? [] : [ofCampaign(parameter(campaignId))]),
    ...(outside === undefined
      ? []
      : [`(type <> all (${parameter(outside)}::text[]) or metadata->>'campaignId' is null)`]),
  ];
  const inFront = before === null ? [] : [`position < ${parameter(before)}::bigint`];
  const looked = [...owned, ...inFront];
  const within = ["position > $1::bigint", backward ? "position >= reach" : "position <= reach"];
  const conditions = [...within, ...looked, ...named, ...others].join(" and ");
  const direction = backward ? " desc" : "";
  // Adding 0 keeps the planner from scanning the whole log in its order: the index of the streams
  // leads to the few rows.
  const order = named.length > 0 ? `position + 0${direction}` : orderOf(owned.length > 0, direction);
  const reach =
    named.length > 0 || others.length === 0
      ? null
      : reachOf(looked, owned.length > 0 ? ofOwner(limit) : null, backward);
  return { text: textOf(reach ?? `${endOf(backward)} as reach`, conditions, order, direction), values };
}

type Rare = { readonly owner: string; readonly types: readonly string[] };

/** null: anything else than events of an owner that are all of rare types. */
function rareOf({ owner, types, ...others }: EventFilter): Rare | null {
  if (owner === undefined || types === undefined || Object.keys(others).length > 0) return null;
  return types.every(isRare) ? { owner, types: [...new Set(types)] } : null;
}

/**
 * Of each type no more positions are read than the page can have. Bounds are of whole rows, and begin with
 * the type, so that no other index leads to them: a plan that is made for an empty log is kept.
 */
function rarePage({ after, before, backward }: PageRange, limit: number, { owner, types }: Rare): PageQuery {
  const direction = backward ? " desc" : "";
  const row = "(type, owner, position)";
  const positions = `select position from unnest($4::text[]) as asked (type) cross join lateral (
      select position from log.events where ${IS_RARE}
        and ${row} > (asked.type, $3, $1::bigint) and ${row} < (asked.type, $3, $5::bigint)
      order by type${direction}, owner${direction}, position${direction} limit $2
    ) of_type order by position${direction} limit $2`;
  const text = textOf(
    `${endOf(backward)} as reach`,
    `position = any (array(${positions}))`,
    `position${direction}`,
    direction,
  );
  return { text, values: [after, limit, owner, types, before ?? NO_END] };
}

function ofCampaign(campaign: string): string {
  return `(stream = 'campaign-' || ${campaign} or metadata->>'campaignId' = ${campaign})`;
}

function orderOf(owned: boolean, direction: string): string {
  return owned ? `owner${direction}, position${direction}` : `position${direction}`;
}

/**
 * `owner = …` in a form that only the index of owners can answer in order. With plain equality the
 * planner scans the log by position if it believes that few owners have most events; an owner with ten
 * events then costs millions.
 */
function ownedBehind(owner: string): string {
  return `(owner, position) > (${owner}, $1::bigint) and owner <= ${owner}`;
}

function ofOwner(limit: number): number {
  return Math.max(LOOKED_THROUGH_OF_OWNER, LOOKED_THROUGH_OF_LIMIT * limit);
}

/** Streams and owners have an index; others read in steps. `owned`: steps of an owner's; null: of the log. */
function reachOf(looked: readonly string[], owned: number | null, backward: boolean): string {
  if (owned === null && !backward) return `$1::bigint + ${LOOKED_THROUGH} as reach`;
  const most = owned ?? LOOKED_THROUGH;
  const where = ["position > $1::bigint", ...looked].join(" and ");
  // offset 0 keeps the planner from looking for it again wherever it is named.
  return `coalesce((select position from log.events where ${where}
    order by ${orderOf(owned !== null, backward ? " desc" : "")} offset ${most - 1} limit 1), ${endOf(backward)})
    as reach offset 0`;
}

function endOf(backward: boolean): string {
  return backward ? "0" : String(NO_END);
}

/**
 * Bytes of data, or a few more: only compressed text has to be measured, for any other the length is known.
 */
const DATA_BYTES = `case when pg_column_compression(data) is null then pg_column_size(data)
  else octet_length(data::text) end`;

/**
 * Rows without ORDER BY: PostgreSQL would sort whole events (on disk for a large page), and they
 * come in order anyway.
 */
function textOf(reach: string, conditions: string, order: string, direction: string): string {
  return `select page.*, ends.head, ends.reach from (
      select (select coalesce(max(position), 0) from log.events) as head, ${reach}
    ) ends
    left join lateral (
      select ${COLUMNS}, total from (
        select ${COLUMNS}, bytes, sum(bytes) over (order by position${direction} rows unbounded preceding) as total
        from (
          select ${COLUMNS}, ${DATA_BYTES} as bytes from log.events where ${conditions} order by ${order} limit $2
        ) matching
      ) sized
      where total - bytes < ${PAGE_BYTES}
    ) page on true`;
}
