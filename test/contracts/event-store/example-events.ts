import { randomUUID } from "node:crypto";
import type { EventMetadata, EventToAppend, StoredEvent } from "../../../application/ports/event-store.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

export const exampleMetadata: EventMetadata = {
  correlationId: "0b7d5b1e-3b0c-4a44-8f0a-5a6a1f6f0001",
  causationId: null,
  actor: "process:contract",
  owner: "usr_contract",
  schemaVersion: 1,
};

export function exampleEvent(changes: Partial<EventToAppend> = {}): EventToAppend {
  return { id: randomUUID(), type: "Example", data: { n: 0 }, metadata: exampleMetadata, ...changes };
}

/** `count` events whose data numbers them from `first`. */
export function exampleEvents(count: number, first = 0): EventToAppend[] {
  return Array.from({ length: count }, (_, index) => exampleEvent({ data: { n: first + index } }));
}

export function freshStream(category = "call"): string {
  return `${category}-${randomUUID()}`;
}

export function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}

/** What the writer gave, of what the log has. */
export function givenPart({ id, type, data, metadata }: StoredEvent): EventToAppend {
  return { id, type, data, metadata };
}

/** Lets a value through that the types forbid: a caller without types, or a cast, can bring it. */
export function smuggled(data: unknown): JsonObject {
  return data as JsonObject;
}
