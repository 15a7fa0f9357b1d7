import { describe, expect, it } from "vitest";
import { callDecider } from "../../../domain/call/decider.ts";
import { specOf } from "../../support/decider-spec.ts";
import {
  at,
  began,
  completed,
  connected,
  ended,
  endWanted,
  FAR_SIDE,
  fact,
  REF,
  REQUEST,
  requested,
  ringing,
  talking,
  unknownOutcome,
} from "./example-call.ts";

const given = specOf(callDecider);
const callId = "call_1" as const;
const message = { role: "customer" as const, assistantId: "ast_1" as const, content: "Hi" };
const failure = {
  callId,
  durationSeconds: null,
  cost: 0,
  recordingStatus: "none" as const,
  sequence: null,
  error: null,
};

describe("starting a call", () => {
  it("records the request", () =>
    given().when({ type: "StartCall", request: REQUEST }).thenEvents(requested));
  it("is quiet when the call stands already", () =>
    given(requested).when({ type: "StartCall", request: REQUEST }).thenEvents());
  it("refuses every other command while there is no call", () =>
    given()
      .when({ type: "BeginDialing", now: at(1), suppressed: false, carrier: FAR_SIDE })
      .thenRefused("call.not-found"));
});

describe("beginning to dial", () => {
  it("is recorded before anything is sent", () =>
    given(requested)
      .when({ type: "BeginDialing", now: at(1), suppressed: false, carrier: FAR_SIDE })
      .thenEvents(began));
  it("is allowed until dialBy", () =>
    given(requested)
      .when({ type: "BeginDialing", now: at(14.999), suppressed: false, carrier: FAR_SIDE })
      .thenTypes("CallDialingBegan"));
  it("fails as not placed from dialBy on", () =>
    given(requested)
      .when({ type: "BeginDialing", now: at(15), suppressed: false, carrier: FAR_SIDE })
      .thenEvents({
        type: "CallFailed",
        data: { ...failure, at: at(15), endReason: "not_placed", endedBy: "system", carrierRef: null },
      }));
  it("fails for a number that was suppressed meanwhile", () =>
    given(requested)
      .when({ type: "BeginDialing", now: at(1), suppressed: true, carrier: FAR_SIDE })
      .thenEvents({
        type: "CallFailed",
        data: { ...failure, at: at(1), endReason: "suppressed", endedBy: "system", carrierRef: null },
      }));
  it("happens once", () =>
    given(requested, began)
      .when({ type: "BeginDialing", now: at(2), suppressed: false, carrier: FAR_SIDE })
      .thenEvents());
  it("does not happen after the end", () =>
    given(requested, began, completed)
      .when({ type: "BeginDialing", now: at(2), suppressed: true, carrier: FAR_SIDE })
      .thenEvents());
});

describe("the reply to a dial", () => {
  it("accepted: the call rings under the carrier's name", () =>
    given(requested, began)
      .when({ type: "RecordAccepted", carrierRef: REF, now: at(2) })
      .thenEvents({ type: "CallRinging", data: { callId, at: at(2), carrierRef: REF, sequence: null } }));
  it("accepted changes nothing when an answer overtook it", () =>
    given(requested, began, connected)
      .when({ type: "RecordAccepted", carrierRef: REF, now: at(12) })
      .thenEvents());
  it("rejected: the call fails with the carrier's reason", () => {
    const error = { code: "invalid_number", message: "no such number", carrierCode: "404" };
    given(requested, began)
      .when({ type: "RecordRejected", endReason: "invalid_number", error, now: at(2) })
      .thenEvents({
        type: "CallFailed",
        data: {
          ...failure,
          at: at(2),
          endReason: "invalid_number",
          endedBy: "system",
          carrierRef: null,
          error,
        },
      });
  });
  it("rejected changes nothing once the carrier has told of the call, nor before the dial", () => {
    const rejected = {
      type: "RecordRejected",
      endReason: "carrier_error",
      error: null,
      now: at(12),
    } as const;
    given(requested, began, ringing).when(rejected).thenEvents();
    given(requested, began, connected).when(rejected).thenEvents();
    given(requested).when(rejected).thenEvents();
  });
  it("rejected changes nothing after the end", () =>
    given(requested, began, completed)
      .when({ type: "RecordRejected", endReason: "busy", error: null, now: at(50) })
      .thenEvents());
  it("unknown is recorded once, and only while it is", () => {
    const command = { type: "RecordUnknownOutcome", cause: "timeout", now: at(3) } as const;
    given(requested).when(command).thenEvents();
    given(requested, began).when(command).thenEvents(unknownOutcome);
    given(requested, began, unknownOutcome).when(command).thenEvents();
    given(requested, began, ringing).when(command).thenEvents();
  });
});

