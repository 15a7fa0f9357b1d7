import type { Grant, RefusedByPolicy } from "../../domain/admission/grants.ts";
import { type DialToJudge, SHORT_TURN_MILLIS } from "../../domain/admission/requests.ts";
import type { CallRequested, CallStatus } from "../../domain/call/events.ts";
import { isOfTheFuture } from "../../domain/policy/consent.ts";
import { ANSWER_COUNTS_MILLIS } from "../../domain/policy/eligibility-answer.ts";
import type {
  Consent,
  EligibilityEvidence,
  PolicyEvidence,
  PolicyRefusal,
} from "../../domain/policy/policy.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, millisOf, plusMillis } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { EventOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import { modelTokensUsedUp } from "../model-tokens.ts";
import { type Caller, type Outcome, type Refusal, refused } from "../outcome.ts";
import type { Asking } from "../policy/asking.ts";
import type { CarrierRoute, Carriers } from "../ports/carriers.ts";
import { isRefusedPayload } from "../refused-for-good.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { withinLimit } from "../within-limit.ts";
import type { CallDialing } from "./call-dialing.ts";
import type { AssistantHealth } from "./health/assistant-health.ts";
import type { CarrierHealth } from "./health/carrier-health.ts";
import { assistantIsUnavailable } from "./health/model-use.ts";
import { leaveToNextProcess } from "./leave-to-next-process.ts";
import { callRequest, NO_CAMPAIGN, type PinnedCall } from "./pinning/call-request.ts";
import type { Pinned } from "./pinning/pin-configuration.ts";

export type SingleCallRequest = {
  /**
   * The id of the Idempotency-Key row; null without a key. If the call exists already, its current
   * state is the answer.
   */
  readonly reservedCallId: CallId | null;
  readonly to: PhoneNumber;
  /**
   * IANA zone of the person; null or absent: the zones of the number's country count for the owner's policy.
   */
  readonly timezone?: string | null;
  /** null or absent: the person gave none. */
  readonly consent?: Consent | null;
};

export type SingleCallAnswer = { readonly callId: CallId; readonly status: CallStatus };

/** The longest wait of a request for the hand-over to the carrier, and for the pace of the plan. */
const HAND_OVER_LIMIT_MILLIS = 5_000;

export type SingleCallDeps = UseCaseDeps & {
  readonly carriers: Pick<Carriers, "route">;
  readonly carrierHealth: CarrierHealth;
  readonly assistantHealth: AssistantHealth;
  readonly asking: Pick<Asking, "ask">;
  readonly dialing: CallDialing;
  /** The watchdog must look at this time at the latest. */
  readonly wakeWatchdogBy: (at: Instant) => void;
};

/**
 * Places a call outside of campaigns (docs/api.md §4). The call is durable before anything is dialled. A
 * crash after that leaves it to the watchdog; a crash before it leaves a slot that the watchdog frees.
 * Refusals come before anything is appended, in the documented order, those of `pin` first. A process that
 * does not dial any more stores the call and answers `initiating`: the next process dials it.
 */
