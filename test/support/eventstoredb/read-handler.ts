import * as errors from "./errors.ts";
import type { FaultState } from "./faults.ts";
import type { EventStoreDbLog } from "./log.ts";
import { type Outgoing, openOutgoing, type ReadCall } from "./outgoing.ts";
import { indexOfPosition } from "./positions.ts";
import { parseReadRequest, type ReadRequest } from "./read-request.ts";
import type { LogRecord } from "./records.ts";
import { refusalBefore } from "./refusals.ts";
import { eventResponse, streamNotFoundResponse } from "./responses.ts";
import { serveSubscription } from "./subscription.ts";

/** Streams.Read: reads and subscriptions, of one stream and of the whole log. */
export function handleRead(state: FaultState, log: EventStoreDbLog, port: () => number, onSent: () => void) {
  return (call: ReadCall): void => {
    const request = parseReadRequest(call.request);
    const fault = state.takeReadFault(request.subscription ? "subscription" : "read");
    const outgoing = openOutgoing(call, state, { fault, subscription: request.subscription, onSent });
    if (fault === "no_answer") return;
    const refusal = typeof fault === "string" ? refusalBefore(fault, port()) : undefined;
    if (refusal !== undefined) outgoing.fail(refusal);
    else if (request.subscription) void serveSubscription(log, request, outgoing);
    else void serveRead(log, request, outgoing);
  };
}

async function serveRead(log: EventStoreDbLog, request: ReadRequest, outgoing: Outgoing): Promise<void> {
  const { source } = request;
  if (source.kind === "all") {
    const start = startInAll(log, request);
    return start === "invalid"
      ? outgoing.fail(errors.invalidPosition())
      : sendFrom(log.records, start, request, outgoing);
  }
  const stream = log.stream(source.name);
  if (stream?.tombstoned === true) return outgoing.fail(errors.streamDeleted(source.name));
  if (stream === undefined || stream.deleted || stream.records.length === 0) {
    await outgoing.send(streamNotFoundResponse(source.name));
    return outgoing.finish();
  }
  const readable = stream.records.filter((record) => record.revision >= stream.truncateBefore);
  return sendFrom(readable, startInStream(readable, request), request, outgoing);
}

async function sendFrom(
  records: readonly LogRecord[],
  start: number,
  request: ReadRequest,
  outgoing: Outgoing,
): Promise<void> {
  const step = request.backward ? -1 : 1;
  const end = records.length; // a read ends at what was there when it began
  let sent = 0;
  for (let index = start; index >= 0 && index < end && sent < request.count; index += step) {
    const record = records[index];
    if (record === undefined || !(await outgoing.send(eventResponse(record)))) return;
    sent += 1;
  }
  outgoing.finish();
}

function startInStream(readable: readonly LogRecord[], request: ReadRequest): number {
  if (request.from === "start") return request.backward ? -1 : 0;
  if (request.from === "end") return request.backward ? readable.length - 1 : readable.length;
  const from = request.from;
  return request.backward
    ? readable.findLastIndex((record) => record.revision <= from)
    : indexOrEnd(readable, (record) => record.revision >= from);
}

/** Forward includes the event at the position, backward starts below it. */
function startInAll(log: EventStoreDbLog, request: ReadRequest): number | "invalid" {
  if (request.from === "start") return request.backward ? -1 : 0;
  if (request.from === "end") return request.backward ? log.records.length - 1 : log.records.length;
  const index = indexOfPosition(log, request.from);
  if (index === "invalid") return index;
  return request.backward ? index - 1 : index;
}

function indexOrEnd(records: readonly LogRecord[], test: (record: LogRecord) => boolean): number {
  const index = records.findIndex(test);
  return index === -1 ? records.length : index;
}
