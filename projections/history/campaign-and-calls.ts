import { recordedEvents } from "../../application/log/recorded-events.ts";
import { callStream, campaignStream } from "../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { CallId, CampaignId } from "../../domain/shared/ids.ts";
import type { LogDeps } from "./stream-history.ts";

const READ_AT_ONCE = 16;

/** All events of a campaign and its calls in log order; the input of an audit. Completely in memory. */
export async function campaignAndCalls(deps: LogDeps, id: CampaignId): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const dialled = new Set<CallId>();
  for await (const recorded of recordedEvents(deps, campaignStream(id))) {
    events.push(recorded);
    if (recorded.event.type === "ContactDialed") dialled.add(recorded.event.data.callId);
  }
  const calls = [...dialled]; // each once, also if a manipulated history names one twice
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readCalls));
  return events.sort((a, b) => deps.eventStore.comparePositions(a.position, b.position));

  async function readCalls(): Promise<void> {
    for (let callId = calls.pop(); callId !== undefined; callId = calls.pop()) {
      for await (const recorded of recordedEvents(deps, callStream(callId))) events.push(recorded);
    }
  }
}
