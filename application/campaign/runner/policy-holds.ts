import type { RefusedByPolicy } from "../../../domain/admission/grants.ts";
import type { ContactHold } from "../../../domain/campaign/due-contacts.ts";
import type { PolicyInForce, PolicyRefusal } from "../../../domain/policy/policy.ts";
import type { CallId, ContactId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import { createRecentMap, type RecentMap } from "../../recent-map.ts";

/** Contacts for which a campaign does not ask at the moment, although no event keeps them back. */
export type LeftOut = {
  readonly has: (contactId: ContactId) => boolean;
  readonly leaveOut: (contactId: ContactId, millis: number) => void;
  /** Until that call has ended and its slot is free, or a while has passed. */
  readonly leaveOutDuring: (contactId: ContactId, call: CallId) => void;
  /** true: somebody was left out during it. */
  readonly callEnded: (call: CallId) => boolean;
  readonly clear: () => void;
  /** Until the next one may be asked for; null: nobody is left out. */
  readonly millisLeft: () => number | null;
};

/** So long nobody is asked for whose rule may be over at any moment without an event that says so. */
export const LEFT_OUT_MILLIS = 30_000;
/** A slot is freed soon after its call has ended. */
const AFTER_CALL_MILLIS = 1_000;
const ENDED_KEPT = 10_000;

/** Calls that have ended lately: the feed may tell of an end before it is known whom that call holds. */
export type EndedCalls = RecentMap<CallId, true>;

export function createEndedCalls(): EndedCalls {
  return createRecentMap(ENDED_KEPT);
}

/** Times are of the monotonic clock. */
export function createLeftOut(clock: Pick<Clock, "monotonicMillis">, ended: EndedCalls): LeftOut {
  const until = new Map<ContactId, number>();
  const during = new Map<CallId, Set<ContactId>>();
  const leaveOut = (contactId: ContactId, millis: number) => {
    until.set(contactId, clock.monotonicMillis() + millis);
  };
  const isOver = (end: number) => end <= clock.monotonicMillis();
  return {
    has: (contactId) => {
      const end = until.get(contactId);
      if (end === undefined) return false;
      if (isOver(end)) until.delete(contactId);
      return !isOver(end);
    },
    leaveOut,
    leaveOutDuring: (contactId, call) => {
      if (ended.get(call) !== undefined) return leaveOut(contactId, AFTER_CALL_MILLIS);
      leaveOut(contactId, LEFT_OUT_MILLIS);
      during.set(call, (during.get(call) ?? new Set()).add(contactId));
    },
    callEnded: (call) => {
      const contacts = during.get(call);
      if (contacts === undefined) return false;
      during.delete(call);
      for (const contactId of contacts) leaveOut(contactId, AFTER_CALL_MILLIS);
      return true;
    },
    clear: () => {
      until.clear();
      during.clear();
    },
    millisLeft: () => {
      let first: number | null = null;
      for (const [contactId, end] of until) {
        if (isOver(end)) until.delete(contactId);
        else first = Math.min(first ?? end, end);
      }
      return first === null ? null : first - clock.monotonicMillis();
    },
  };
}

/** Due contacts that the admission refused by the policy, as far as events tell of them. */
export type PolicyHolds = {
  readonly held: readonly ContactHold[];
  readonly noConsent: readonly ContactId[];
  readonly unknownZone: readonly ContactId[];
};

export const NO_HOLDS: PolicyHolds = { held: [], noConsent: [], unknownZone: [] };

/** How many contacts of an owner this process may hold by events. */
export type HoldPace = {
  /** How many of so many may be held now; they count as held. */
  readonly take: (owner: OwnerId, wanted: number) => number;
};

const HOLDS_A_SECOND = 2_000;
const SECOND_MILLIS = 1_000;
const OWNERS_KEPT = 10_000;

export function createHoldPace(clock: Pick<Clock, "monotonicMillis">): HoldPace {
  const taken = createRecentMap<OwnerId, { readonly since: number; readonly holds: number }>(OWNERS_KEPT);
  return {
    take: (owner, wanted) => {
      const now = clock.monotonicMillis();
      const before = taken.get(owner);
      const { since, holds } =
        before !== undefined && now - before.since < SECOND_MILLIS ? before : { since: now, holds: 0 };
      const allowed = Math.min(wanted, HOLDS_A_SECOND - holds);
      taken.set(owner, { since, holds: holds + allowed });
      return allowed;
    },
  };
}

/** A rule that this process does not know yet, or a second that is full, is over so soon. */
const SOON_MILLIS = SECOND_MILLIS;

type Deps = { readonly holdPace: HoldPace };
type Campaign = { readonly owner: OwnerId; readonly leftOut: LeftOut };

/**
 * Whom the campaign holds or skips by events. The others are left out in memory for a while: those whose rule
 * has neither a time nor a call with a name, and those refused by a version of the policy (or at an hour of
 * it, or for the age of lists) that the campaign does not know yet.
 */
export function policyHolds(
  { holdPace }: Deps,
  { owner, leftOut }: Campaign,
  refused: readonly (RefusedByPolicy & { readonly contactId: ContactId })[],
  policy: PolicyInForce | null,
): PolicyHolds {
  const known = refused.filter(({ policyVersion }) => policyVersion === policy?.version);
  for (const { contactId, policyVersion } of refused)
    if (policyVersion !== policy?.version) leftOut.leaveOut(contactId, SOON_MILLIS);
  const noConsent: ContactId[] = [];
  const unknownZone: ContactId[] = [];
  const held: ContactHold[] = [];
  for (const { contactId, policyVersion, refusals } of known) {
    const hold = holdOf(refusals);
    if (refusals.some(({ rule }) => rule === "consent")) noConsent.push(contactId);
    else if (refusals.some(({ rule }) => rule === "zone_unknown")) unknownZone.push(contactId);
    else if (hold !== null) held.push({ contactId, policyVersion, ...hold });
    else leftOut.leaveOut(contactId, isOfCampaign(refusals) ? SOON_MILLIS : LEFT_OUT_MILLIS);
  }
  const now = held.slice(0, holdPace.take(owner, held.length));
  for (const { contactId, until, heldBy } of now)
    if (until === null && heldBy !== null) leftOut.leaveOutDuring(contactId, heldBy);
  for (const { contactId } of held.slice(now.length)) leftOut.leaveOut(contactId, SOON_MILLIS);
  return { held: now, noConsent, unknownZone };
}

/** The campaign judges these itself, before it asks for anybody, and pauses. */
function isOfCampaign(refusals: readonly PolicyRefusal[]): boolean {
  return refusals.every(({ rule }) => rule === "callableHours" || rule === "listAge");
}

type Terms = Pick<ContactHold, "rule" | "until" | "heldBy" | "value" | "limit">;

/** A cap lasts longer than a call, so it is told first. null: no event can tell of it. */
function holdOf(refusals: readonly PolicyRefusal[]): Terms | null {
  const cap = refusals.find(({ rule, until }) => rule === "attemptsPerNumber" && until !== null);
  if (cap !== undefined) return termsOf("attemptsPerNumber", { ...cap, heldBy: null });
  const call = refusals.find(({ rule, heldBy }) => rule === "oneCallAtATime" && heldBy !== null);
  return call === undefined ? null : termsOf("oneCallAtATime", { ...call, until: null });
}

function termsOf(rule: ContactHold["rule"], { until, heldBy, value, limit }: PolicyRefusal): Terms {
  return { rule, until, heldBy, value, limit };
}
