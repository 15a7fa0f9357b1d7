import type { HistoryRecord } from "../../application/ports/queries/history-records.ts";
import type { Page } from "../../application/ports/queries/pages.ts";

/** A history of one stream says no more than once which one it is. */
export function withoutStream({ rows, next }: Page<HistoryRecord, number>) {
  return { rows: rows.map(({ stream: _stream, ...event }) => event), next };
}
