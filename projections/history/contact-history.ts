import { firstPageSize, nextPageSize } from "../../application/log/page-sizes.ts";
import { readPage } from "../../application/log/recorded-events.ts";
import { callStream, campaignStream } from "../../application/log/stream-names.ts";
import {
  type EventStore,
  type Position,
  START,
  type StoredEvent,
} from "../../application/ports/event-store.ts";
import type { Page, PageRequest } from "../../application/ports/queries/pages.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import { pageOf } from "../engine/keyset-page.ts";
import { withActorNames } from "./actor-names.ts";
import { historyRecord } from "./history-record.ts";
import type { LogDeps } from "./stream-history.ts";

/**
 * The campaign's events about the contact and all events of its calls, by position. Read from the
 * log, so never behind.
 */
export async function contactHistory(
  deps: LogDeps,
  owner: OwnerId,
  id: CampaignId,
  contactId: ContactId,
  { limit, after }: PageRequest<Position>,
): Promise<Page<HistoryRecord, Position> | null> {
  const { eventStore, codec } = deps;
  const own = await eventsOf(
    eventStore,
    campaignStream(id),
    ({ type, data }) => type === "CampaignDeleted" || data["contactId"] === contactId,
  );
  if (own.some(({ type, metadata }) => type === "CampaignDeleted" || metadata.owner !== owner)) return null;
  const calls = new Set(own.flatMap(({ data }) => (isCallId(data["callId"]) ? [data["callId"]] : [])));
  const ofCalls = await Promise.all(
    [...calls].map((call) => eventsOf(eventStore, callStream(call), () => true)),
  );
  const { comparePositions } = eventStore;
  const events = [...own, ...ofCalls.flat()]
    .filter(({ position }) => comparePositions(position, after ?? START) > 0)
    .sort((a, b) => comparePositions(a.position, b.position));
  const shown = await codec.withWords(events.slice(0, limit + 1));
  return pageOf(await withActorNames(deps, shown.map(historyRecord)), limit, ({ position }) => position);
}

async function eventsOf(
  eventStore: EventStore,
  stream: string,
  wanted: (event: StoredEvent) => boolean,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  let size = firstPageSize(stream);
  for (let from = 0; ; ) {
    const page = await readPage(eventStore, stream, from, size);
    found.push(...page.filter(wanted));
    if (page.length < size) return found;
    from += size;
    size = nextPageSize(stream, size, page);
  }
}

function isCallId(value: unknown): value is CallId {
  return typeof value === "string" && value.startsWith("call_");
}
