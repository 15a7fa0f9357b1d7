import type { CallRequested, CallStatus, PinnedSquad } from "../../domain/call/events.ts";
import { withoutPlaceholders } from "../../domain/campaign/personalisation.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { type Instant, millisOf, plusMillis } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { EventOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, type Refusal, refused } from "../outcome.ts";
import { type Grant, SHORT_TURN_MILLIS } from "../ports/admission.ts";
import type { AssistantVersion } from "../ports/directory.ts";
import { isRefusedPayload } from "../refused-for-good.ts";
import { DEFAULT_RING_TIMEOUT_SECONDS } from "../settings.ts";
import { squadToPin } from "../squad/squad-to-pin.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { withinLimit } from "../within-limit.ts";
import type { CallDialing } from "./call-dialing.ts";
import type { CarrierHealth } from "./carrier-health.ts";
import { leaveToNextProcess } from "./leave-to-next-process.ts";
import { pinAssistant, pinnedAssistant, pinPhoneNumber, pinSquad } from "./pin-configuration.ts";

/** The seed's body and `squadId`, checked for shape. Ids are whatever text the caller sent. */
export type OutboundCallRequest = {
  /** The id that the Idempotency-Key row holds; null without a key. A call that stands under it already is answered as it is now. */
  readonly reservedCallId: CallId | null;
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly squadId: string | null;
  readonly to: PhoneNumber;
  /** Taken as it is. null: the assistant's default greeting, without its placeholders. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: JsonObject;
};

export type OutboundCallAnswer = { readonly callId: CallId; readonly status: CallStatus };

/** The answer waits so long for the hand-over to the carrier, and so long for the pace of the plan. */
const HAND_OVER_LIMIT_MILLIS = 5_000;

type Pins = {
  readonly assistant: AssistantVersion;
  readonly squad: PinnedSquad | null;
  readonly from: {
    readonly phoneNumberId: CallRequested["data"]["phoneNumberId"];
    readonly phoneNumber: PhoneNumber;
  };
};

export type OutboundCallDeps = UseCaseDeps & {
  readonly carrierHealth: CarrierHealth;
  readonly dialing: CallDialing;
  /** The due loop is to look no later than then. */
  readonly lookAt: (at: Instant) => void;
};

/**
 * POST /calls/outbound (interface.md §4). The call is durable before anything is dialled; a crash after that leaves it to the watchdog, a crash
 * before it leaves a slot that the watchdog frees. Refusals come before anything is appended, in the documented order. A process that dials nobody any
 * more stores the call and answers `initiating`: the next one dials it.
 */
export async function startOutboundCall(
  deps: OutboundCallDeps,
  caller: Caller,
  request: OutboundCallRequest,
): Promise<Outcome<OutboundCallAnswer>> {
  const limit = deps.clock.monotonicMillis() + HAND_OVER_LIMIT_MILLIS;
  if (request.reservedCallId !== null) {
    const standing = await standingCall(deps, caller, request.reservedCallId, true);
    if (standing !== null) return standing;
  }
  const pinned = await pinAll(deps, caller, request);
  if (!pinned.ok) return pinned;

  const callId = request.reservedCallId ?? deps.ids.next("call");
  const admitted = await admit(deps, caller, callId);
  if (!admitted.ok) return admitted;

  const call = requestOf(deps, caller, request, pinned.value, { ...admitted.grant, callId });
  try {
    await requestAndDial(deps, caller, call, limit);
  } catch (error) {
    // Nothing stands in the log: the slot need not wait for the watchdog.
    const isMissing = isRefusedPayload(error) && (await standingCall(deps, caller, callId, true)) === null;
    if (isMissing) await deps.admission.close([{ callId, cost: 0 }]);
    throw error;
  }
  return (await standingCall(deps, caller, callId, false)) ?? refused("CALL_NOT_FOUND", "Call not found");
}

async function pinAll(
  deps: OutboundCallDeps,
  caller: Caller,
  request: OutboundCallRequest,
): Promise<{ readonly ok: true; readonly value: Pins } | { readonly ok: false; readonly refusal: Refusal }> {
  const { directory } = deps;
  const assistant = await pinAssistant(directory, caller.owner, request.assistantId);
  if (!assistant.ok) return assistant;
  const from = await pinPhoneNumber(directory, caller.owner, request.phoneNumberId);
  if (!from.ok) return from;
  let squad: PinnedSquad | null = null;
  if (request.squadId !== null) {
    const found = await squadToPin(deps.aggregates.squads, caller.owner, request.squadId);
    const pinned = await pinSquad(directory, caller.owner, found, assistant.value);
    if (!pinned.ok) return pinned;
    squad = pinned.value;
  }
  const suppressed = await directory.suppressed(caller.owner, [request.to]);
  if (suppressed.has(request.to)) {
    return refused("RECIPIENT_SUPPRESSED", "The number is on the do-not-call list");
  }
  return { ok: true, value: { assistant: assistant.value, squad, from: from.value } };
}

type AdmittedCall = Pick<Grant, "dialAt" | "dialBy">;

async function admit(
  deps: OutboundCallDeps,
  caller: Caller,
  callId: CallId,
): Promise<
  { readonly ok: true; readonly grant: AdmittedCall } | { readonly ok: false; readonly refusal: Refusal }
> {
  if (deps.carrierHealth.unavailable()) return whileCarrierIsAway(deps, caller);
  await deps.crashPoints.reached("before admission");
  const { granted, refusal } = await deps.admission.admit({
    owner: caller.owner,
    campaignId: null,
    candidates: [{ callId, windowClosesAt: null }],
    pricePerMinute: deps.settings.pricePerMinute,
    maxConcurrentCalls: null,
    maxCallsPerSecond: null,
  });
  await deps.crashPoints.reached("after admission");
  const grant = granted[0];
  if (grant !== undefined) {
    const isSoon = millisOf(grant.dialAt) - deps.clock.nowMillis() <= SHORT_TURN_MILLIS;
    deps.lookAt(isSoon ? grant.dialBy : grant.dialAt);
    return { ok: true, grant };
  }
  if (refusal === "credits") return noCredits();
  if (refusal === "closed") return { ok: true, grant: tooLate(deps) };
  return noSlot();
}

/** Credits and concurrency are judged before the carrier, also when it is known to be away. */
async function whileCarrierIsAway(deps: OutboundCallDeps, caller: Caller) {
  const account = await deps.admission.account(caller.owner);
  const owner = await deps.directory.owner(caller.owner);
  if (account.balance - account.reserved < deps.settings.pricePerMinute) return noCredits();
  if (account.liveCalls >= (owner?.plan.maxConcurrentCalls ?? 0)) return noSlot();
  return refused("CARRIER_UNAVAILABLE", "The carrier does not answer at the moment");
}

/** The slot of a reserved id was given back meanwhile (a crash before the append): the call is recorded as one that was not placed. */
function tooLate(deps: OutboundCallDeps): AdmittedCall {
  const past = plusMillis(deps.clock.now(), -1);
  return { dialAt: past, dialBy: past };
}

function noCredits() {
  return refused("INSUFFICIENT_CREDITS", "Not enough credits for one minute of a call");
}

function noSlot() {
  return refused("CONCURRENCY_LIMIT_REACHED", "The plan's limit of concurrent calls is reached");
}

function requestOf(
  deps: OutboundCallDeps,
  caller: Caller,
  request: OutboundCallRequest,
  pins: Pins,
  grant: AdmittedCall & { readonly callId: CallId },
): CallRequested["data"] {
  const { assistant, squad, from } = pins;
  return {
    callId: grant.callId,
    owner: caller.owner,
    from: from.phoneNumber,
    to: request.to,
    phoneNumberId: from.phoneNumberId,
    assistant: pinnedAssistant(assistant),
    squad,
    campaignId: null,
    contactId: null,
    contactName: null,
    customData: null,
    attempt: 1,
    greetingMessage: request.greetingMessage ?? withoutPlaceholders(assistant.greetingMessage),
    specialInstructions: request.specialInstructions,
    metadata: request.metadata,
    voicemailPolicy: assistant.voicemailPolicy,
    voicemailMessage:
      assistant.voicemailMessage === null ? null : withoutPlaceholders(assistant.voicemailMessage),
    ringTimeoutSeconds: DEFAULT_RING_TIMEOUT_SECONDS,
    maxDurationSeconds: assistant.maxDurationSeconds,
    pricePerMinute: deps.settings.pricePerMinute,
    dialAt: grant.dialAt,
    dialBy: grant.dialBy,
    at: deps.clock.now(),
  };
}

/** Stores the call (together with the dial when its turn is near) and dials it when its turn comes within the time this request may take; a later turn is left to the watchdog. */
async function requestAndDial(
  deps: OutboundCallDeps,
  caller: Caller,
  request: CallRequested["data"],
  limit: number,
): Promise<void> {
  const { clock, dialing } = deps;
  const origin: EventOrigin = { ...caller, causationId: null };
  const wait = millisOf(request.dialAt) - clock.nowMillis();
  const isSoon = wait <= SHORT_TURN_MILLIS;
  if (!isSoon) {
    await dialing.store(request, origin);
    if (wait > limit - clock.monotonicMillis()) return;
  }
  if (wait > 0) await clock.sleep(wait, dialing.stopped);
  // A suppression may have come meanwhile.
  const suppressed = !isSoon && (await deps.directory.suppressed(caller.owner, [request.to])).has(request.to);
  const begun = await dialing.begin(request, origin, { expectNew: isSoon, suppressed });
  if (begun === null) {
    if (isSoon) await dialing.store(request, origin);
    await leaveToNextProcess(deps, request);
  } else await withinLimit(clock, begun.handedOver, limit);
}

/** The call as it stands in the log; null when there is none of that id. */
async function standingCall(
  deps: OutboundCallDeps,
  caller: Caller,
  callId: CallId,
  fresh: boolean,
): Promise<Outcome<OutboundCallAnswer> | null> {
  return deps.aggregates.calls.query(
    callStream(callId),
    (state, { position }) =>
      state.status === null || state.owner !== caller.owner
        ? null
        : { ok: true, value: { callId, status: state.status }, position },
    { fresh },
  );
}
