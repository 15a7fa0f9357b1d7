import { randomUUID } from "node:crypto";
import type { EventStoreDbLog } from "./log.ts";

const DATA = Buffer.from("{}");
/** What stands in one stream of somebody else's. */
const STREAM_LENGTH = 1_000;

/**
 * Events of somebody else on the same node (or of nobody knows what type, under a prefix of ours);
 * repeated, into other streams.
 */
export function addForeignEvents(log: EventStoreDbLog, count: number, prefix = "somebody-else-"): void {
  const somebody = `${prefix}${randomUUID()}`;
  const event = () => ({
    id: randomUUID(),
    type: "T",
    contentType: "application/json",
    data: DATA,
    metadata: DATA,
  });
  for (let added = 0; added < count; added += STREAM_LENGTH) {
    const events = Array.from({ length: Math.min(STREAM_LENGTH, count - added) }, event);
    log.append(`${somebody}-${added}`, "no_stream", events);
  }
}
