import { dialsNeeded, judgeDial } from "../policy/judge-dial.ts";
import type { RegistryLists } from "../policy/list-age.ts";
import type { Policy, PolicyEvidence, PolicyInForce, PolicyRefusal } from "../policy/policy.ts";
import type { CallId, OwnerId } from "../shared/ids.ts";
import { type Instant, instantFromMillis } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import type { RefusedByPolicy } from "./grants.ts";
import type { DialToJudge } from "./requests.ts";
import type { Millis } from "./slots.ts";

/** What the rules of a policy ask about one number of an owner. */
export type NumberBook = {
  /** Its dials, the latest first: at least as many as the caps look at, if there are so many. */
  readonly dials: { readonly callId: CallId; readonly at: Millis }[];
  /** Open slots for it; `requested`: the log has the call. */
  readonly open: { readonly callId: CallId; requested: boolean }[];
};

/** A row of work.number_dials; its time is that of the transaction. */
export type DialRow = { readonly owner: OwnerId; readonly phoneNumber: PhoneNumber; readonly callId: CallId };

export function numberKey(owner: OwnerId, phoneNumber: PhoneNumber): string {
  return `${owner} ${phoneNumber}`;
}

/** Whether a number has to be looked up for the policy. */
export function asksOfNumbers(policy: Policy): boolean {
  return policy.oneCallAtATime || dialsNeeded(policy) > 0;
}

/** The book of a number; one that nobody asked for is empty. */
export function numberBook(
  numbers: Map<string, NumberBook>,
  owner: OwnerId,
  phoneNumber: PhoneNumber,
): NumberBook {
  const key = numberKey(owner, phoneNumber);
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const made: NumberBook = { dials: [], open: [] };
  numbers.set(key, made);
  return made;
}

/** The time at which a transaction judges: whole milliseconds, as its evidence says. */
export function judgedAtOf(now: Millis): Millis {
  return Math.floor(now);
}

export type Judgement = {
  /** Empty: it may be dialled. */
  readonly refusals: readonly PolicyRefusal[];
  readonly evidence: PolicyEvidence | null;
  /** Not dialled from then on. */
  readonly closesAt: Instant | null;
};

/** `lists`: those of the owner. */
type JudgedBy = { readonly now: Millis; readonly tzdata: string; readonly lists: RegistryLists };

const NO_POLICY: Judgement = { refusals: [], evidence: null, closesAt: null };

export function judgeByPolicy(
  inForce: PolicyInForce | null,
  dial: Omit<DialToJudge, "owner">,
  { dials, open }: NumberBook,
  { now, tzdata, lists }: JudgedBy,
): Judgement {
  if (inForce === null) return NO_POLICY;
  const { callId, phoneNumber, isSingle, timezone, consent = null } = dial;
  const others = open.filter((slot) => slot.callId !== callId);
  const named = others.find(({ requested }) => requested)?.callId;
  const judge = (counted: NumberBook["dials"]): Judgement =>
    judgeDial({
      inForce,
      phoneNumber,
      timezone,
      isSingle,
      consent,
      lists,
      at: instantFromMillis(judgedAtOf(now)),
      dials: counted.slice(0, dialsNeeded(inForce.policy)).map(({ at }) => at),
      liveCall: named ?? (others.length > 0 ? "unnamed" : null),
      tzdata,
    });
  const earlier = dials.filter((each) => each.callId !== callId);
  const judged = withQuestion(inForce.policy, dial, judge(earlier));
  const unnamed = new Set(others.flatMap((slot) => (slot.requested ? [] : [slot.callId])));
  if (unnamed.size === 0 || capOf(judged) === undefined) return judged;
  const ofNamed = capOf(judge(earlier.filter((each) => !unnamed.has(each.callId))));
  return { ...judged, refusals: judged.refusals.map((each) => sureCap(each, ofNamed)) };
}

/** The policy may be newer than the one by which it was known whom to ask. */
function withQuestion(
  { eligibility, exceptSingleCalls }: Policy,
  { isSingle, isAsked = false }: Omit<DialToJudge, "owner">,
  judged: Judgement,
): Judgement {
  if (eligibility === undefined || isAsked || (isSingle && exceptSingleCalls)) return judged;
  return { ...judged, refusals: [...judged.refusals, NOT_ASKED] };
}

const NOT_ASKED: PolicyRefusal = {
  ...{ rule: "eligibility_unavailable", value: "not_asked", limit: null, until: null, heldBy: null },
};

function capOf({ refusals }: Judgement): PolicyRefusal | undefined {
  return refusals.find(({ rule }) => rule === "attemptsPerNumber");
}

/**
 * What may still be given back holds nobody until a time: the cap as it is without it, or none that is known.
 */
function sureCap(refusal: PolicyRefusal, ofNamed: PolicyRefusal | undefined): PolicyRefusal {
  return refusal.rule === "attemptsPerNumber" ? (ofNamed ?? { ...refusal, until: null }) : refusal;
}

/** null: the policy allows it. */
export function refusedByPolicy(
  inForce: PolicyInForce | null,
  callId: CallId,
  { refusals }: Judgement,
  now: Millis,
): RefusedByPolicy | null {
  if (inForce === null || refusals.length === 0) return null;
  return { callId, policyVersion: inForce.version, judgedAt: instantFromMillis(judgedAtOf(now)), refusals };
}
