import { describe, expect, it } from "vitest";
import { isLineOfEndedCall } from "../../../domain/call/carrier-rules.ts";
import { callDecider } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { specOf } from "../../support/decider-spec.ts";
import {
  at,
  began,
  completed,
  connected,
  ended,
  endWanted,
  fact,
  REF,
  REQUEST,
  requested,
  ringing,
} from "./example-call.ts";

const given = specOf(callDecider);
const state = (...events: CallEvent[]) => events.reduce(callDecider.evolve, callDecider.initialState());
const keyed = (seconds: number, dedupeKey: string, sequence: number | null = null) => ({
  ...fact(seconds, sequence),
  dedupeKey,
});

describe("a carrier event", () => {
  it("is known by its dedupeKey, whatever its number", () => {
    const words = { role: "customer" as const, assistantId: null, content: "Hi" };
    const said = given(requested, began, connected)
      .when({ type: "AddMessage", message: words, ...keyed(12, "m1", 1) })
      .events();
    expect(said.at(-1)).toMatchObject({ data: { sequence: 1, dedupeKey: "m1" } });
    const told = given(requested, began, connected, ...said);
    told.when({ type: "AddMessage", message: words, ...keyed(13, "m1", 7) }).thenEvents();
    told
      .when({ type: "AddMessage", message: words, ...keyed(13, "recording/1", 1) })
      .thenTypes("CallMessageAdded");
  });
  it("keeps its key in whatever is born of it", () => {
    const answered = given(requested, began)
      .when({ type: "RecordAnswered", answeredBy: "human", ...keyed(10, "a") })
      .events();
    const end = given(requested, began, ...answered)
      .when({ ...ended(40, null), dedupeKey: "e" })
      .events();
    const late = given(requested, began, ...answered, ...end)
      .when({ type: "RecordRinging", ...keyed(50, "r") })
      .events();
    expect([...answered, ...end, ...late].map(({ data }) => "dedupeKey" in data && data.dedupeKey)).toEqual([
      "a",
      "e",
      "r",
    ]);
    given(requested, began, ...answered, ...end, ...late)
      .when({ type: "RecordRinging", ...keyed(51, "r") })
      .thenEvents();
  });
  it("that was told under its number before keys were stored is the same", () =>
    given(requested, began, connected, completed)
      .when({ type: "RecordAnswered", answeredBy: "human", ...keyed(50, "a", 2) })
      .thenEvents());
});

describe("the line of a call that is over", () => {
  const over = state(requested, began, ringing, connected, completed);
  it("is to be let go, also when it was told before that it was late", () => {
    expect(isLineOfEndedCall(fact(50, 9), over)).toBe(true);
    const late = given(requested, began, connected, completed)
      .when({ type: "RecordRinging", ...fact(50, 9) })
      .events();
    expect(isLineOfEndedCall(fact(50, 9), state(requested, began, connected, completed, ...late))).toBe(true);
  });
  it("is left alone when it was handed on, whatever is told late", () => {
    const transfer = ended(20, 4, { endReason: "transferred", endedBy: "assistant" });
    const handedOn = given(requested, began, connected).when(transfer).events();
    expect(handedOn).toMatchObject([
      { type: "CallCompleted", data: { endReason: "transferred", endedBy: "assistant", at: at(20) } },
    ]);
    expect(isLineOfEndedCall(fact(50, 9), state(requested, began, connected, ...handedOn))).toBe(false);
  });
  it("is none of a call that goes on, nor what was applied before the end", () => {
    expect(isLineOfEndedCall(fact(50, 9), state(requested, began, connected))).toBe(false);
    expect(isLineOfEndedCall(fact(50, 2), over)).toBe(false);
  });
});

