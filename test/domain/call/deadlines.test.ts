import { describe, expect, it } from "vitest";
import { isExpired } from "../../../domain/call/deadline-rules.ts";
import { nextAction, nextLookAt } from "../../../domain/call/deadlines.ts";
import { callDecider } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { specOf } from "../../support/decider-spec.ts";
import {
  at,
  began,
  completed,
  connected,
  endWanted,
  REQUEST,
  requested,
  ringing,
  talking,
  unknownOutcome,
} from "./example-call.ts";
import { session, sessionEnded } from "./example-conversation.ts";

const given = specOf(callDecider);
const state = (...events: CallEvent[]) => events.reduce(callDecider.evolve, callDecider.initialState());
const expire = (seconds: number, lookup: "found" | "absent" | "ambiguous" | "unavailable" | null) =>
  ({ type: "ExpireDeadline", now: at(seconds), lookup }) as const;

const inSession: readonly CallEvent[] = [requested, began, connected, session(1, 11), talking];
const silenceEnd: CallEvent = {
  type: "CallEndRequested",
  data: { callId: "call_1", at: at(46), by: "system", reason: "assistant_error" },
};

const longest: CallEvent = { type: "CallRequested", data: { ...REQUEST, maxDurationSeconds: 700 } };

/** Has to wait for the pace of its owner's plan. */
const waiting: CallEvent = { type: "CallRequested", data: { ...REQUEST, dialAt: at(4) } };

describe("what the due loop does", () => {
  it.each([
    ["dials when its turn has come", [requested], 0, "dial"],
    ["expires a call whose dial is too late", [requested], 15, "expire"],
    ["leaves the dial that is under way alone", [requested, began], 20.999, "nothing"],
    ["asks about a dial without a reply", [requested, began], 21, "lookup"],
    ["waits for its turn", [waiting], 3.999, "nothing"],
    ["dials when its turn has come, not before", [waiting], 4, "dial"],
    ["asks soon about an unknown outcome", [requested, began, unknownOutcome], 8, "lookup"],
    ["does not ask at once", [requested, began, unknownOutcome], 7.999, "nothing"],
    ["lets it ring", [requested, began, ringing], 61.999, "nothing"],
    ["asks about one that rang too long", [requested, began, ringing], 62, "lookup"],
    ["waits for a conversation", [requested, began, connected], 19.999, "nothing"],
    ["asks about an answer without a conversation", [requested, began, connected], 20, "lookup"],
    ["lets them talk", [requested, began, connected, talking], 309.999, "nothing"],
    ["asks about every call each 5 min", [requested, began, connected, talking], 310, "lookup"],
    ["asks no more often", [requested, began, connected, talking], 311, "nothing"],
    ["lets a session talk", [...inSession], 30, "nothing"],
    ["waits for a session that closed", [...inSession, sessionEnded(1, 30)], 34.999, "nothing"],
    ["asks 5 s after a session closed", [...inSession, sessionEnded(1, 30)], 35, "lookup"],
    ["gives up 15 s after a session closed", [...inSession, sessionEnded(1, 30)], 45, "expire"],
    ["lets the next session talk", [...inSession, sessionEnded(1, 30), session(2, 44)], 45, "nothing"],
    [
      "hangs up what is silent, once that is wanted",
      [...inSession, sessionEnded(1, 30), silenceEnd],
      50,
      "hang_up",
    ],
    ["hangs up at the maximum duration", [requested, began, connected, talking], 610, "hang_up"],
    ["closes a call that did not hang up 30 s later", [requested, began, connected, talking], 640, "expire"],
    ["hangs up when somebody asked for it", [requested, began, ringing, endWanted], 21, "hang_up"],
    ["hangs up rather than asks, once the end is wanted", [requested, began, endWanted], 25, "hang_up"],
    ["closes a call 30 s after somebody asked", [requested, began, ringing, endWanted], 50, "expire"],
    ["leaves an ended call alone", [requested, began, connected, completed], 9_999, "nothing"],
  ] as const)("%s", (_rule, history, seconds, action) => {
    expect(nextAction(state(...history), at(seconds))).toBe(action);
  });

  it("makes up for a regular question that nobody asked in time", () => {
    const call = state(requested, began, connected, talking);
    expect(nextAction(call, at(320), at(310))).toBe("lookup");
    expect(nextAction(call, at(320), at(305))).toBe("lookup");
    expect(nextAction(call, at(320), at(311))).toBe("nothing");
  });
  it("does nothing about a call that is not there", () => expect(nextAction(state(), at(0))).toBe("nothing"));
});

describe("the next look", () => {
  it.each([
    ["at the dial", [waiting], 0, 4],
    ["when the dial is too late, once its turn has come", [waiting], 4, 15],
    ["again in 5 s when a deadline is now", [requested, began, ringing], 62, 67],
    ["when the dial is too late", [requested], 1, 15],
    ["when a reply is overdue", [requested, began], 1, 21],
    ["5 s after an unknown outcome", [requested, began, unknownOutcome], 3, 8],
    ["again in 5 s while it is not known", [requested, began, unknownOutcome], 30, 35],
    ["when it has rung too long", [requested, began, ringing], 2, 62],
    ["10 s after the answer", [requested, began, connected], 10, 20],
    ["5 min after the answer", [requested, began, connected, talking], 12, 310],
    ["5 min after that", [...inSession], 310, 610],
    ["at the maximum duration", [longest, began, connected, talking], 650, 710],
    ["5 s after a session closed", [...inSession, sessionEnded(1, 30)], 30, 35],
    ["again in 5 s while nobody talks", [...inSession, sessionEnded(1, 30)], 35, 40],
    ["15 s after a session closed", [...inSession, sessionEnded(1, 30)], 41, 45],
    ["again in 5 s after a hang-up", [requested, began, ringing, endWanted], 20, 25],
  ] as const)("is %s", (_rule, history, now, seconds) => {
    expect(nextLookAt(state(...history), at(now))).toBe(at(seconds));
  });

  it("is never, after the end", () =>
    expect(nextLookAt(state(requested, began, connected, completed), at(41))).toBeNull());
});

