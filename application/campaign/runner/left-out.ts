import type { CallId, ContactId } from "../../../domain/shared/ids.ts";
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