describe("what the carrier tells", () => {
  it("ringing moves an initiating call on", () =>
    given(requested, began)
      .when({ type: "RecordRinging", ...fact(2, 1) })
      .thenEvents(ringing));
  it("ignores ringing after the answer", () =>
    given(requested, began, connected)
      .when({ type: "RecordRinging", ...fact(12, 5) })
      .thenEvents());
  it("an answer connects, also without ringing", () => {
    given(requested, began, ringing)
      .when({ type: "RecordAnswered", answeredBy: "human", ...fact(10, 2) })
      .thenEvents(connected);
    given(requested, began)
      .when({ type: "RecordAnswered", answeredBy: "human", ...fact(10, 2) })
      .thenEvents(connected);
  });
  it("an answer told twice connects once", () =>
    given(requested, began, connected)
      .when({ type: "RecordAnswered", answeredBy: "machine", ...fact(12, 7) })
      .thenEvents());
  it("a conversation moves on", () =>
    given(requested, began, connected)
      .when({ type: "RecordConversationStarted", ...fact(11, 3) })
      .thenEvents(talking));
  it("a conversation proves an answer that was not told", () =>
    given(requested, began, ringing)
      .when({ type: "RecordConversationStarted", ...fact(11, 3) })
      .thenTypes("CallConnected", "CallConversationStarted"));
  it("a conversation starts once", () =>
    given(requested, began, connected, talking)
      .when({ type: "RecordConversationStarted", ...fact(12, 9) })
      .thenEvents());
  it("a message is numbered, and timed from the answer", () =>
    given(requested, began, connected, talking)
      .when({ type: "AddMessage", message, ...fact(12.5, 4) })
      .thenEvents({
        type: "CallMessageAdded",
        data: {
          callId,
          at: at(12.5),
          message: { ...message, index: 0, at: at(12.5), offsetMs: 2_500 },
          carrierRef: REF,
          sequence: 4,
        },
      }));
  it("a message proves conversation and answer", () => {
    given(requested, began, connected)
      .when({ type: "AddMessage", message, ...fact(12, 4) })
      .thenTypes("CallConversationStarted", "CallMessageAdded");
    expect(
      given(requested, began, connected)
        .when({ type: "AddMessage", message, ...fact(12, 4) })
        .events()[1],
    ).toMatchObject({ data: { message: { offsetMs: 2_000 } } });
    const [answer, , said] = given(requested, began, ringing)
      .when({ type: "AddMessage", message, ...fact(12, 4) })
      .events();
    expect(answer).toMatchObject({ type: "CallConnected", data: { answeredBy: "unknown", sequence: null } });
    expect(said).toMatchObject({ data: { message: { offsetMs: 0 } } });
  });
  it("messages are numbered in the order in which they are told", () => {
    const history = [requested, began, connected, talking];
    for (const index of [0, 1, 2]) {
      const said = given(...history)
        .when({ type: "AddMessage", message, ...fact(12 + index, 4 + index) })
        .events();
      expect(said).toMatchObject([{ data: { message: { index } } }]);
      history.push(...said);
    }
  });
  it("the same sequence twice changes nothing", () => {
    const said = given(requested, began, connected, talking)
      .when({ type: "AddMessage", message, ...fact(12, 4) })
      .events();
    given(requested, began, connected, talking, ...said)
      .when({ type: "AddMessage", message, ...fact(12, 4) })
      .thenEvents();
  });
  it("is nothing while we have not dialled", () =>
    given(requested)
      .when({ type: "RecordAnswered", answeredBy: "human", ...fact(10, 2) })
      .thenEvents());
  it("another name than the first is recorded, never applied", () =>
    given(requested, began, ringing)
      .when({ type: "RecordAnswered", answeredBy: "human", ...fact(10, 2, "stranger") })
      .thenEvents({
        type: "LateCarrierEventRecorded",
        data: {
          callId,
          at: at(10),
          carrierEventType: "answered",
          carrierRef: "stranger",
          sequence: 2,
          occurredAt: at(10),
        },
      }));
});

