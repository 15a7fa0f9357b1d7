import type { CallId, CampaignId } from "../../domain/shared/ids.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, isEventStoreFailure, type StreamName } from "../ports/event-store.ts";
import { callStream, campaignStream } from "../stream-names.ts";
import type { AuditedEvent } from "./broken-rule.ts";

export type HistoryDeps = { readonly eventStore: EventStore; readonly codec: EventCodec };

const PAGE = 1_000;
const STREAMS_AT_ONCE = 32;

/**
 * Everything that the log has of a campaign and of the calls that it dialled, in log order, for `verifyCampaign`; empty when there is no such
 * campaign. What this release cannot read is left out, which the audit reports as a gap.
 */
export async function campaignHistory(
  deps: HistoryDeps,
  campaignId: CampaignId,
): Promise<readonly AuditedEvent[]> {
  const events = [...(await readStream(deps, campaignStream(campaignId)))];
  const calls = dialledCalls(events);
  for (let from = 0; from < calls.length; from += STREAMS_AT_ONCE) {
    const some = calls.slice(from, from + STREAMS_AT_ONCE);
    const streams = await Promise.all(some.map((callId) => readStream(deps, callStream(callId))));
    for (const stream of streams) events.push(...stream);
  }
  return events.toSorted((a, b) => deps.eventStore.comparePositions(a.position, b.position));
}

function dialledCalls(events: readonly AuditedEvent[]): readonly CallId[] {
  const calls = events.flatMap(({ event }) => (event.type === "ContactDialed" ? [event.data.callId] : []));
  return [...new Set(calls)];
}

async function readStream(deps: HistoryDeps, stream: StreamName): Promise<readonly AuditedEvent[]> {
  const events: AuditedEvent[] = [];
  for (let from = 0; ; from += PAGE) {
    const page = await readPage(deps.eventStore, stream, from);
    for (const stored of page) {
      const decoded = deps.codec.decode(stored);
      if (decoded.kind === "event") events.push(decoded.recorded);
    }
    if (page.length < PAGE) return events;
  }
}

async function readPage(eventStore: EventStore, stream: StreamName, from: number) {
  try {
    return await eventStore.read(stream, { from, max: PAGE });
  } catch (error) {
    if (isEventStoreFailure(error, "not_found")) return [];
    throw error;
  }
}
