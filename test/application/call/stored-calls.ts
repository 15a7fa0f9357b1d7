import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { createMemoryEventStore } from "../../../simulation/memory/event-store.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { createTestCodec, eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { callRequest } from "../../projections/example-events.ts";
import { movingClock } from "../../support/moving-clock.ts";

export const AT = "2026-09-01T10:00:00.000Z";

/** Calls of usr_1 in a log in memory, and what was warned of. */
export function storedCalls() {
  const clock = movingClock();
  const codec = createTestCodec();
  const eventStore = createMemoryEventStore(clock);
  const told: unknown[] = [];
  return {
    clock,
    codec,
    eventStore,
    told,
    logger: { ...silentLogger, warn: (...line: unknown[]) => void told.push(line) },
    store: async (id: CallId, ...events: readonly CallEvent[]) =>
      eventStore.append(`call-${id}`, "no_stream", await eventsToAppend(codec, "usr_1", events)),
  };
}

export function singleRequest(id: CallId) {
  return callRequest({ callId: id, owner: "usr_1", campaignId: null, contactId: null, attempt: 1, at: AT });
}