describe("what comes after the end", () => {
  const over = [requested, began, connected, talking, completed] as const;
  it.each([
    ["ringing", { type: "RecordRinging", ...fact(50, 9) }],
    ["answered", { type: "RecordAnswered", answeredBy: "human", ...fact(50, 9) }],
    ["conversation_started", { type: "RecordConversationStarted", ...fact(50, 9) }],
    ["message", { type: "AddMessage", message, ...fact(50, 9) }],
    ["ended", ended(50, 9)],
  ] as const)("%s is recorded as late, once", (carrierEventType, command) => {
    const recorded = given(...over)
      .when(command)
      .events();
    expect(recorded).toMatchObject([
      { type: "LateCarrierEventRecorded", data: { carrierEventType, sequence: 9, occurredAt: at(50) } },
    ]);
    given(...over, ...recorded)
      .when(command)
      .thenEvents();
  });
  it("leaves no trace when it was told before, or only by a look-up", () => {
    given(...over)
      .when(ended(50, 4))
      .thenEvents();
    given(...over)
      .when(ended(50, null))
      .thenEvents();
  });
});

describe("the end that the carrier tells", () => {
  it("completes an answered call, and charges each started second", () =>
    given(requested, began, connected, talking)
      .when(ended(40.2, 4))
      .thenEvents({
        type: "CallCompleted",
        data: {
          callId,
          at: at(40.2),
          endReason: "customer_ended",
          endedBy: "customer",
          durationSeconds: 30.2,
          cost: 5_167,
          recordingStatus: "pending",
          carrierRef: REF,
          sequence: 4,
        },
      }));
  it("bears the carrier's name, also when it is the first word of it", () =>
    expect(given(requested, began, unknownOutcome).when(ended(40, 1)).events().at(-1)).toMatchObject({
      data: { carrierRef: REF },
    }));
  it("implies the answer that was missed", () => {
    const events = given(requested, began, ringing).when(ended(40, 4)).events();
    expect(events).toMatchObject([
      { type: "CallConnected", data: { at: at(10), answeredBy: "human", sequence: null } },
      { type: "CallCompleted", data: { durationSeconds: 30, cost: 5_000 } },
    ]);
  });
  it("implies an answer by nobody known when the carrier does not say", () =>
    expect(
      given(requested, began, ringing)
        .when(ended(40, 4, { answeredBy: null }))
        .events()[0],
    ).toMatchObject({ data: { answeredBy: "unknown" } }));
  it("fails an unanswered call for nothing", () =>
    given(requested, began, ringing)
      .when(ended(40, 2, { endReason: "busy", endedBy: null, answeredAt: null, answeredBy: null }))
      .thenEvents({
        type: "CallFailed",
        data: { ...failure, at: at(40), endReason: "busy", endedBy: null, carrierRef: REF, sequence: 2 },
      }));
  it("charges a machine that answered", () =>
    expect(
      given(requested, began, connected)
        .when(ended(25, 4, { endReason: "voicemail" }))
        .events(),
    ).toMatchObject([
      { type: "CallFailed", data: { endReason: "voicemail", durationSeconds: 15, cost: 2_500 } },
    ]));
  it("charges nothing for an end that is never charged, whoever answered", () =>
    expect(
      given(requested, began, connected)
        .when(ended(25, 4, { endReason: "busy" }))
        .events(),
    ).toMatchObject([{ type: "CallFailed", data: { endReason: "busy", durationSeconds: 15, cost: 0 } }]));
  it("is api_ended when the carrier calls the end of an answered call canceled", () =>
    expect(
      given(requested, began, connected)
        .when(ended(25, 4, { endReason: "canceled" }))
        .events(),
    ).toMatchObject([{ type: "CallCompleted", data: { endReason: "api_ended" } }]));
  it("never completes a call that nobody answered", () =>
    expect(
      given(requested, began, ringing)
        .when(ended(40, 2, { answeredAt: null }))
        .events(),
    ).toMatchObject([{ type: "CallFailed", data: { endReason: "carrier_error" } }]));
  it("has no recording when the carrier made none", () =>
    expect(
      given(requested, began, connected)
        .when(ended(25, 4, { recordingExpected: false }))
        .events(),
    ).toMatchObject([{ data: { recordingStatus: "none" } }]));
  it("never lies before the answer, nor in our future", () => {
    expect(given(requested, began, connected).when(ended(5, 4)).events()).toMatchObject([
      { data: { at: at(10), durationSeconds: 0, cost: 0 } },
    ]);
    const future = { ...ended(100, 4), now: at(30) };
    expect(given(requested, began, connected).when(future).events()).toMatchObject([
      { data: { at: at(30), durationSeconds: 20 } },
    ]);
  });
  it("bills nobody for a clock that jumped", () =>
    expect(given(requested, began, connected).when(ended(90_000, 4)).events()).toMatchObject([
      { data: { durationSeconds: 630 } },
    ]));
});

