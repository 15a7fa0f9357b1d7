import type { EventStore, EventToAppend } from "../../application/ports/event-store.ts";
import type { Metrics } from "../../application/ports/metrics.ts";
import { END_REASONS, isEndReason } from "../../domain/call/end-reason.ts";

/**
 * Counts what this process has made durable: each dial and each end once, whichever code path appended it. An
 * append with an outcome that stays unknown is not counted, so after a crash of the database the counters may
 * be a little low, never too high.
 */
export function countedEventStore(eventStore: EventStore, metrics: Metrics): EventStore {
  for (const reason of Object.keys(END_REASONS))
    metrics.count("ringfold_calls_ended_total", { end_reason: reason }, 0);
  return {
    ...eventStore,
    append: async (stream, expected, events) => {
      const appended = await eventStore.append(stream, expected, events);
      for (const event of events) count(metrics, event);
      return appended;
    },
  };
}

function count(metrics: Metrics, { type, data }: EventToAppend): void {
  if (type === "CallDialingBegan") metrics.count("ringfold_dials_total", {});
  if (type !== "CallCompleted" && type !== "CallFailed") return;
  const reason = String(data["endReason"]);
  if (isEndReason(reason)) metrics.count("ringfold_calls_ended_total", { end_reason: reason });
}
