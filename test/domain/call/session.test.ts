import { describe, expect, it } from "vitest";
import { type CallCommand, callDecider } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { specOf } from "../../support/decider-spec.ts";
import { at, began, completed, connected, fact, REF, requested, ringing, talking } from "./example-call.ts";
import {
  addUtterance,
  answer,
  beginTool,
  EVIDENCE,
  endTool,
  handOver,
  session,
  sessionEnded,
  spoken,
  toolBegan,
} from "./example-conversation.ts";

const given = specOf(callDecider);
const callId = "call_1" as const;
const open = [requested, began, ringing, connected, session(1, 11)] as const;
const talks = [...open, talking] as const;
const begin = (seconds: number) => ({ type: "BeginSession", kind: "relay", now: at(seconds) }) as const;
const endSession = (seconds: number, epoch = 1) =>
  ({ type: "EndSession", cause: "hung_up", ...spoken(seconds, epoch) }) as const;

describe("a session", () => {
  it("begins with the next epoch, and says how long there was none", () => {
    given(requested, began, connected)
      .when(begin(11))
      .thenEvents({
        type: "CallSessionBegan",
        data: { callId, at: at(11), epoch: 1, kind: "relay", gapMillis: null },
      });
    given(...talks, sessionEnded(1, 20))
      .when(begin(22.5))
      .thenEvents({
        type: "CallSessionBegan",
        data: { callId, at: at(22.5), epoch: 2, kind: "relay", gapMillis: 2_500 },
      });
  });
  it("that begins beside an older one ends it", () => {
    given(...talks)
      .when(begin(20))
      .thenEvents({
        type: "CallSessionBegan",
        data: { callId, at: at(20), epoch: 2, kind: "relay", gapMillis: 0 },
      });
    given(...talks, session(2, 20))
      .when(addUtterance(21))
      .thenRefused("call.session-over");
    given(...talks, session(2, 20))
      .when(addUtterance(21, 2))
      .thenTypes("CallMessageAdded");
  });
  it("proves an answer that was not told, once the call has a name at the carrier", () => {
    given(requested, began, ringing)
      .when(begin(11))
      .thenEvents(
        {
          type: "CallConnected",
          data: { callId, at: at(11), answeredBy: "unknown", carrierRef: REF, sequence: null },
        },
        {
          type: "CallSessionBegan",
          data: { callId, at: at(11), epoch: 1, kind: "relay", gapMillis: null },
        },
      );
    given(requested, began).when(begin(11)).thenRefused("call.not-answered");
    given(requested).when(begin(11)).thenRefused("call.not-answered");
  });
  it("does not begin after the end", () =>
    given(requested, began, connected, completed).when(begin(41)).thenRefused("call.over"));
  it("ends once, with its last word", () => {
    given(...talks)
      .when(endSession(20))
      .thenEvents({ type: "CallSessionEnded", data: { callId, at: at(20), epoch: 1, cause: "hung_up" } });
    const over = given(...talks, sessionEnded(1, 20));
    over.when(endSession(21)).thenEvents();
    over.when(addUtterance(21)).thenRefused("call.session-over");
    over.when(endSession(21, 2)).thenRefused("call.session-over");
    given(...talks, session(2, 20))
      .when(endSession(21))
      .thenRefused("call.session-over");
  });
  it("speaks of a conversation only when there is one", () =>
    given(requested, began, connected).when(addUtterance(21)).thenRefused("call.session-over"));
});

