import type { Page } from "../../application/ports/queries/pages.ts";
import type { HistoryRecord } from "../../contract/history.ts";

/** The history of one stream does not repeat the stream's name in each event. */
export function withoutStream({ rows, next }: Page<HistoryRecord, number>) {
  return { rows: rows.map(({ stream: _stream, ...event }) => event), next };
}