export async function placeSingleCall(
  deps: SingleCallDeps,
  caller: Caller,
  { reservedCallId, to, timezone = null, consent = null }: SingleCallRequest,
  pin: () => Promise<Pinned<PinnedCall>>,
): Promise<Outcome<SingleCallAnswer>> {
  const limit = deps.clock.monotonicMillis() + HAND_OVER_LIMIT_MILLIS;
  if (reservedCallId !== null) {
    const stored = await storedCall(deps, caller, reservedCallId, true);
    if (stored !== null) return stored;
  }
  if (consent !== null && isOfTheFuture(consent, deps.clock.now())) return noConsentYet();
  const pinned = await pin();
  if (!pinned.ok) return pinned;
  const suppressed = await deps.directory.suppressed(caller.owner, [to]);
  if (suppressed.has(to)) return onAList(deps, caller.owner, to);

  const callId = reservedCallId ?? deps.ids.next("call");
  const person = { phoneNumber: to, timezone, consent };
  const dial = { owner: caller.owner, callId, ...person, isSingle: true, isAsked: true };
  if ((await deps.lists.standing(caller.owner)).isBehind)
    return listsBehind(await deps.admission.judge(dial));
  const asked = await askAbout(deps, dial, pinned.value.metadata);
  if (!asked.ok) return asked;
  if (await modelTokensUsedUp(deps, caller.owner)) return (await byPolicy(deps, dial)) ?? noTokens();
  const { eligibility } = asked;
  const admitted = await admit(deps, caller, dial, { ...pinned.value, eligibility });
  if (!admitted.ok) return admitted;

  const { dialAt, dialBy, policy } = admitted.grant;
  const turn = {
    ...{ callId, owner: caller.owner, to, dialAt, dialBy, at: deps.clock.now() },
    ...(policy === undefined ? {} : { evidence: evidenceOf(policy, eligibility) }),
    ...(timezone === null ? {} : { timezone }),
    ...(consent === null ? {} : { consent }),
  };
  const { pricePerMinute } = deps.settings;
  const call = callRequest(pinned.value, { ...turn, pricePerMinute }, NO_CAMPAIGN);
  try {
    await requestAndDial(deps, caller, call, limit);
  } catch (error) {
    // If nothing is in the log, the slot is freed at once, without the watchdog.
    const isMissing = isRefusedPayload(error) && (await storedCall(deps, caller, callId, true)) === null;
    if (isMissing) await deps.admission.close([{ callId, cost: 0, unused: true }]);
    throw error;
  }
  return (await storedCall(deps, caller, callId, false)) ?? refused("CALL_NOT_FOUND", "Call not found");
}

/** Of the do-not-call list there are no details. */
async function onAList({ directory }: SingleCallDeps, owner: OwnerId, to: PhoneNumber): Promise<Refused> {
  const list = (await directory.suppressions(owner, [to])).get(to)?.list;
  if (list === undefined) return refused("RECIPIENT_SUPPRESSED", "The number is on the do-not-call list");
  return refused("RECIPIENT_SUPPRESSED", "The number is on a list of numbers that are not called", [
    { path: [list.id], message: `It is on the list ${list.name} (${list.kind})` },
  ]);
}

type CallToAdmit = Pick<PinnedCall, "connectionId" | "assistant"> & {
  readonly eligibility: EligibilityEvidence | null;
};
type AdmittedCall = Pick<Grant, "dialAt" | "dialBy" | "policy">;

async function admit(
  deps: SingleCallDeps,
  caller: Caller,
  dial: DialToJudge,
  { connectionId = null, assistant, eligibility }: CallToAdmit,
): Promise<
  { readonly ok: true; readonly grant: AdmittedCall } | { readonly ok: false; readonly refusal: Refusal }
> {
  const { callId, phoneNumber, timezone, consent = null } = dial;
  const route = await deps.carriers.route(caller.owner, connectionId, phoneNumber);
  const carrier = await carrierRefusal(deps, route);
  if (route === null || carrier !== null || (await assistantIsUnavailable(deps, caller.owner, assistant)))
    return (await byPolicy(deps, dial)) ?? whileUnavailable(deps, caller, carrier);
  const windowClosesAt = eligibility === null ? null : plusMillis(eligibility.askedAt, ANSWER_COUNTS_MILLIS);
  const {
    granted,
    refusal,
    byPolicy: [refusedOne] = [],
  } = await deps.admission.admit({
    owner: caller.owner,
    campaignId: null,
    candidates: [{ callId, phoneNumber, windowClosesAt, timezone, consent, isAsked: eligibility !== null }],
    pricePerMinute: deps.settings.pricePerMinute,
    maxConcurrentCalls: null,
    maxCallsPerSecond: null,
    connection: route.turn,
  });
  const grant = granted[0];
  if (grant !== undefined) {
    const isSoon = millisOf(grant.dialAt) - deps.clock.nowMillis() <= SHORT_TURN_MILLIS;
    deps.wakeWatchdogBy(isSoon ? grant.dialBy : grant.dialAt);
    return { ok: true, grant };
  }
  if (refusedOne !== undefined) return policyRefused(refusedOne);
  if (refusal === "credits") return noCredits();
  if (refusal === "carrier") return noLine();
  if (refusal === "capacity") return noRoom();
  if (refusal === "closed") return { ok: true, grant: tooLate(deps) };
  return noSlot();
}

type Refused = ReturnType<typeof refused>;