describe("asking for the end", () => {
  const ask = { type: "RequestEnd", by: "api", reason: "api", now: at(20) } as const;
  it("before the dial it is the end", () =>
    given(requested)
      .when(ask)
      .thenEvents(endWanted, {
        type: "CallFailed",
        data: { ...failure, at: at(20), endReason: "canceled", endedBy: "api", carrierRef: null },
      }));
  it("after it the carrier has to agree", () =>
    given(requested, began, ringing).when(ask).thenEvents(endWanted));
  it("twice is once, and after the end nothing", () => {
    given(requested, began, ringing, endWanted).when(ask).thenEvents();
    given(requested, began, connected, completed).when(ask).thenEvents();
  });
  it("for the maximum duration only of an answered call", () => {
    given(requested, began, ringing)
      .when({ ...ask, by: "system", reason: "max_duration" })
      .thenEvents();
    given(requested, began, connected)
      .when({ ...ask, by: "system", reason: "max_duration" })
      .thenTypes("CallEndRequested");
  });
  it("makes an unanswered end canceled, by who asked", () =>
    expect(
      given(requested, began, ringing, endWanted)
        .when(ended(21, 2, { endReason: "canceled", endedBy: "system", answeredAt: null }))
        .events(),
    ).toMatchObject([{ type: "CallFailed", data: { endReason: "canceled", endedBy: "api" } }]));
  it("makes an answered end api_ended, or max_duration when that was the reason", () => {
    const longest = {
      type: "CallEndRequested",
      data: { callId, at: at(610), by: "system", reason: "max_duration" },
    } as const;
    const hungUp = ended(611, 4, { endReason: "api_ended", endedBy: null });
    expect(given(requested, began, connected, endWanted).when(hungUp).events()).toMatchObject([
      { data: { endReason: "api_ended", endedBy: "api" } },
    ]);
    expect(given(requested, began, connected, longest).when(hungUp).events()).toMatchObject([
      { data: { endReason: "max_duration", endedBy: "system" } },
    ]);
  });
  it("makes the end after it what was wished for, whatever the carrier says", () => {
    expect(given(requested, began, connected, endWanted).when(ended(21, 4)).events()).toMatchObject([
      { type: "CallCompleted", data: { endReason: "api_ended", endedBy: "api" } },
    ]);
    const busy = ended(21, 2, { endReason: "busy", endedBy: null, answeredAt: null });
    expect(given(requested, began, ringing, endWanted).when(busy).events()).toMatchObject([
      { type: "CallFailed", data: { endReason: "canceled", endedBy: "api" } },
    ]);
  });
  it("leaves the customer their own end when it came before the wish", () =>
    expect(
      given(requested, began, connected, endWanted)
        .when({ ...ended(19, 4), now: at(22) })
        .events(),
    ).toMatchObject([{ data: { endReason: "customer_ended", endedBy: "customer" } }]));
});

