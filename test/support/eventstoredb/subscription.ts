import * as errors from "./errors.ts";
import type { EventStoreDbLog } from "./log.ts";
import type { Outgoing } from "./outgoing.ts";
import { indexOfPosition } from "./positions.ts";
import type { ReadRequest } from "./read-request.ts";
import type { LogRecord } from "./records.ts";
import { caughtUpResponse, checkpointResponse, confirmationResponse, eventResponse } from "./responses.ts";

/**
 * Servers before 24.2 buffer this many live events for a subscriber and end the subscription
 * at one more (fact 6).
 */
export const LIVE_BUFFER = 32;

/** Confirmation, history, caught up, live. */
export async function serveSubscription(
  log: EventStoreDbLog,
  request: ReadRequest,
  outgoing: Outgoing,
): Promise<void> {
  const source = openSource(log, request);
  if (source.kind === "refused") return outgoing.fail(source.error);
  if (!(await outgoing.send(confirmationResponse(crypto.randomUUID())))) return;
  const checkpoints = checkpointCounter(request);
  const deliver = async (record: LogRecord): Promise<boolean> => {
    if (source.wanted(record) && !(await outgoing.send(eventResponse(record)))) return false;
    return !checkpoints.due() || outgoing.send(checkpointResponse(record.position));
  };
  let index = source.start;
  for (; index < source.records.length; index += 1) {
    const record = source.records[index];
    if (record === undefined || !(await deliver(record))) return;
  }
  const live = openLiveBuffer(log, source.belongs, outgoing); // no await since the end was seen: no gap
  if (source.exists() && !(await outgoing.send(caughtUpResponse()))) return;
  let announced = source.exists();
  for (let record = await live.next(); record !== undefined; record = await live.next()) {
    if (!(await deliver(record))) return;
    if (!announced && !(await outgoing.send(caughtUpResponse()))) return;
    announced = true;
  }
}

type Source =
  | { readonly kind: "refused"; readonly error: ReturnType<typeof errors.invalidPosition> }
  | {
      readonly kind: "open";
      readonly records: readonly LogRecord[];
      readonly start: number;
      readonly belongs: (record: LogRecord) => boolean;
      readonly wanted: (record: LogRecord) => boolean;
      /**
       * A subscription from the start of a missing stream is not told that it caught up before its
       * first event (fact 7).
       */
      readonly exists: () => boolean;
    };

function openSource(log: EventStoreDbLog, request: ReadRequest): Source {
  const { source, from, filter } = request;
  if (source.kind === "stream") return openStream(log, source.name, from);
  const always = (): boolean => true;
  const start = startInAll(log, from);
  if (start === "invalid") return { kind: "refused", error: errors.invalidPosition() };
  return {
    kind: "open",
    records: log.records,
    start,
    belongs: always,
    wanted: filter?.matches ?? always,
    exists: always,
  };
}

function openStream(log: EventStoreDbLog, name: string, from: ReadRequest["from"]): Source {
  const state = log.stream(name);
  if (state?.tombstoned === true) return { kind: "refused", error: errors.streamDeleted(name) };
  const records = state?.records ?? [];
  const start = typeof from === "bigint" ? Number(from) + 1 : from === "start" ? 0 : records.length;
  const readable = (record: LogRecord): boolean =>
    record.revision >= (log.stream(name)?.truncateBefore ?? 0n);
  const exists = (): boolean => from !== "start" || log.stream(name) !== undefined;
  return {
    kind: "open",
    records,
    start,
    belongs: (record) => record.stream === name,
    wanted: readable,
    exists,
  };
}

function startInAll(log: EventStoreDbLog, from: ReadRequest["from"]): number | "invalid" {
  if (from === "start") return 0;
  if (from === "end") return log.records.length;
  const index = indexOfPosition(log, from);
  return index === "invalid" ? index : Math.min(index + 1, log.records.length);
}

function checkpointCounter(request: ReadRequest): { due(): boolean } {
  const every = request.filter?.checkpointEvery;
  let seen = 0;
  return {
    due() {
      if (every === undefined) return false;
      seen += 1;
      if (seen < every) return false;
      seen = 0;
      return true;
    },
  };
}

/** Ended by one event too many, it still hands out what it holds before the refusal. */
function openLiveBuffer(log: EventStoreDbLog, belongs: (record: LogRecord) => boolean, outgoing: Outgoing) {
  const buffer: LogRecord[] = [];
  let overflown = false;
  let wake: (() => void) | undefined;
  const stop = log.onCommitted((record) => {
    if (!belongs(record) || overflown) return;
    if (buffer.length >= LIVE_BUFFER) overflown = true;
    else buffer.push(record);
    wake?.();
  });
  outgoing.onOver(() => {
    stop();
    wake?.();
  });
  return {
    async next(): Promise<LogRecord | undefined> {
      while (buffer.length === 0 && !overflown && !outgoing.over) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const record = outgoing.over ? undefined : buffer.shift();
      if (record === undefined && overflown) outgoing.fail(errors.consumerTooSlow());
      return record;
    },
  };
}
