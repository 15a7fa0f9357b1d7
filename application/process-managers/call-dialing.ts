import type { CallCommand } from "../../domain/call/commands.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import type { Calls } from "../aggregates.ts";
import type { EventOrigin } from "../append-events.ts";
import type { CarrierHealth } from "../carrier-health.ts";
import type { Handled } from "../command-queue.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { Logger } from "../ports/logger.ts";
import type { PlaceCallResult, Telephony } from "../ports/telephony.ts";
import { callStream } from "../stream-names.ts";

/** Nothing is sent later than this after the append of CallDialingBegan was started (architecture.md §3.4). */
const SEND_LIMIT_MILLIS = 5_000;

export type CallDialingDeps = {
  readonly calls: Calls;
  readonly telephony: Telephony;
  readonly carrierHealth: CarrierHealth;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly logger: Logger;
};

export type BegunCall = {
  /** What was appended just now. */
  readonly handled: Handled<CallEvent>;
  /** Resolves when the carrier's reply is recorded; at once when this process did not begin the dial. Never rejects: what fails is left to the watchdog. */
  readonly handedOver: Promise<void>;
};

export type CallDialing = {
  /** Appends CallRequested alone: the call waits for its pace. */
  readonly store: (request: CallRequested["data"], origin: EventOrigin) => Promise<void>;
  /**
   * Writes ahead, then places the call, when it was this append that began the dial. `expectNew`: CallRequested and CallDialingBegan are one
   * append at no_stream. A call past its dialBy, or suppressed, fails instead and nothing is sent.
   */
  readonly begin: (
    request: CallRequested["data"],
    origin: EventOrigin,
    options: { readonly expectNew: boolean; readonly suppressed: boolean },
  ) => Promise<BegunCall>;
};

export function createCallDialing(deps: CallDialingDeps): CallDialing {
  const { calls, clock } = deps;
  return {
    store: async (request, origin) => {
      const start: CallCommand = { type: "StartCall", request };
      await calls.handle(callStream(request.callId), [start], origin, { expectNew: true });
    },
    begin: async (request, origin, { expectNew, suppressed }) => {
      // A process may stand still between the write-ahead and the dial: nothing is sent after dialBy either.
      const left = millisOf(request.dialBy) - clock.nowMillis();
      const sendBy = clock.monotonicMillis() + Math.min(SEND_LIMIT_MILLIS, left);
      const commands: CallCommand[] = [
        { type: "StartCall", request },
        { type: "BeginDialing", now: clock.now(), suppressed },
      ];
      const handled = await calls.handle(callStream(request.callId), commands, origin, { expectNew });
      const began = handled.events.some((event) => event.type === "CallDialingBegan");
      const handedOver = began ? place(deps, request, origin, sendBy) : Promise.resolve();
      return { handled, handedOver };
    },
  };
}

async function place(
  deps: CallDialingDeps,
  request: CallRequested["data"],
  origin: EventOrigin,
  sendBy: number,
): Promise<void> {
  const { callId } = request;
  try {
    await deps.crashPoints.reached("before place call");
    const result = await deps.telephony.placeCall(
      {
        callId,
        from: request.from,
        to: request.to,
        ringTimeoutSeconds: request.ringTimeoutSeconds,
        maxDurationSeconds: request.maxDurationSeconds,
        greeting: request.greetingMessage,
        instructions: request.specialInstructions,
        voicemailPolicy: request.voicemailPolicy,
        voicemailMessage: request.voicemailMessage,
        assistant: request.assistant,
        squad: request.squad,
      },
      sendBy,
    );
    await deps.crashPoints.reached("after place call");
    deps.carrierHealth.sawDial(result);
    const reply = replyCommand(result, deps.clock);
    const by = { ...origin, actor: "process:call-dialing" };
    const lasting = result.kind === "accepted"; // the carrier's own event may have told it already
    await deps.calls.handle(callStream(callId), [reply], by, { lasting });
    logReply(deps.logger, callId, result);
  } catch (error) {
    deps.logger.error({ callId, error }, "hand-over not recorded; the watchdog looks the call up");
  }
}

function replyCommand(result: PlaceCallResult, clock: Clock): CallCommand {
  const now = clock.now();
  switch (result.kind) {
    case "accepted":
      return { type: "RecordAccepted", carrierRef: result.carrierRef, now };
    case "rejected": {
      const { endReason, carrierCode, message } = result;
      return { type: "RecordRejected", endReason, error: { code: endReason, message, carrierCode }, now };
    }
    case "unknown":
      return { type: "RecordUnknownOutcome", cause: result.cause, now };
  }
}

function logReply(logger: Logger, callId: CallId, result: PlaceCallResult): void {
  if (result.kind === "accepted") logger.debug({ callId }, "call handed over");
  else if (result.kind === "rejected") logger.info({ callId, endReason: result.endReason }, "call rejected");
  else logger.warn({ callId, cause: result.cause }, "outcome of the dial unknown");
}