describe("the conversation", () => {
  it("is in progress when the first of the greeting was given to the session, once", () => {
    const start = { type: "StartConversation", ...spoken(12) } as const;
    given(...open)
      .when(start)
      .thenEvents({
        type: "CallConversationStarted",
        data: { callId, at: at(12), carrierRef: null, sequence: null, epoch: 1 },
      });
    given(...talks)
      .when(start)
      .thenEvents();
    given(...open, completed)
      .when(start)
      .thenRefused("call.over");
  });
  it("is not in progress because the carrier says so, once there is a session", () =>
    given(...open)
      .when({ type: "RecordConversationStarted", ...fact(12, 3) })
      .thenEvents());
  it("numbers messages, tools and handoffs in one row, timed from the answer", () => {
    const history: CallEvent[] = [...talks];
    const commands: readonly CallCommand[] = [
      addUtterance(12),
      beginTool(13, "call_1-1"),
      endTool(14, "call_1-1"),
      handOver(15, "call_1-2"),
      addUtterance(16),
    ];
    for (const command of commands)
      history.push(
        ...given(...history)
          .when(command)
          .events(),
      );
    const places = history.flatMap((event) => {
      if (event.type === "CallMessageAdded") return [[event.data.message.index, event.data.message.offsetMs]];
      return event.type === "CallToolBegan" || event.type === "CallHandedOver"
        ? [[event.data.messageIndex, event.data.offsetMs]]
        : [];
    });
    expect(places).toEqual([
      [0, 2_000],
      [1, 3_000],
      [2, 5_000],
      [3, 6_000],
    ]);
  });
  it("keeps what a message says of itself, and whose session told it", () =>
    given(...talks)
      .when(addUtterance(12))
      .thenEvents({
        type: "CallMessageAdded",
        data: {
          callId,
          at: at(12),
          message: { ...answer, index: 0, at: at(12), offsetMs: 2_000 },
          carrierRef: null,
          sequence: null,
          epoch: 1,
        },
      }));
  it("never tells a time before the last one, nor in our future", () => {
    expect(
      given(...talks)
        .when(addUtterance(5))
        .events(),
    ).toMatchObject([{ data: { at: at(11) } }]);
    expect(
      given(...talks)
        .when({ ...addUtterance(90), now: at(30) })
        .events(),
    ).toMatchObject([{ data: { at: at(30) } }]);
  });
  it("counts digits and turns that failed", () => {
    given(...talks)
      .when({ type: "RecordDigits", turn: 2, digits: "12", assistantId: "ast_1", ...spoken(12) })
      .thenEvents(
        {
          type: "CallDigitsReceived",
          data: { callId, at: at(12), epoch: 1, turn: 2, digits: "12", count: 2, messageIndex: 0 },
        },
        {
          type: "CallMessageAdded",
          data: {
            ...{ callId, at: at(12), epoch: 1, carrierRef: null, sequence: null },
            message: {
              ...{ role: "customer", content: "[keys: 12]", assistantId: "ast_1" },
              ...{ turn: 2, index: 0, at: at(12), offsetMs: 2_000 },
            },
          },
        },
      );
    given(...talks)
      .when({ type: "FailTurn", turn: 2, kind: "stalled", saidInstead: "Sorry", ...spoken(12) })
      .thenEvents({
        type: "CallTurnFailed",
        data: { callId, at: at(12), epoch: 1, turn: 2, kind: "stalled", saidInstead: "Sorry" },
      });
  });
});

describe("a cut", () => {
  const cut = (seconds: number, messageIndex?: number) =>
    ({
      type: "CutSpeech",
      heard: "Hello",
      heardMillis: 400,
      precision: "exact",
      ...(messageIndex === undefined ? {} : { messageIndex }),
      ...spoken(seconds),
    }) as const;
  const said = given(...talks)
    .when(addUtterance(12))
    .events();

  it("is of the message that was added last, unless it names one", () => {
    const tool = toolBegan(13, "call_1-1", 1);
    given(...talks, ...said, tool)
      .when(cut(14))
      .thenEvents({
        type: "CallSpeechCut",
        data: {
          callId,
          at: at(14),
          epoch: 1,
          messageIndex: 0,
          heard: "Hello",
          heardMillis: 400,
          precision: "exact",
        },
      });
    expect(
      given(...talks, ...said)
        .when(cut(14, 0))
        .events(),
    ).toMatchObject([{ data: { messageIndex: 0 } }]);
  });
  it("happens once a message", () => {
    const events = given(...talks, ...said)
      .when(cut(14))
      .events();
    given(...talks, ...said, ...events)
      .when(cut(15))
      .thenEvents();
  });
  it("of what nobody said is refused", () => {
    given(...talks)
      .when(cut(14))
      .thenRefused("call.message-not-found", { messageIndex: null });
    given(...talks, ...said)
      .when(cut(14, 7))
      .thenRefused("call.message-not-found", { messageIndex: 7 });
  });
});

