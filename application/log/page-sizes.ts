import type { StoredEvent, StreamName } from "../ports/event-store.ts";

const MOST = 1_000;
/** A chunk of an import has up to 256 KiB, which one query reads and one turn of the event loop checks. */
const FEW_CHUNKS = 8;
const MOST_WITH_CHUNKS = 128;

/** How many events of a stream are read at first; a campaign begins with the chunks of its import. */
export function firstPageSize(stream: StreamName): number {
  return stream.startsWith("campaign-") ? FEW_CHUNKS : MOST;
}

/** How many are read after this page: few behind chunks, which come together, else twice as many. */
export function nextPageSize(stream: StreamName, size: number, page: readonly StoredEvent[]): number {
  if (!stream.startsWith("campaign-")) return MOST;
  const isChunk = ({ type }: StoredEvent) => type === "ContactsImported";
  return page.some(isChunk) ? FEW_CHUNKS : Math.min(2 * size, MOST_WITH_CHUNKS);
}
