import { randomUUID } from "node:crypto";
import type { EventToAppend } from "../../../application/ports/event-store.ts";
import type { AppendRequest } from "../../../infrastructure/log/postgres/requests.ts";

export function eventToAppend(): EventToAppend {
  const data = { text: "Grüße \u{1F600}", nothing: null, list: [1.5, -0.25, 1e21], deep: { b: 2, a: 1 } };
  const correlationId = randomUUID();
  return {
    id: randomUUID().toUpperCase(),
    type: "Told",
    data,
    metadata: { owner: "own_1", actor: "test", correlationId, causationId: null, schemaVersion: 1 },
  };
}

/** As a caller's append stands in the group writer; nobody hears of its end. */
export function appendRequest(stream: string, count: number): AppendRequest {
  const events = Array.from({ length: count }, eventToAppend);
  const json = events.map(({ data, metadata }) => ({
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  }));
  return { stream, expected: "no_stream", events, json, resolve: () => undefined, reject: () => undefined };
}
