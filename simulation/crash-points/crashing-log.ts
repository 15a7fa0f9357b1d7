import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { Around } from "./around.ts";

/**
 * Appends, named by the types of their events: `eventStore.append.CallRequested.before`. An append of several
 * types reaches the points of each.
 */
export function crashingEventStore<P extends EventStore>(port: P, around: Around): P {
  return {
    ...port,
    append: (stream, expected, events) =>
      [...new Set(events.map(({ type }) => type))].reduceRight(
        (work, type) => () => around(`eventStore.append.${type}`, work),
        () => port.append(stream, expected, events),
      )(),
  };
}

export function crashingCheckpoints<P extends Checkpoints>(port: P, around: Around): P {
  return {
    ...port,
    save: (processor, checkpoint) => around("checkpoints.save", () => port.save(processor, checkpoint)),
  };
}