describe("a deadline", () => {
  const reason = (events: readonly CallEvent[]) =>
    events.map((event) => ("endReason" in event.data ? event.data.endReason : event.type));

  it.each([
    ["not dialled in time: not placed", [requested], 15, null, ["not_placed"]],
    ["still time to dial: nothing", [requested], 14.999, null, []],
    ["the carrier never had it: not placed", [requested, began], 21, "absent", ["not_placed"]],
    [
      "absent does not count while the request may be on its way",
      [requested, began, unknownOutcome],
      20.999,
      "absent",
      [],
    ],
    ["found: the carrier goes on telling", [requested, began], 21, "found", []],
    ["found, however late: the carrier goes on telling", [requested, began], 700, "found", []],
    ["not to be known yet: asked again", [requested, began], 600.999, "unavailable", []],
    ["not to be known in ten minutes: given up", [requested, began], 601, "unavailable", ["outcome_unknown"]],
    ["ambiguous is not known either", [requested, began], 601, "ambiguous", ["outcome_unknown"]],
    ["rang too long: no answer", [requested, began, ringing], 62, "found", ["no_answer"]],
    [
      "rang at a far side that is another one now: nobody knows who answered",
      [requested, began, ringing],
      62,
      "ambiguous",
      ["outcome_unknown"],
    ],
    [
      "rang, and the carrier cannot be asked: no answer",
      [requested, began, ringing],
      62,
      "unavailable",
      ["no_answer"],
    ],
    [
      "rang, and the carrier has it no longer: setup timeout",
      [requested, began, ringing],
      62,
      "absent",
      ["setup_timeout"],
    ],
    ["rang too long, and nobody was asked: nothing yet", [requested, began, ringing], 62, null, []],
    ["still ringing: nothing", [requested, began, ringing], 61, "absent", []],
    ["no conversation yet: nothing", [requested, began, connected], 19.999, "found", []],
    ["no conversation: to be hung up", [requested, began, connected], 20, "found", ["CallEndRequested"]],
    [
      "no conversation, and nobody knows: to be hung up",
      [requested, began, connected],
      20,
      "unavailable",
      ["CallEndRequested"],
    ],
    ["no conversation, and nobody was asked: nothing yet", [requested, began, connected], 20, null, []],
    [
      "no conversation, and the carrier has it no longer: connection lost",
      [requested, began, connected],
      20,
      "absent",
      ["connection_lost"],
    ],
    ["the end of a silent call is wanted once", [requested, began, connected, silenceEnd], 30, "found", []],
    [
      "a silent call that was not hung up",
      [requested, began, connected, silenceEnd],
      76,
      null,
      ["assistant_error"],
    ],
    ["a session closed a moment ago", [...inSession, sessionEnded(1, 30)], 44.999, "found", []],
    ["no session: to be hung up", [...inSession, sessionEnded(1, 30)], 45, null, ["CallEndRequested"]],
    [
      "no session, and the carrier has it no longer: connection lost",
      [...inSession, sessionEnded(1, 30)],
      35,
      "absent",
      ["connection_lost"],
    ],
    ["talking has no deadline but its duration", [requested, began, connected, talking], 300, "absent", []],
    [
      "talking, and the carrier has it no longer when it is asked in turn: connection lost",
      [requested, began, connected, talking],
      310,
      "absent",
      ["connection_lost"],
    ],
    [
      "the longest call is closed as such",
      [requested, began, connected, talking],
      640,
      null,
      ["max_duration"],
    ],
    [
      "a hang-up that was never confirmed, unanswered",
      [requested, began, ringing, endWanted],
      50,
      null,
      ["canceled"],
    ],
    [
      "a hang-up that was never confirmed, answered",
      [requested, began, connected, endWanted],
      50,
      null,
      ["api_ended"],
    ],
    ["an ended call", [requested, began, connected, completed], 9_999, "absent", []],
  ] as const)("%s", (_rule, history, seconds, lookup, expected) => {
    expect(
      reason(
        given(...history)
          .when(expire(seconds, lookup))
          .events(),
      ),
    ).toEqual(expected);
  });

  it("is over when the call would end by it, not while there is time or after the end", () => {
    const rings = state(requested, began, ringing);
    expect([isExpired(expire(61.999, "found"), rings), isExpired(expire(62, "found"), rings)]).toEqual([
      false,
      true,
    ]);
    expect(isExpired(expire(9_999, null), state(requested, began, connected, completed))).toBe(false);
  });
  it("says why an unknown outcome was given up, and by whom a call was ended", () => {
    expect(given(requested, began).when(expire(601, "unavailable")).events()).toMatchObject([
      {
        data: { endedBy: "system", error: { code: "outcome_unknown", message: expect.stringMatching(/./) } },
      },
    ]);
    expect(given(requested, began, connected, endWanted).when(expire(50, null)).events()).toMatchObject([
      { data: { endedBy: "api", durationSeconds: 40, recordingStatus: "none" } },
    ]);
    expect(given(requested, began, ringing).when(expire(62, "found")).events()).toMatchObject([
      { data: { endedBy: "system", error: null } },
    ]);
  });
});
