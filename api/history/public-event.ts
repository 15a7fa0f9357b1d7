import type { HistoryRecord, Page } from "../../application/ports/queries.ts";

/** A history of one stream says no more than once which one it is. */
export function withoutStream({ rows, next }: Page<HistoryRecord, number>) {
  return { rows: rows.map(({ stream: _stream, ...event }) => event), next };
}