describe("a tool call", () => {
  it("begins once, and ends once", () => {
    const started = given(...talks)
      .when(beginTool(13, "call_1-1"))
      .events();
    expect(started).toEqual([toolBegan(13, "call_1-1", 0)]);
    given(...talks, ...started)
      .when(beginTool(14, "call_1-1"))
      .thenEvents();
    const finished = given(...talks, ...started)
      .when(endTool(14, "call_1-1"))
      .events();
    expect(finished).toEqual([
      {
        type: "CallToolEnded",
        data: {
          callId,
          at: at(14),
          epoch: 1,
          toolCallId: "call_1-1",
          outcome: "answered",
          shown: "42",
          isError: false,
          evidence: EVIDENCE,
        },
      },
    ]);
    given(...talks, ...started, ...finished)
      .when(endTool(15, "call_1-1"))
      .thenEvents();
    given(...talks, ...started, ...finished)
      .when(beginTool(15, "call_1-1"))
      .thenEvents();
  });
  it("that never began has no end", () =>
    given(...talks)
      .when(endTool(14, "call_1-9"))
      .thenEvents());
  it("is ended by the session that takes over", () =>
    given(...talks, toolBegan(13, "call_1-1", 0), session(2, 20))
      .when(endTool(21, "call_1-1", 2))
      .thenTypes("CallToolEnded"));
  it("hands over once", () => {
    const handed = given(...talks)
      .when(handOver(15, "call_1-2"))
      .events();
    expect(handed).toMatchObject([{ type: "CallHandedOver", data: { messageIndex: 0, to: "ast_2" } }]);
    given(...talks, ...handed)
      .when(handOver(16, "call_1-2"))
      .thenEvents();
  });
});

describe("after the end of the call", () => {
  const said = given(...talks)
    .when(addUtterance(12))
    .events();
  const over = [...talks, ...said, toolBegan(13, "call_1-1", 1), completed] as const;
  const lastWords: readonly (readonly [string, CallCommand])[] = [
    ["AddUtterance", { ...addUtterance(39), now: at(43) }],
    [
      "CutSpeech",
      {
        type: "CutSpeech",
        heard: "",
        heardMillis: 0,
        precision: "estimated",
        ...spoken(40),
        now: at(43),
      },
    ],
    [
      "RecordDigits",
      { type: "RecordDigits", turn: 1, digits: "1", assistantId: null, ...spoken(39), now: at(43) },
    ],
    ["EndTool", { ...endTool(40, "call_1-1"), now: at(43) }],
    ["EndSession", { ...endSession(41), now: at(43) }],
  ];
  it.each(lastWords)("%s is taken for 3 s, if it happened before", (type, command) => {
    expect(
      given(...over)
        .when(command)
        .events(),
    ).toHaveLength(type === "RecordDigits" ? 2 : 1);
    given(...over)
      .when({ ...command, now: at(43.001) } as CallCommand)
      .thenRefused("call.over");
  });
  it.each(lastWords)("%s tells no word of a call whose words are erased", (type, command) => {
    const erased = { type: "CallContentErased", data: { callId, at: at(41), erasureId: "ers_1" } } as const;
    const told = given(...over, erased).when(command);
    if (type === "EndSession") told.thenEvents({ type: "CallSessionEnded", data: expect.anything() });
    else told.thenRefused("call.over");
  });
  it.each(lastWords.filter(([type]) => type !== "EndSession"))(
    "%s is refused when it happened later",
    (_type, command) =>
      given(...over)
        .when({ ...command, at: at(40.001) } as CallCommand)
        .thenRefused("call.over"),
  );
  it.each([
    ["BeginTool", beginTool(39, "call_1-3")],
    ["HandOver", handOver(39, "call_1-3")],
    ["FailTurn", { type: "FailTurn", turn: 1, kind: "stalled", saidInstead: null, ...spoken(39) }],
    ["StartConversation", { type: "StartConversation", ...spoken(39) }],
  ] as const)("%s is refused", (_type, command) =>
    given(...over)
      .when(command)
      .thenRefused("call.over"),
  );
  it("stands as its end, whatever is told after it", () => {
    const words = lastWords.flatMap(([, command]) =>
      given(...over)
        .when(command)
        .events(),
    );
    const state = [...over, ...words].reduce(callDecider.evolve, callDecider.initialState());
    expect(state).toMatchObject({ status: "completed", endedAt: at(40), sessionOpen: false });
  });
});
