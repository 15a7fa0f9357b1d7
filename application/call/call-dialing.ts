import type { CarrierIdentity } from "../../domain/call/carrier-identity.ts";
import type { CallCommand } from "../../domain/call/decider.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import type { RegistryLists } from "../../domain/policy/list-age.ts";
import type { ConsentTimes, PolicyCheck, PolicyEvidence, PolicyRule } from "../../domain/policy/policy.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { type Instant, millisOf, parseInstant } from "../../domain/shared/instant.ts";
import { storable } from "../../domain/shared/storable-text.ts";
import type { Calls } from "../log/aggregates.ts";
import type { EventOrigin } from "../log/append-events.ts";
import type { Handled } from "../log/command-queue.ts";
import { callStream } from "../log/stream-names.ts";
import type { Admission } from "../ports/admission.ts";
import type { Carrier, PlaceCall, PlaceCallResult } from "../ports/carrier.ts";
import type { CarrierRoute, Carriers } from "../ports/carriers.ts";
import type { Clock } from "../ports/clock.ts";
import { isInstallations } from "../ports/configuration/connections.ts";
import type { Logger } from "../ports/logger.ts";
import type { PinnedConversations } from "../ports/pinned-conversations.ts";
import type { Policies } from "../ports/policies.ts";
import type { SuppressionLists } from "../ports/suppression-lists.ts";
import { type BackPressure, createBackPressure } from "./health/back-pressure.ts";
import type { CarrierHealth } from "./health/carrier-health.ts";

/**
 * Nothing is sent later than this after the start of the append of CallDialingBegan
 * (docs/architecture.md §3.4).
 */
const SEND_LIMIT_MILLIS = 5_000;

export type CallDialingDeps = {
  readonly calls: Calls;
  readonly carriers: Pick<Carriers, "route">;
  /** An overloaded carrier slows its connection down; a policy may have changed since the admission. */
  readonly admission: Pick<Admission, "slowDown" | "tookDial" | "judge">;
  readonly policies: Pick<Policies, "inForce">;
  readonly lists: Pick<SuppressionLists, "standing">;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
  readonly carrierHealth: CarrierHealth;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborts when this process must not dial any more; default: never. */
  readonly stopDialing?: AbortSignal;
};

export type BegunCall = {
  /** The result of the append. */
  readonly handled: Handled<CallEvent>;
  /**
   * Resolves when the carrier's reply is recorded; at once when this process did not begin the dial. Never
   * rejects: on a failure the watchdog looks at the call.
   */
  readonly handedOver: Promise<void>;
};

export type CallDialing = {
  /** Appends only CallRequested: the call waits for its pace. */
  readonly store: (request: CallRequested["data"], origin: EventOrigin) => Promise<void>;
  /**
   * Appends CallDialingBegan, then places the call if this append began the dial. `expectNew`: CallRequested
   * and CallDialingBegan are one append at no_stream. A call past its dialBy, suppressed, refused by its
   * owner's policy, or without its texts (`invalidText` says why) fails instead and nothing is sent. null:
   * this process does not dial any more, and nothing was appended.
   */
  readonly begin: (
    request: CallRequested["data"],
    origin: EventOrigin,
    options: {
      readonly expectNew: boolean;
      readonly suppressed: boolean;
      readonly invalidText?: string | null;
    },
  ) => Promise<BegunCall | null>;
  /**
   * Aborts when this process does not dial any more; dials that have not begun are left to the next process.
   */
  readonly stopped: AbortSignal;
  /** Resolves when the carrier's replies to all dials begun so far are recorded. */
  readonly allHandedOver: () => Promise<void>;
  /** Connections with an overloaded carrier. */
  readonly slowed: () => readonly string[];
};

const NEVER = new AbortController().signal;

