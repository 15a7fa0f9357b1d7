import type { StoredEvent } from "../../../application/ports/event-store.ts";
import { positionAt } from "./positions.ts";
import { type AppendRequest, expectedNumber } from "./requests.ts";
import { instantOf } from "./rows.ts";

/**
 * The last writes of this process, as a read would return them: a reader right behind them need not ask the
 * database (docs/decisions/0006).
 */
export type RecentWrites = {
  /** The events of one committed group, at `base` + 1, `base` + 2, …; `created` as PostgreSQL's text. */
  readonly add: (base: number, created: string, appends: readonly AppendRequest[]) => void;
  /** From now on writes are kept until this reader has passed them; without a reader none is. */
  readonly open: () => RecentReader;
};

export type RecentReader = {
  /** What is known of the events behind a position; everything up to it may be let go. */
  readonly behind: (place: number, limit: number) => Known;
  readonly close: () => void;
};

/**
 * own: the next events of the log, without a gap. asked: only the database knows the next ones; those before
 * `before` are enough, because own ones go on there (null: as many as a page holds). none: this process has
 * written nothing behind that position.
 */
export type Known =
  | { readonly kind: "own"; readonly events: readonly StoredEvent[] }
  | { readonly kind: "asked"; readonly before: number | null }
  | { readonly kind: "none" };

/** Of the events' data as JSON, with what each takes beside it. */
const MOST_BYTES = 8 * 1024 * 1024;
const BESIDE_DATA_BYTES = 512;
/** So many own events are worth a page that ends before them; to read fewer again costs less. */
const WORTH_A_PAGE = 8;

/** Consecutive events; the next group may begin behind a gap, with writes of other processes. */
type Group = {
  readonly first: number;
  readonly last: number;
  readonly events: readonly StoredEvent[];
  readonly bytes: number;
};

/**
 * Positions have no gaps and ascend in commit order, so consecutive events are complete, and whatever stands
 * before a write of this process is committed too.
 */
export function createRecentWrites(mostBytes = MOST_BYTES): RecentWrites {
  const groups: Group[] = [];
  /** How far each reader has come. */
  const passed = new Map<symbol, number>();
  let bytes = 0;
  let last = 0;
  const letGo = (isOver: (oldest: Group) => boolean): void => {
    for (let oldest = groups[0]; oldest !== undefined && isOver(oldest); oldest = groups[0]) {
      groups.shift();
      bytes -= oldest.bytes;
    }
  };
  const letGoPassed = (): void => {
    const byAll = Math.min(...passed.values());
    letGo((oldest) => oldest.last <= byAll);
  };
  return {
    add(base, created, appends) {
      // A database that was restored has other events there by now.
      if (base < last) letGo(() => true);
      const group = groupOf(base, created, appends);
      last = group.last;
      groups.push(group);
      bytes += group.bytes;
      letGoPassed();
      letGo(() => bytes > mostBytes);
    },
    open() {
      const reader = Symbol("reader");
      passed.set(reader, last);
      return {
        behind(place, limit) {
          passed.set(reader, place);
          letGoPassed();
          return place >= last ? { kind: "none" } : knownBehind(groups, place, limit);
        },
        close() {
          passed.delete(reader);
          letGoPassed();
        },
      };
    },
  };
}

function knownBehind(groups: readonly Group[], place: number, limit: number): Known {
  const next = groups.findIndex((group) => group.last > place);
  const first = groups[next]?.first;
  if (first === undefined) return { kind: "asked", before: null };
  if (first <= place + 1) return { kind: "own", events: consecutive(groups.slice(next), place, limit) };
  const isLong = consecutive(groups.slice(next), first - 1, WORTH_A_PAGE).length === WORTH_A_PAGE;
  return { kind: "asked", before: isLong ? first : null };
}

/** The events behind a place in the first group, up to the first gap. */
function consecutive(groups: readonly Group[], place: number, limit: number): readonly StoredEvent[] {
  const events: StoredEvent[] = [];
  let end = place;
  for (const group of groups) {
    if (group.first > end + 1 || events.length >= limit) break;
    events.push(...group.events.slice(end + 1 - group.first, end + 1 - group.first + limit - events.length));
    end = group.last;
  }
  return events;
}

function groupOf(base: number, created: string, appends: readonly AppendRequest[]): Group {
  const at = instantOf(created);
  const events: StoredEvent[] = [];
  let bytes = 0;
  for (const { stream, expected, events: written, json } of appends) {
    const revision = expectedNumber(expected) + 1;
    written.forEach((event, offset) => {
      const position = positionAt(base + events.length + 1);
      const id = event.id.toLowerCase();
      events.push({ ...event, id, stream, revision: revision + offset, position, created: at });
      bytes += (json[offset]?.data.length ?? 0) + BESIDE_DATA_BYTES;
    });
  }
  return { first: base + 1, last: base + events.length, events, bytes };
}
