import { type EventStore, type Position, START } from "../application/ports/event-store.ts";
import type { Queries } from "../application/ports/queries.ts";
import { callQueries } from "./calls/call-queries.ts";
import { campaignQueries } from "./campaigns/campaigns.ts";
import { contactQueries } from "./contacts/contact-queries.ts";
import type { ReadPositions } from "./engine/read-positions.ts";
import { readSnapshot, type Snapshot } from "./engine/read-snapshot.ts";
import { type HistoryDeps, historyQueries } from "./history/history-queries.ts";
import { seriesQueries } from "./series/call-series.ts";
import { squadQueries } from "./squads/squads.ts";

export type QueryDeps = HistoryDeps & {
  /** Positions of the models that no write waits for. */
  readonly backgroundPositions: ReadPositions;
  /** Public address of this service, without a trailing slash. */
  readonly publicUrl: () => string;
};

/**
 * Everything that the API reads: records from the read models, history from the log. A query stands with its
 * noun; this puts them together.
 */
export function createQueries(deps: QueryDeps): Queries {
  const snapshot: Snapshot = (models, heard, read) => readSnapshot(deps, models, heard, read);
  return {
    ...positionQueries(deps),
    ...callQueries(deps, snapshot),
    ...seriesQueries(snapshot),
    ...campaignQueries(deps),
    ...contactQueries(snapshot, deps.clock),
    ...squadQueries(deps, snapshot),
    ...historyQueries(deps, snapshot),
  };
}

function positionQueries({ eventStore, positions, backgroundPositions }: QueryDeps) {
  return {
    parsePosition: (text) => parsePosition(eventStore, text),
    caughtUp: (position, timeoutMillis) => positions.servedTo(position, timeoutMillis),
    backgroundCaughtUp: (position, timeoutMillis) => backgroundPositions.servedTo(position, timeoutMillis),
    head: () => eventStore.head(),
    knownPosition: async () => positions.known(),
  } satisfies Partial<Queries>;
}

const LARGEST_NUMBER = 2n ** 63n - 1n;

/**
 * Both logs write positions as a number, or two with a dot between them. Anything else, or a number that no
 * log reaches, is invalid.
 */
function parsePosition(eventStore: EventStore, text: string): Position | null {
  if (text === START) return START;
  const parts = /^(\d{1,19})(?:\.(\d{1,19}))?$/.exec(text)?.slice(1) ?? [];
  const numbers = parts.filter((part) => part !== undefined);
  if (numbers.length === 0 || numbers.some((part) => BigInt(part) > LARGEST_NUMBER)) return null;
  try {
    eventStore.comparePositions(text, START);
    return text;
  } catch {
    return null;
  }
}
