import { type CarrierFact, isLineOfEndedCall } from "../../domain/call/carrier-rules.ts";
import type { CallCommand } from "../../domain/call/decider.ts";
import type { Of } from "../../domain/shared/decider.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { storable } from "../../domain/shared/storable-text.ts";
import type { Calls } from "../log/aggregates.ts";
import { processOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { CarrierEvent, CarrierEventSink } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { askToHangUp } from "./call-ending.ts";
import { carrierOf, dialledCall } from "./carrier-call.ts";

export type CarrierEventsDeps = {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly carriers: Pick<Carriers, "dialledOn">;
};

/**
 * Makes a command of each carrier event. Resolves once the event is durable, known to be irrelevant, or
 * refused for good (a repeat would be refused again). No event waits for another one that may be missing.
 *
 * Events of a call that come shortly after each other are queued without waiting for the disk: they are
 * decided in their order and appended together.
 */
export function createCarrierEventSink(deps: CarrierEventsDeps): CarrierEventSink {
  /**
   * The last event of each call that is being processed; resolves when its command is in the call's queue.
   */
  const lines = new Map<CallId, Promise<OwnerId | null>>();

  return async (reported) => {
    const event = storableEvent(reported);
    const { callId } = event;
    const before = lines.get(callId) ?? ownerOf(deps.calls, callId);
    const { promise: submitted, resolve, reject } = Promise.withResolvers<OwnerId | null>();
    submitted.catch(() => undefined);
    lines.set(callId, submitted);
    try {
      const owner = await before;
      await store(deps, event, owner, () => resolve(owner));
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      if (lines.get(callId) === submitted) lines.delete(callId);
    }
  };
}

/** The one place where what carriers say is made storable; a number that no log reads back is none. */
function storableEvent(reported: CarrierEvent): CarrierEvent {
  const event = storable(reported);
  return Number.isSafeInteger(event.sequence) ? event : { ...event, sequence: 0 };
}

/** null: the call does not exist, also after reading again. */
async function ownerOf(calls: Calls, callId: CallId): Promise<OwnerId | null> {
  const stream = callStream(callId);
  const known = await calls.query(stream, ({ owner }) => owner);
  return known ?? (await calls.query(stream, ({ owner }) => owner, { fresh: true }));
}

async function store(
  deps: CarrierEventsDeps,
  event: CarrierEvent,
  owner: OwnerId | null,
  onSubmitted: () => void,
): Promise<void> {
  if (owner === null) {
    onSubmitted();
    deps.logger.warn({ callId: event.callId, type: event.type }, "carrier event of an unknown call");
    return;
  }
  const origin = processOrigin("carrier-events", owner, event.callId, event.dedupeKey);
  const fact = factOf(event, deps.clock.now());
  // Most rings were reported before by the reply to the dial. Once a call rings, or a recording
  // exists, that stays true.
  const lasting = event.type === "ringing" || event.type === "accepted";
  const handled = deps.calls.handle(callStream(event.callId), [commandOf(event, fact)], origin, { lasting });
  onSubmitted();
  try {
    await handled;
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    deps.logger.error({ callId: event.callId, type: event.type, error }, "carrier event refused for good");
  }
  if (LINE_IS_UP.has(event.type)) await letGoOfEndedCall(deps, event, fact);
}

/** Events of a line that is up. */
const LINE_IS_UP: ReadonlySet<CarrierEvent["type"]> = new Set(["accepted", "ringing", "answered"]);

/** Hangs up the line of a call that has ended. */
async function letGoOfEndedCall(
  deps: CarrierEventsDeps,
  { callId, carrierRef, type }: CarrierEvent,
  fact: CarrierFact,
): Promise<void> {
  const line = await deps.calls.query(callStream(callId), (state) =>
    isLineOfEndedCall(fact, state) ? dialledCall(callId, state) : null,
  );
  if (line === null) return;
  deps.logger.warn(
    { callId, carrierRef, type },
    "line of a call that is over; the carrier is asked to hang up",
  );
  void askToHangUp(deps, await carrierOf(deps.carriers, line), { ...line.call, carrierRef });
}

function factOf(event: CarrierEvent, now: Instant): CarrierFact {
  const { carrierRef, sequence, occurredAt, dedupeKey } = event;
  return { carrierRef, sequence, occurredAt, now, dedupeKey };
}

function commandOf(event: CarrierEvent, fact: CarrierFact): CallCommand {
  switch (event.type) {
    case "accepted":
    case "ringing":
      return { type: "RecordRinging", ...fact };
    case "answered":
      return { type: "RecordAnswered", answeredBy: event.answeredBy, ...fact };
    case "conversation_started":
      return { type: "RecordConversationStarted", ...fact };
    case "message":
      return { type: "AddMessage", message: messageOf(event), ...fact };
    case "machine_judged":
      return {
        type: "RecordMachineJudged",
        by: "carrier",
        policyApplied: null,
        ...verdictOf(event),
        ...fact,
      };
    case "recording":
      return {
        type: "RecordRecording",
        status: event.status,
        recordingRef: event.recordingRef,
        ...fact,
      };
    case "ended":
      return { type: "RecordEnded", ...endOf(event), ...fact };
  }
}

function messageOf(event: Of<CarrierEvent, "message">) {
  const { role, assistantId, content, toolId, toolName, result, isError } = event;
  return {
    role,
    assistantId,
    content,
    ...(toolId === undefined ? {} : { toolId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(event.arguments === undefined ? {} : { arguments: event.arguments }),
    ...(result === undefined ? {} : { result }),
    ...(isError === undefined ? {} : { isError }),
  };
}

function verdictOf({ answeredBy, greetingEnded }: Of<CarrierEvent, "machine_judged">) {
  return { answeredBy, greetingEnded };
}

function endOf(event: Of<CarrierEvent, "ended">) {
  const { endReason, endedBy, answeredAt, answeredBy, recordingExpected, carrierCode } = event;
  const error = carrierCode === null ? null : { code: endReason, message: endReason, carrierCode };
  return { endReason, endedBy, answeredAt, answeredBy, recordingExpected, error };
}
