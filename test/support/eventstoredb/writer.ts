import { setTimeout as delay } from "node:timers/promises";
import { repeatOf } from "./append-decision.ts";
import { MAX_APPEND_DATA_BYTES } from "./errors.ts";
import type { FaultState } from "./faults.ts";
import type { EventStoreDbLog } from "./log.ts";
import type { AppendOutcome, Expected, ProposedEvent } from "./records.ts";
import { createNodePace, type NodeSpeed } from "./slow-node.ts";

export type AppendRequest = {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly ProposedEvent[];
};

export type WriteAnswer =
  | AppendOutcome
  | { readonly kind: "too_large" }
  | { readonly kind: "bad_request" }
  /** A duplicate whose original is in flight: the node answers it with its commit timeout. */
  | { readonly kind: "timed_out" };

/**
 * The one writer of the node: an append is in flight for `commitDelayMs` and while commits are held; then
 * they are stored in the order of arrival.
 */
export interface Writer {
  write(request: AppendRequest): Promise<WriteAnswer>;
  /** The node died: what is in flight is neither stored nor answered. */
  abandon(): void;
}

export type WriterOptions = {
  readonly commitDelayMs: number;
  readonly commitTimeoutMs: number;
  readonly speed: NodeSpeed;
  /** An append that was stored, or is in flight, came again. */
  readonly onRepeated: () => void;
};

export function createWriter(log: EventStoreDbLog, state: FaultState, options: WriterOptions): Writer {
  const inFlight = new Map<string, number>();
  const pace = createNodePace(options.speed);
  let generation = 0;

  const duplicate = async (request: AppendRequest): Promise<WriteAnswer> => {
    if (state.duplicateAnswer() === "wrong_version") {
      return {
        kind: "wrong_expected_version",
        expected: request.expected,
        actual: lastOf(log, request.stream),
      };
    }
    await delay(options.commitTimeoutMs);
    return { kind: "timed_out" };
  };

  return {
    async write(request) {
      if (request.events.some((event) => event.type === "")) return { kind: "bad_request" };
      if (sizeOf(request.events) > MAX_APPEND_DATA_BYTES) return { kind: "too_large" };
      const key = `${request.stream} ${request.events.map((event) => event.id).join(" ")}`;
      const first = !inFlight.has(key);
      const stored = isStored(log, request);
      if (request.events.length > 0 && (!first || stored)) options.onRepeated();
      if (!first && request.events.length > 0 && !stored) return duplicate(request);
      inFlight.set(key, generation);
      const born = generation;
      await pace(request.events.length);
      await flush(options.commitDelayMs);
      await state.committing();
      if (inFlight.get(key) === born) inFlight.delete(key);
      return born === generation
        ? log.append(request.stream, request.expected, request.events)
        : { kind: "no_answer" };
    },
    abandon() {
      generation += 1;
      inFlight.clear();
      log.forgetIdsOfAny();
    },
  };
}

/** What is stored already is answered at once, however many ask for it at the same moment. */
function isStored(log: EventStoreDbLog, { stream, expected, events }: AppendRequest): boolean {
  if (expected === "any" || expected === "stream_exists") return false;
  const at = expected === "no_stream" ? -1n : expected;
  return repeatOf(log.stream(stream)?.records ?? [], at, events) !== undefined;
}

function sizeOf(events: readonly ProposedEvent[]): number {
  return events.reduce((sum, event) => sum + event.data.length, 0);
}

function lastOf(log: EventStoreDbLog, stream: string): bigint | null {
  return log.stream(stream)?.records.at(-1)?.revision ?? null;
}

async function flush(millis: number): Promise<void> {
  if (millis === 0) await new Promise((resolve) => setImmediate(resolve));
  else await delay(millis);
}
