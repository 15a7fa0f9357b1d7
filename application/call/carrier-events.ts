import { overtakes } from "../../domain/call/carrier-rules.ts";
import type { CallCommand, CarrierFact } from "../../domain/call/commands.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Calls } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { Logger } from "../ports/logger.ts";
import type { CarrierEvent, CarrierEventSink } from "../ports/telephony.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { processOrigin } from "./call-origin.ts";

/** An event that overtakes others waits so long for them; what is missing then is skipped (docs/api.md §4). */
const HOLD_MILLIS = 3_000;
/** The missing one may land in another process: the stream is read again at this distance. */
const READ_AGAIN_MILLIS = 250;

export type CarrierEventsDeps = {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly logger: Logger;
};

/** The event of a call that came last, while it is on its way into the log. `submitted`: its command stands in the call's queue. */
type InLine = { readonly sequence: number; readonly submitted: Promise<OwnerId | null> };

/**
 * Makes a command of everything the carrier tells. Resolves once it is durable, known not to matter, or refused for good: told again it would be
 * refused again.
 *
 * Events that come one right after the other are queued behind each other without waiting for the disk: they are decided in order, and appended
 * together.
 */
export function createCarrierEventSink(deps: CarrierEventsDeps): CarrierEventSink {
  const held = new Map<CallId, Set<() => void>>();
  const lines = new Map<CallId, InLine>();
  const wakeHeld = (callId: CallId) => {
    for (const wake of held.get(callId) ?? []) wake();
  };

  return async (event) => {
    const { callId, sequence } = event;
    const before = lines.get(callId);
    const turn = before?.sequence === sequence - 1 ? before.submitted : whenItsTurn(deps, held, event);
    const { promise: submitted, resolve, reject } = Promise.withResolvers<OwnerId | null>();
    submitted.catch(() => undefined);
    const inLine: InLine = { sequence, submitted };
    lines.set(callId, inLine);
    try {
      const owner = await turn;
      await store(deps, event, owner, () => resolve(owner));
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      if (lines.get(callId) === inLine) lines.delete(callId);
    }
    wakeHeld(callId);
  };
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
  await deps.crashPoints.reached("before carrier event");
  const origin = processOrigin("carrier-events", owner, event.callId, event.dedupeKey);
  const command = commandOf(event, deps.clock.now());
  // Most rings were told by the carrier's reply to the dial before; whatever rings or rang, does so or did so for good.
  const lasting = event.type === "ringing";
  const handled = deps.calls.handle(callStream(event.callId), [command], origin, { lasting });
  onSubmitted();
  try {
    await handled;
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    deps.logger.error({ callId: event.callId, type: event.type, error }, "carrier event refused for good");
  }
  await deps.crashPoints.reached("after carrier event");
}

/** Waits for the events that this one has overtaken; answers the owner of the call, null when there is no such call. */
async function whenItsTurn(
  deps: CarrierEventsDeps,
  held: Map<CallId, Set<() => void>>,
  event: CarrierEvent,
): Promise<OwnerId | null> {
  const { calls, clock } = deps;
  const until = clock.monotonicMillis() + HOLD_MILLIS;
  const answered = event.type === "ended" && event.answeredAt !== null;
  let fresh = false;
  while (true) {
    const view = await calls.query(
      callStream(event.callId),
      (state) => ({ owner: state.owner, mustWait: overtakes(state, event.sequence, event.type, answered) }),
      { fresh },
    );
    if (view.owner === null && !fresh) {
      fresh = true;
      continue;
    }
    const left = until - clock.monotonicMillis();
    if (!view.mustWait || left <= 0) return view.owner;
    await nextEventOrMillis(clock, held, event.callId, Math.min(READ_AGAIN_MILLIS, left));
    fresh = true;
  }
}

async function nextEventOrMillis(
  clock: Clock,
  held: Map<CallId, Set<() => void>>,
  callId: CallId,
  millis: number,
): Promise<void> {
  const cut = new AbortController();
  const wake = () => cut.abort("woken");
  const waiting = held.get(callId) ?? new Set();
  held.set(callId, waiting.add(wake));
  await clock.sleep(millis, cut.signal);
  waiting.delete(wake);
  if (waiting.size === 0) held.delete(callId);
}

function commandOf(event: CarrierEvent, now: Instant): CallCommand {
  const { carrierRef, sequence, occurredAt } = event;
  const fact: CarrierFact = { carrierRef, sequence, occurredAt, now };
  switch (event.type) {
    case "ringing":
      return { type: "RecordRinging", ...fact };
    case "answered":
      return { type: "RecordAnswered", answeredBy: event.answeredBy, ...fact };
    case "conversation_started":
      return { type: "RecordConversationStarted", ...fact };
    case "message":
      return { type: "AddMessage", message: messageOf(event), ...fact };
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

function messageOf(event: Extract<CarrierEvent, { type: "message" }>) {
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

function endOf(event: Extract<CarrierEvent, { type: "ended" }>) {
  const { endReason, endedBy, answeredAt, answeredBy, recordingExpected, carrierCode } = event;
  const error = carrierCode === null ? null : { code: endReason, message: endReason, carrierCode };
  return { endReason, endedBy, answeredAt, answeredBy, recordingExpected, error };
}
