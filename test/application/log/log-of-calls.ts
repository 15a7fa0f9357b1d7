import type { EventStore } from "../../../application/ports/event-store.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { createTestCodec, eventsToAppend } from "../../../simulation/memory/subject-keys.ts";

export const codec = createTestCodec();

/** Appends `count` events to a stream of its own (from `revision` on) and answers the last position. */
export async function appendBegins(log: EventStore, call: string, count: number, from = 0): Promise<string> {
  const callId = `call_${call}` as const;
  const events = Array.from(
    { length: count },
    (_, index): CallEvent => ({
      type: "CallDialingBegan",
      data: { callId, at: `2026-09-01T10:00:00.${String((from + index) % 1_000).padStart(3, "0")}Z` },
    }),
  );
  const stored = await eventsToAppend(codec, "usr_1", events);
  const { position } = await log.append(`call-${callId}`, from === 0 ? "no_stream" : from - 1, stored);
  return position;
}
