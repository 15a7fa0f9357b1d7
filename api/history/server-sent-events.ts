import type { Position } from "../../application/ports/event-store.ts";
import type { OwnerEventsFilter } from "../../application/ports/queries/history-records.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { ApiDeps } from "../deps.ts";
import type { OpenStream, StreamEndReason } from "../open-streams.ts";
import { positionText } from "../positions.ts";

/** A comment line, so that no proxy closes a quiet connection. */
const HEARTBEAT_MILLIS = 15_000;

/**
 * Server-sent events: past events, then live ones. The id of each is its position, so Last-Event-ID continues
 * after it. The first line is the id after which the stream begins, also if no event follows. A stream that
 * the service ends closes with the reason, without an id.
 */
export async function* eventStream(
  { queries, clock, lineOf }: Pick<ApiDeps, "queries" | "clock"> & { readonly lineOf: EventLine },
  owner: OwnerId,
  filter: OwnerEventsFilter,
  after: Position,
  clientLeft: AbortSignal,
  stream: OpenStream,
): AsyncGenerator<string, void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([clientLeft, stop.signal, stream.ended]);
  const batches = queries.followOwnerEvents(owner, filter, { after, signal })[Symbol.asyncIterator]();
  yield `: connected\nid: ${positionText(after)}\n\n`;
  try {
    let next = batches.next();
    while (!signal.aborted) {
      const batch = await within(clock, HEARTBEAT_MILLIS, signal, next);
      if (signal.aborted) break;
      if (batch === null) {
        yield ": still here\n\n";
        continue;
      }
      if (batch.done === true) break;
      yield batch.value.map(lineOf).join("");
      next = batches.next();
    }
    const reason = stream.endReason();
    if (reason !== null) yield closingLine(reason);
  } finally {
    stop.abort();
    // While it returns events nobody reads, it does not see the signal.
    batches.return?.().catch(() => undefined);
  }
}

/** null: it did not come in time, or the signal came first. */
async function within<Value>(
  clock: ApiDeps["clock"],
  millis: number,
  signal: AbortSignal,
  value: Promise<Value>,
): Promise<Value | null> {
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener("abort", end);
  try {
    return await Promise.race([value, clock.sleep(millis, over.signal).then(() => null)]);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

export type EventLine = (event: HistoryRecord) => string;

/** Followers share the events; the text of each is made once for all of them. */
export function eventLines(): EventLine {
  const lines = new WeakMap<HistoryRecord, string>();
  return (event) => {
    const line = lines.get(event) ?? textOf(event);
    lines.set(event, line);
    return line;
  };
}

function textOf(event: HistoryRecord): string {
  return `id: ${positionText(event.position)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function closingLine(reason: StreamEndReason): string {
  return `event: closing\ndata: ${JSON.stringify({ reason })}\n\n`;
}