export function createCallDialing(deps: CallDialingDeps): CallDialing {
  const { calls, clock, stopDialing = NEVER } = deps;
  const underWay = new Set<Promise<void>>();
  const backPressure = createBackPressure(deps);
  const handOver = (dial: Dial): Promise<void> => {
    const placed = place(deps, backPressure, dial).finally(() => underWay.delete(placed));
    underWay.add(placed);
    return placed;
  };
  return {
    stopped: stopDialing,
    slowed: backPressure.slowed,
    allHandedOver: async () => void (await Promise.all(underWay)),
    store: async (request, origin) => {
      const start: CallCommand = { type: "StartCall", request };
      await calls.handle(callStream(request.callId), [start], origin, { expectNew: true });
    },
    begin: async (request, origin, { expectNew, suppressed, invalidText = null }) => {
      if (stopDialing.aborted) return null;
      const route = await deps.carriers.route(request.owner, request.connectionId ?? null, request.to);
      const carrier = await farSideOf(deps, route);
      const policyRefuses = await refusedByPolicy(deps, request);
      if (stopDialing.aborted) return null;
      // A process may be suspended between the append and the dial: nothing is sent after dialBy either.
      const left = millisOf(request.dialBy) - clock.nowMillis();
      const sendBy = clock.monotonicMillis() + Math.min(SEND_LIMIT_MILLIS, left);
      const commands: CallCommand[] = [
        { type: "StartCall", request },
        {
          type: "BeginDialing",
          now: clock.now(),
          suppressed,
          carrier,
          ...(invalidText === null ? {} : { invalidText }),
          ...(policyRefuses === null ? {} : { policyRefuses }),
        },
      ];
      const handled = await calls.handle(callStream(request.callId), commands, origin, { expectNew });
      const began = handled.events.some((event) => event.type === "CallDialingBegan");
      if (route !== null && carrier === null && handled.events.length > 0)
        deps.carrierHealth.sawNobody(route);
      const handedOver =
        began && route !== null ? handOver({ request, origin, sendBy, route }) : Promise.resolve();
      return { handled, handedOver };
    },
  };
}

/** A judgement this old is made again at the dial. */
const JUDGED_AGAIN_AFTER_MILLIS = 1_000;

/**
 * Why the policy does not allow the dial now; null: it does. The judgement of the admission counts for a
 * second, while the policy has the same version and the oldest list its day. Clocks of processes may differ:
 * also one from the future is made again.
 */
async function refusedByPolicy(
  { policies, lists, admission, clock }: CallDialingDeps,
  request: CallRequested["data"],
): Promise<string | null> {
  const { owner, callId, to, campaignId, evidence } = request;
  const [inForce, standing] = await Promise.all([policies.inForce(owner), lists.standing(owner)]);
  if (standing.isBehind) return "listAge" satisfies PolicyRule;
  if (inForce === null) return null;
  const isSame = evidence?.policyVersion === inForce.version && isOfLists(evidence, standing);
  const age = isSame ? Math.abs(clock.nowMillis() - millisOf(evidence.judgedAt)) : Number.POSITIVE_INFINITY;
  if (age <= JUDGED_AGAIN_AFTER_MILLIS) return null;
  const refused = await admission.judge({
    ...{ owner, callId, phoneNumber: to, isSingle: campaignId === null, timezone: null },
    consent: consentOfDial(request),
    isAsked: evidence?.eligibility !== undefined,
  });
  return refused === null ? null : refused.refusals.map(({ rule }) => rule).join(", ");
}

/** Whether it was judged by these lists, or their age was not asked. */
function isOfLists(evidence: PolicyEvidence, { oldestAsOf }: RegistryLists): boolean {
  const check = evidence.checks.find(({ rule }) => rule === "listAge");
  return check === undefined || check.value === oldestAsOf;
}

/** Of a contact as the evidence has it; without evidence of it nobody knows of any. */
function consentOfDial({ campaignId, consent, evidence }: CallRequested["data"]): ConsentTimes | null {
  if (campaignId === null) return consent ?? null;
  const check = evidence?.checks.find(({ rule }) => rule === "consent");
  const [at = null, expiresAt = null] = [check?.value, check?.limit].map(instantIn);
  return at === null ? null : { at, ...(expiresAt === null ? {} : { expiresAt }) };
}

function instantIn(value: PolicyCheck["value"] | undefined): Instant | null {
  return typeof value === "string" ? parseInstant(value) : null;
}

type Dial = {
  readonly request: CallRequested["data"];
  readonly origin: EventOrigin;
  readonly sendBy: number;
  readonly route: CarrierRoute;
};

