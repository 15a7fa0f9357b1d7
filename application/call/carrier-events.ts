import { isLineOfEndedCall } from "../../domain/call/carrier-rules.ts";
import type { CallCommand, CarrierFact } from "../../domain/call/commands.ts";
import type { Of } from "../../domain/shared/decider.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Calls } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import type { CarrierEvent, CarrierEventSink } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { askToHangUp } from "./call-ending.ts";
import { processOrigin } from "./call-origin.ts";
import { carrierOf, dialledCall } from "./carrier-call.ts";

export type CarrierEventsDeps = {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly carriers: Pick<Carriers, "dialledOn">;
};

/**
 * Makes a command of everything the carrier tells. Resolves once it is durable, known not to matter, or refused for good: told again it would be
 * refused again. Nothing waits for an event that may be missing.
 *
 * Events of a call that come one right after the other are queued behind each other without waiting for the disk: they are decided in the order in
 * which they came, and appended together.
 */
export function createCarrierEventSink(deps: CarrierEventsDeps): CarrierEventSink {
  /** Of each call the event that came last, while it is on its way into the log: resolves when its command stands in the call's queue. */
  const lines = new Map<CallId, Promise<OwnerId | null>>();

  return async (event) => {
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

/** null: there is no such call, also not since it was read last. */
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
  // Most rings were told by the carrier's reply to the dial before; whatever rings or rang, does so or did so for good.
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

/** Told of a line that somebody holds. */
const LINE_IS_UP: ReadonlySet<CarrierEvent["type"]> = new Set(["accepted", "ringing", "answered"]);

/** The line of a call that is over is nobody's any more. */
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
