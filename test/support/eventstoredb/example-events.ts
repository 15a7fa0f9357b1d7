import { randomUUID } from "node:crypto";
import type { EventToAppend } from "../../../application/ports/event-store.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

/** An event with a fresh id; every part may be given. */
export function exampleEvent(given: Partial<EventToAppend> = {}): EventToAppend {
  const metadata = {
    correlationId: "c-1",
    causationId: null,
    actor: "process:test",
    owner: "usr_1",
    schemaVersion: 1,
  };
  return { id: randomUUID(), type: "ExampleHappened", data: { n: 0 }, metadata, ...given };
}

export function exampleEvents(count: number): EventToAppend[] {
  return Array.from({ length: count }, (_, n) => exampleEvent({ data: { n } }));
}

/** Data whose JSON is exactly this many bytes long. */
export function dataOfBytes(bytes: number): JsonObject {
  return { x: "x".repeat(bytes - JSON.stringify({ x: "" }).length) };
}