/** The policy is judged before what the admission would refuse for; null: it allows the call. */
async function byPolicy({ admission }: SingleCallDeps, dial: DialToJudge): Promise<Refused | null> {
  const judged = await admission.judge(dial);
  return judged === null ? null : policyRefused(judged);
}

type AskedAbout = { readonly ok: true; readonly eligibility: EligibilityEvidence | null } | Refused;

/** Asks the address that the policy names, when its other rules allow the call. */
async function askAbout(
  deps: SingleCallDeps,
  dial: DialToJudge,
  metadata: PinnedCall["metadata"],
): Promise<AskedAbout> {
  const { owner, phoneNumber } = dial;
  const { version = 0, policy } = (await deps.policies.inForce(owner)) ?? {};
  const check = policy?.exceptSingleCalls === true ? undefined : policy?.eligibility;
  if (check === undefined) return { ok: true, eligibility: null };
  const byOthers = await byPolicy(deps, dial);
  if (byOthers !== null) return byOthers;
  const person = async () => ({
    ...{ phoneNumber, name: null, customData: null, externalId: null },
    ...{ campaignId: null, contactId: null, attempt: 1, metadata },
  });
  const asked = await deps.asking.ask(owner, { check, person, isUrgent: true });
  if (asked === null) throw new Error("a single call was not asked about");
  const { answer, evidence } = asked;
  switch (answer.kind) {
    case "allowed":
      return { ok: true, eligibility: evidence };
    case "refused": {
      const { reason: value, until } = answer;
      const refusal = { rule: "eligibility", value, limit: null, until, heldBy: null } as const;
      return policyRefused({ policyVersion: version, refusals: [refusal] });
    }
    case "unavailable":
      return refused(
        "ELIGIBILITY_UNAVAILABLE",
        `Your address does not say whether the person may be called: ${answer.why}`,
      );
    default:
      return assertNever(answer);
  }
}

function evidenceOf(policy: PolicyEvidence, eligibility: EligibilityEvidence | null): PolicyEvidence {
  return eligibility === null ? policy : { ...policy, eligibility };
}

/** POLICY_REFUSED, with a detail for every rule that refuses. */
function policyRefused({ policyVersion, refusals }: Pick<RefusedByPolicy, "policyVersion" | "refusals">) {
  if (refusals.every(({ rule }) => rule === "eligibility_unavailable"))
    return refused("ELIGIBILITY_UNAVAILABLE", "The policy has just changed, and nobody was asked by it");
  return refused(
    "POLICY_REFUSED",
    `The policy (version ${policyVersion}) does not allow it; see details`,
    refusals.map(detailOf),
  );
}

/** Also without a policy; `judged`: what the policy refuses besides. */
function listsBehind(judged: RefusedByPolicy | null) {
  const others = judged?.refusals.filter(({ rule }) => rule !== "listAge") ?? [];
  const message = "A list has fewer numbers than the log says: put its numbers again";
  return refused("POLICY_REFUSED", "Whom a list keeps from being called is not known; see details", [
    ...others.map(detailOf),
    { path: ["listAge"], message, until: null },
  ]);
}

function detailOf(refusal: PolicyRefusal) {
  return { path: [refusal.rule], message: inWords(refusal), until: refusal.until };
}

function inWords({ rule, value, limit, until, heldBy }: PolicyRefusal): string {
  switch (rule) {
    case "consent":
      return value === null
        ? "Only who has given consent is called: give the person's consent"
        : `The consent of the person counts no more since ${limit}`;
    case "listAge":
      return value === null
        ? "Registry lists must be active and have numbers, and one is missing"
        : `The oldest registry list is of ${value}, and may be at most ${limit} days old`;
    case "eligibility":
      return `Your address does not allow it${value === null ? "" : `: ${value}`}${allowedFrom(until)}`;
    case "eligibility_unavailable":
      return "Your address does not answer whether the person may be called";
    case "oneCallAtATime":
      return `The number is in a call${heldBy === null ? "" : `: ${heldBy}`}`;
    case "attemptsPerNumber":
      return `At most ${dials(String(limit))}: ${value} so far${allowedFrom(until)}`;
    case "callableHours":
      return `People are called ${limit}, and it is ${localTime(String(value))} where this one may be${allowedFrom(until)}`;
    case "zone_unknown":
      return "In which time zone the person lives is not known: give its timezone";
    default:
      return assertNever(rule);
  }
}

