import type { Position } from "../../../application/ports/event-store.ts";
import type { Connection } from "./connection.ts";
import { unavailable } from "./failures.ts";
import { comparePositions, encodePosition } from "./positions.ts";
import { isOurs } from "./stored-event.ts";
import { openSubscriptionSource, type SubscriptionSourceOptions } from "./subscription-source.ts";

/** `end`: where it stopped, or how far the server has read. */
export type PassedOver = { readonly end: Position; readonly stopped: boolean };

/**
 * Reads forward to the present, or to our event for which `onEvent` returns "stop"; the server filters
 * foreign events. Rejects when it is aborted.
 */
export async function passOver(
  connection: Connection,
  run: SubscriptionSourceOptions,
  onEvent: (at: Position) => "go_on" | "stop",
): Promise<PassedOver> {
  const source = openSubscriptionSource(connection, run);
  let end = run.after;
  try {
    while (!run.signal.aborted) {
      const event = source.take()?.event;
      const mark = source.passedMark();
      if (mark !== undefined && comparePositions(mark, end) > 0) end = mark;
      if (event?.position !== undefined) {
        end = encodePosition(event.position);
        if (isOurs(connection.prefix, event) && onEvent(end) === "stop") return { end, stopped: true };
      } else if (source.live()) return { end, stopped: false };
      else if (source.failure() !== undefined) throw source.failure();
      else await source.changed();
    }
  } finally {
    source.close();
  }
  throw unavailable("closed");
}