/** The carrier instance of the next dial; null: it is unknown, and nobody is dialled. */
async function farSideOf(
  { logger }: CallDialingDeps,
  route: CarrierRoute | null,
): Promise<CarrierIdentity | null> {
  if (route === null) return null;
  const { carrier, connectionId } = route;
  const instance = await carrier.instance().catch((error: unknown) => {
    logger.error({ connection: route.key, error }, "a carrier failed to tell its far side");
    return null;
  });
  if (instance === null) return null;
  const isOwn = connectionId === null || carrier.kind === "phone" || isInstallations(connectionId);
  return { kind: carrier.kind, connectionId: isOwn ? null : connectionId, instance };
}

async function place(
  deps: CallDialingDeps,
  backPressure: BackPressure,
  { request, origin, sendBy, route }: Dial,
): Promise<void> {
  const { callId } = request;
  const begun = deps.clock.monotonicMillis();
  try {
    const answer = await placeUnlessStopped(
      deps,
      route.carrier,
      {
        callId,
        owner: request.owner,
        assistantName: request.assistant.name,
        from: request.from,
        to: request.to,
        ringTimeoutSeconds: request.ringTimeoutSeconds,
        maxDurationSeconds: request.maxDurationSeconds,
        voicemailPolicy: request.voicemailPolicy,
        recorded: await isRecorded(deps.pinnedConversations, request, route.carrier),
        dialBy: request.dialBy,
      },
      sendBy,
    );
    const result = storable(answer);
    deps.carrierHealth.sawDial(route, result);
    await backPressure.saw(route.turn.key, result, begun);
    const reply = replyCommand(result, deps.clock);
    const by = { ...origin, actor: "process:call-dialing" };
    const lasting = result.kind === "accepted"; // the carrier's own event may have reported it already
    await deps.calls.handle(callStream(callId), [reply], by, { lasting });
    logReply(deps.logger, callId, result);
  } catch (error) {
    deps.logger.error({ callId, error }, "hand-over not recorded; the watchdog looks the call up");
  }
}

/** The stop may come while CallDialingBegan is appended: then nothing was sent, and nothing will be. */
async function placeUnlessStopped(
  { stopDialing = NEVER }: CallDialingDeps,
  carrier: Carrier,
  call: PlaceCall,
  sendBy: number,
): Promise<PlaceCallResult> {
  if (!stopDialing.aborted) return carrier.placeCall(call, sendBy);
  return {
    kind: "rejected",
    endReason: "not_placed",
    carrierCode: null,
    message: "The service was stopped before it dialled",
    noAnswerAtAll: false,
  };
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
    case "throttled": {
      const error = { code: "not_placed", message: TOO_MUCH_TO_DO, carrierCode: null };
      return { type: "RecordRejected", endReason: "not_placed", error, now };
    }
    case "unknown":
      return { type: "RecordUnknownOutcome", cause: result.cause, now };
  }
}

const TOO_MUCH_TO_DO = "The carrier has too much to do";

function logReply(logger: Logger, callId: CallId, result: PlaceCallResult): void {
  if (result.kind === "accepted") logger.debug({ callId }, "call handed over");
  else if (result.kind === "rejected") logger.info({ callId, endReason: result.endReason }, "call rejected");
  else if (result.kind === "throttled") logger.info({ callId, ...result }, "the carrier has too much to do");
  else logger.warn({ callId, cause: result.cause }, "outcome of the dial unknown");
}

/**
 * Whether the carrier records the call: if its assistant says so. Simulated calls, on which no person speaks,
 * are recorded unless it says no.
 */
export async function isRecorded(
  pinnedConversations: Pick<PinnedConversations, "read">,
  {
    pinned,
    assistant,
  }: {
    readonly pinned?: string;
    readonly assistant: Pick<CallRequested["data"]["assistant"], "assistantId">;
  },
  { can, kind }: Pick<Carrier, "can" | "kind">,
): Promise<boolean> {
  if (!can.records) return false;
  const conversation = pinned === undefined ? null : await pinnedConversations.read(pinned);
  const speaker = conversation?.speakers.find(({ assistantId }) => assistantId === assistant.assistantId);
  const wish = speaker?.recording ?? null;
  return wish === null ? kind === "simulated" : wish === "on";
}