/** `2026-11-27T21:18:33.453+03:00` in words. */
function localTime(value: string): string {
  const [, date, time, offset] = /^(.{10})T(.{5}).*?(Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
  return date === undefined ? value : `${time} on ${date} (UTC${offset === "Z" ? "" : offset})`;
}

/** `2/day` in words. */
function dials(limit: string): string {
  return limit.replace("/", limit.startsWith("1/") ? " dial a " : " dials a ");
}

function allowedFrom(until: Instant | null): string {
  return until === null ? "" : `; allowed from ${until.replace(/(:00)?\.000Z$/, "Z")} on`;
}

/** null: the connection can be used. */
async function carrierRefusal(
  { carrierHealth }: SingleCallDeps,
  route: CarrierRoute | null,
): Promise<Refused | null> {
  if (route === null)
    return refused("CONNECTION_REQUIRED", "The number calls through nothing: give it a connectionId");
  if (carrierHealth.unavailable(route.key))
    return refused("CARRIER_UNAVAILABLE", "The carrier does not answer at the moment");
  const why = await route.carrier.refuses();
  return why === null ? null : refused("CARRIER_UNAVAILABLE", `Nobody can be called at the moment: ${why}`);
}

/**
 * Credits and concurrency are judged before the carrier and the assistant, also when these are
 * known to be unavailable.
 */
async function whileUnavailable(deps: SingleCallDeps, caller: Caller, carrier: Refused | null) {
  const account = await deps.admission.account(caller.owner);
  const owner = await deps.directory.owner(caller.owner);
  if (account.balance - account.reserved < deps.settings.pricePerMinute) return noCredits();
  if (account.liveCalls >= (owner?.plan.maxConcurrentCalls ?? 0)) return noSlot();
  if (carrier !== null) return carrier;
  return refused("ASSISTANT_UNAVAILABLE", "The last five answered calls ended because the assistant failed");
}

/**
 * The slot of a reserved id was freed meanwhile (a crash before the append): the call is
 * recorded as not placed.
 */
function tooLate(deps: SingleCallDeps): AdmittedCall {
  const past = plusMillis(deps.clock.now(), -1);
  return { dialAt: past, dialBy: past };
}

function noConsentYet() {
  return refused("VALIDATION_ERROR", "The request has 1 problem; see details", [
    { path: ["consent", "at"], message: "Must not be in the future" },
  ]);
}

function noCredits() {
  return refused("INSUFFICIENT_CREDITS", "Not enough credits for one minute of a call");
}

function noTokens() {
  return refused("INSUFFICIENT_CREDITS", "The plan's tokens of language models for this day are used up");
}

function noLine() {
  return refused("CONCURRENCY_LIMIT_REACHED", "The connection takes no further call at the moment");
}

function noRoom() {
  return refused("CONCURRENCY_LIMIT_REACHED", "The service holds no further conversation at the moment");
}

function noSlot() {
  return refused("CONCURRENCY_LIMIT_REACHED", "The plan's limit of concurrent calls is reached");
}

/**
 * Stores the call (together with the dial when its turn is near) and dials it when its turn comes within the
 * time this request may take; a later turn is left to the watchdog.
 */
async function requestAndDial(
  deps: SingleCallDeps,
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
  // After the slot is taken: an opt-out that does not see the slot is seen here.
  const suppressed = (await deps.directory.suppressed(caller.owner, [request.to])).has(request.to);
  const begun = await dialing.begin(request, origin, { expectNew: isSoon, suppressed });
  if (begun === null) {
    if (isSoon) await dialing.store(request, origin);
    await leaveToNextProcess(deps, request);
  } else await withinLimit(clock, begun.handedOver, limit);
}

/** The call as it is in the log; null: no call has this id. */
async function storedCall(
  deps: SingleCallDeps,
  caller: Caller,
  callId: CallId,
  fresh: boolean,
): Promise<Outcome<SingleCallAnswer> | null> {
  return deps.aggregates.calls.query(
    callStream(callId),
    (state, { position }) =>
      state.status === null || state.owner !== caller.owner
        ? null
        : { ok: true, value: { callId, status: state.status }, position },
    { fresh },
  );
}