describe("a verdict about who answered", () => {
  const verdict = (seconds: number, changes: object = {}) =>
    ({
      type: "RecordMachineJudged",
      answeredBy: "machine",
      by: "carrier",
      greetingEnded: false,
      policyApplied: null,
      occurredAt: at(seconds),
      now: at(seconds),
      carrierRef: REF,
      dedupeKey: `verdict ${seconds}`,
      ...changes,
    }) as const;
  it("is recorded with its time since the answer, and is the last word about it", () => {
    const judged = given(requested, began, connected).when(verdict(14)).events();
    expect(judged).toEqual([
      {
        type: "CallMachineJudged",
        data: {
          callId: "call_1",
          at: at(14),
          answeredBy: "machine",
          by: "carrier",
          afterMillis: 4_000,
          greetingEnded: false,
          policyApplied: REQUEST.voicemailPolicy,
          dedupeKey: "verdict 14",
        },
      },
    ]);
    expect(state(requested, began, connected, ...judged).answeredBy).toBe("machine");
    const told = given(requested, began, connected, ...judged);
    told.when(verdict(14)).thenEvents();
    told.when(verdict(15)).thenEvents();
    told.when(verdict(16, { greetingEnded: true })).thenTypes("CallMachineJudged");
  });
  it("of a machine says the policy that follows, and none when none does", () => {
    const policyOf = (given_: CallEvent[], changes: object = {}, seconds = 14) =>
      given(...given_)
        .when(verdict(seconds, changes))
        .events()
        .flatMap(({ type, data }) => (type === "CallMachineJudged" ? [data.policyApplied] : []));
    const { voicemailPolicy } = REQUEST;
    expect(policyOf([requested, began, connected])).toEqual([voicemailPolicy]);
    expect(policyOf([requested, began, connected], { answeredBy: "human" })).toEqual([null]);
    expect(policyOf([requested, began, connected, endWanted], {}, 30)).toEqual([null]);
    expect(policyOf([requested, began, connected], {}, 71)).toEqual([null]);
    const begun = {
      type: "CallTurnFailed",
      data: { callId: "call_1", at: at(12), epoch: 1, kind: "x" },
    } as const;
    const turn = (number: number): CallEvent => ({
      ...begun,
      data: { ...begun.data, turn: number, saidInstead: null },
    });
    expect(policyOf([requested, began, connected, turn(1)])).toEqual([voicemailPolicy]);
    expect(policyOf([requested, began, connected, turn(2)])).toEqual([null]);
  });
  it("is an answer told after the first word had proved it, unless it says nothing or there is one", () => {
    const proof = given(requested, began).when({ type: "RecordConversationStarted", ...fact(10, 3) });
    const proved = [requested, began, ...proof.events()];
    const answered = (answeredBy: "human" | "machine" | "unknown") =>
      ({
        type: "RecordAnswered",
        answeredBy,
        occurredAt: at(11),
        now: at(12),
        carrierRef: REF,
        sequence: 4,
      }) as const;
    const told = given(...proved).when(answered("human"));
    told.thenTypes("CallMachineJudged");
    const after = state(...proved, ...told.events());
    expect([after.answeredBy, after.connectedAt]).toEqual(["human", at(10)]);
    given(...proved, ...told.events())
      .when(answered("machine"))
      .thenEvents();
    given(...proved)
      .when(answered("unknown"))
      .thenEvents();
    given(requested, began, connected).when(answered("machine")).thenEvents();
  });
  it("of the carrier proves an answer that was not told; by sound it does so only for a call with a name", () => {
    given(requested, began).when(verdict(14)).thenTypes("CallConnected", "CallMachineJudged");
    given(requested, began)
      .when(verdict(14, { by: "sound", carrierRef: undefined, dedupeKey: undefined }))
      .thenEvents();
  });
  it("comes too late after the end, and under a foreign name", () => {
    given(requested, began, connected, completed).when(verdict(50)).thenTypes("LateCarrierEventRecorded");
    given(requested, began, connected)
      .when(verdict(14, { carrierRef: "stranger" }))
      .thenTypes("LateCarrierEventRecorded");
    given(requested, began, connected, completed)
      .when(verdict(50, { by: "sound", carrierRef: undefined, dedupeKey: undefined }))
      .thenEvents();
  });
});
