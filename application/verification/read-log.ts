import type { OwnerId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import { type EventStore, type Position, type ReadAllPage, START } from "../ports/event-store.ts";
import { createVerification, VERIFIED_TYPES, type Verdict, type VerifyOptions } from "./verify-policy.ts";

/** Events of a page; the next one is read meanwhile. */
const PAGE = 5_000;

export type ReadLogOptions = VerifyOptions & {
  /** null: of every owner. */
  readonly owner: OwnerId | null;
  readonly onProgress?: (told: { readonly progress: number; readonly dials: number }) => void;
  readonly signal?: AbortSignal;
};

/**
 * Reads a log from its beginning and judges it. Rejects as the log does, and with an error that names the
 * event when it cannot be read.
 */
export async function verifyLog(
  eventStore: Pick<EventStore, "readAll">,
  { owner, onProgress, signal, ...options }: ReadLogOptions,
): Promise<Verdict> {
  const verification = createVerification(options);
  // What a campaign's CallRequested says stands in its ContactDialed, and they are most of a log.
  const outsideOfCampaigns = ["CallRequested"];
  const filter = { types: VERIFIED_TYPES, outsideOfCampaigns, ...(owner === null ? {} : { owner }) };
  const pageAfter = (after: Position) =>
    eventStore.readAll({ after, limit: PAGE, filter, ...(signal === undefined ? {} : { signal }) });
  const until = millisOf(options.until);
  let first: number | null = null;
  let reading: Promise<ReadAllPage> | null = pageAfter(START);
  while (reading !== null) {
    const page: ReadAllPage = await reading;
    const last = page.events.at(-1);
    const isOver = page.atEnd || (last !== undefined && verification.isPast(last));
    reading = isOver ? null : pageAfter(page.next);
    // A problem of this page is told first; that of the next one is then nobody's.
    reading?.catch(() => undefined);
    for (const event of page.events) if (!verification.isPast(event)) verification.read(event);
    if (last === undefined) continue;
    first ??= millisOf(page.events[0]?.created ?? last.created);
    const share = (millisOf(last.created) - first) / Math.max(1, until - first);
    onProgress?.({ progress: Math.min(1, Math.max(0, share)), dials: verification.dials() });
  }
  return verification.judge();
}