describe("a recording", () => {
  const recording = {
    type: "RecordRecording",
    status: "available",
    recordingRef: "rec-1",
    ...fact(45, 5),
  } as const;
  it("that is there, or is to come, can fail afterwards, once, with its reason; one that is erased or not there cannot", () => {
    const fail = { type: "FailRecording", reason: "too large", now: at(50) } as const;
    const there = [requested, began, connected, completed] as const;
    const [available] = given(...there)
      .when(recording)
      .events();
    if (available === undefined) throw new Error("nothing was recorded");
    const failed = {
      type: "CallRecordingAvailable",
      data: {
        callId: REQUEST.callId,
        at: at(50),
        carrierRef: "carrier-1",
        sequence: null,
        status: "failed",
        recordingRef: null,
        reason: "too large",
      },
    } as const;
    given(...there, available)
      .when(fail)
      .thenEvents(failed);
    given(...there, available, failed)
      .when(fail)
      .thenEvents();
    given(...there)
      .when(fail)
      .thenEvents(failed);
    const [withoutOne] = given(requested, began, connected)
      .when(ended(40, 4, { recordingExpected: false }))
      .events();
    if (withoutOne === undefined) throw new Error("it has not ended");
    given(requested, began, connected, withoutOne).when(fail).thenEvents();
    const erased = {
      type: "CallContentErased",
      data: { callId: REQUEST.callId, at: at(49), erasureId: "ers_1" },
    } as const;
    given(...there, available, erased)
      .when(fail)
      .thenEvents();
  });
  it("comes after the end, once", () => {
    const recorded = given(requested, began, connected, completed).when(recording).events();
    expect(recorded).toEqual([
      {
        type: "CallRecordingAvailable",
        data: {
          callId,
          at: at(45),
          status: "available",
          recordingRef: "rec-1",
          carrierRef: REF,
          sequence: 5,
        },
      },
    ]);
    given(requested, began, connected, completed, ...recorded)
      .when({ ...recording, ...fact(46, 6) })
      .thenEvents();
    given(requested, began, connected, completed, ...recorded)
      .when(recording)
      .thenEvents();
  });
  it("is none of a call that nobody answered", () =>
    given(requested, began, ringing).when(recording).thenEvents());
  it("under a foreign name is only recorded", () =>
    expect(
      given(requested, began, connected, completed)
        .when({ ...recording, carrierRef: "stranger" })
        .events(),
    ).toMatchObject([{ type: "LateCarrierEventRecorded", data: { carrierEventType: "recording" } }]));
  it("that overtook the end is not lost by it", () => {
    const early = given(requested, began, connected).when(recording).events();
    const history = [requested, began, connected, ...early, completed];
    expect(history.reduce(callDecider.evolve, callDecider.initialState()).recordingStatus).toBe("available");
    given(...history)
      .when({ ...recording, ...fact(46, 6) })
      .thenEvents();
  });
  it("that failed stays failed", () => {
    const lost = given(requested, began, connected, completed)
      .when({ ...recording, status: "failed", recordingRef: null })
      .events();
    given(requested, began, connected, completed, ...lost)
      .when({ ...recording, ...fact(46, 6) })
      .thenEvents();
  });
});
