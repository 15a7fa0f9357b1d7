import { describe, expect, it } from "vitest";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import { createRelaySession } from "../../../infrastructure/voice/relay/relay-session.ts";
import {
  type ConversationWorld,
  conversationWorld,
  SPEAKER,
  until,
  type WorldSettings,
} from "../../support/conversation/conversation-world.ts";
import type { LineSession } from "../../support/conversation/line-session.ts";
import { socketPair } from "../../support/voice/socket-pair.ts";

function toolOf(
  functionName: string,
  changes: Partial<PinnedSpeaker["tools"][number]> = {},
): PinnedSpeaker["tools"][number] {
  const base = {
    toolId: "tool_1",
    name: functionName,
    description: "d",
    config: { method: "POST" },
  } as const;
  return { ...base, functionName, type: "API_REQUEST", ...changes };
}

/** Greeting heard, one turn of the customer, and so much time after it. */
async function afterOneTurn(
  settings: WorldSettings,
  millis: number,
): Promise<ConversationWorld & { readonly line: LineSession }> {
  const world = await conversationWorld(settings);
  const line = await world.connect();
  await world.pass(3_000);
  line.say("How are you?");
  await world.pass(millis);
  return { ...world, line };
}

describe("a conversation", () => {
  it("greets, answers a turn, and says its last word when the customer hangs up", async () => {
    const { line, pass, transcript, types, wishes } = await afterOneTurn({}, 4_000);
    line.close("hung_up");
    await pass(1_000);
    expect(transcript()).toEqual([
      "greeting: Hello, this is Ada.",
      "customer: How are you?",
      "answer: Fine, thank you.",
    ]);
    expect([types()[5], types().at(-1)]).toEqual(["CallConversationStarted", "CallSessionEnded"]);
    expect(wishes).toEqual([]);
  });

  it("says the notice of a recording before the greeting, and nobody interrupts it", async () => {
    const world = await conversationWorld({
      speakers: [{ ...SPEAKER, recordingNotice: "This call is recorded." }],
    });
    const line = await world.connect();
    await world.pass(500);
    line.startSpeaking();
    await world.pass(4_000);
    expect(line.said()[0]).toMatchObject({ text: "This call is recorded.", heard: "This call is recorded." });
    expect(world.transcript()).toEqual(["notice: This call is recorded.", "greeting: |Hello, this is Ada."]);
  });

  it("keeps what was heard when it is interrupted, also of an answer that is not complete", async () => {
    const answer = () => [{ text: "One two three four " }, { wait: 5_000 }, { text: "five" }];
    const { line, pass, transcript } = await afterOneTurn({ answer }, 800);
    line.say("Stop.");
    await pass(200);
    expect(transcript().slice(2)).toEqual(["answer: One two thre|e four ", "customer: Stop."]);
  });

  it("asks again with the words that join when the customer goes on before the answer", async () => {
    const answer = () => [{ wait: 1_000 }, { text: "Fine." }];
    const { line, pass, requests } = await afterOneTurn({ answer }, 500);
    line.say("I mean today.");
    await pass(3_000);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "How are you? I mean today." });
  });

  it("prompts twice in silence and then ends the call", async () => {
    const world = await conversationWorld();
    await world.connect();
    await world.pass(40_000);
    expect(world.transcript().slice(1)).toEqual([
      "prompt: Are you still there?",
      "prompt: I cannot hear you. Are you still on the line?",
    ]);
    expect(world.wishes).toEqual([{ by: "system", reason: "silence_timeout" }]);
  });

  it("ends by end_call after its goodbye was heard", async () => {
    const answer = () => [{ text: "Goodbye then." }, { call: "end_call" }];
    const world = await afterOneTurn({ answer }, 500);
    expect(world.wishes).toEqual([]);
    await world.pass(1_000);
    expect(world.wishes).toEqual([{ by: "assistant", reason: "assistant_ended" }]);
    expect(world.line.said().at(-1)?.heard).toBe("Goodbye then.");
  });

  it("speaks with a line that runs faster in the line's time", async () => {
    const world = await conversationWorld();
    await world.connect({ speed: 100 });
    await world.pass(500);
    expect(world.wishes).toEqual([{ by: "system", reason: "silence_timeout" }]);
  });

  it("warns before the longest duration, and ends there", async () => {
    const answer = () => [{ text: "Yes." }];
    const world = await afterOneTurn({ answer, call: { maxDurationSeconds: 12 } }, 7_500);
    expect(world.transcript().at(-1)).toBe("warning: I am sorry, our time is nearly over.");
    await world.pass(2_000);
    expect(world.wishes).toEqual([{ by: "system", reason: "max_duration" }]);
  });

  it("does not count the time for which the line stands still, neither for its end nor for silence", async () => {
    const world = await conversationWorld({ call: { maxDurationSeconds: 12 } });
    const line = await world.connect({ stoodMillis: () => Math.min(world.clock.monotonicMillis(), 30_000) });
    await world.pass(41_000);
    expect([world.wishes, world.transcript().filter((each) => !each.startsWith("greeting"))]).toEqual([
      [],
      [expect.stringMatching(/^prompt: /), expect.stringMatching(/^warning: /)],
    ]);
    await world.pass(2_000);
    expect(world.wishes).toEqual([{ by: "system", reason: "max_duration" }]);
    expect(line.closedWith()).toBe("finished");
  });

  it("collects keys until # or a pause as one turn", async () => {
    const world = await conversationWorld();
    const line = await world.connect();
    await world.pass(2_000);
    for (const digit of "12#") line.press(digit);
    await world.pass(3_000);
    line.press("7");
    await world.pass(3_000);
    const asked = world.requests.map(({ messages }) => messages.at(-1)?.content);
    expect(asked).toEqual(["[keys: 12]", "[keys: 7]"]);
    expect(world.transcript().filter((line) => line.startsWith("customer"))).toEqual([
      "customer: [keys: 12]",
      "customer: [keys: 7]",
    ]);
    const told = world.requests.at(-1)?.messages.map(({ content }) => content);
    expect(told?.filter((content) => content?.includes("[keys: 12]"))).toHaveLength(1);
  });

  it("keeps the words after pressed keys where they belong, also when a cut names a message", async () => {
    const world = await conversationWorld();
    const line = await world.connect();
    await world.pass(2_000);
    for (const digit of "12#") line.press(digit);
    await world.pass(600);
    line.startSpeaking();
    await world.pass(1_000);
    line.close("hung_up");
    await world.pass(1_000);
    const cut = world.events().find(({ type }) => type === "CallSpeechCut");
    const { messageIndex } = cut?.type === "CallSpeechCut" ? cut.data : { messageIndex: null };
    const messages = world
      .events()
      .flatMap((event) => (event.type === "CallMessageAdded" ? [event.data.message] : []));
    expect(messages.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(messages.find(({ index }) => index === messageIndex)?.content).toBe("Fine, thank you.");
  });
});

describe("a model that does not answer", () => {
  it("brings a filler after 5 s, one more try after 12 s, then the fallback", async () => {
    const world = await afterOneTurn({ answer: () => [{ wait: 60_000 }] }, 27_000);
    expect(world.requests).toHaveLength(2);
    expect(world.transcript().slice(2)).toEqual([
      "filler: One moment, please.",
      "fallback: I am sorry, I could not follow that. Could you say it again?",
    ]);
  });

  it("ends the call with an apology at the second failed turn in a row", async () => {
    const world = await afterOneTurn({ answer: () => [{ fail: "refused" }] }, 6_000);
    world.line.say("Hello?");
    await world.pass(8_000);
    expect(world.transcript().at(-1)).toMatch(/^fallback: I am sorry, something does not work/);
    expect(world.wishes).toEqual([{ by: "system", reason: "assistant_error" }]);
  });

  it.each([
    ["fails before a word: asked once more", "cut_off", 2],
    ["would say the same again: not asked again", "refused", 1],
  ] as const)("%s", async (_rule, fail, times) => {
    const world = await afterOneTurn({ answer: () => [{ fail }] }, 1_000);
    expect(world.requests).toHaveLength(times);
  });

  it("keeps the words that went out, and is asked again with them", async () => {
    const world = await afterOneTurn(
      {
        answer: (_request, number) =>
          number === 1 ? [{ wait: 100 }, { text: "I think" }, { fail: "cut_off" }] : [{ text: "yes." }],
      },
      2_000,
    );
    expect(world.transcript().slice(2)).toEqual(["answer: I think", "answer: yes."]);
    expect(world.requests[1]?.messages.at(-1)).toEqual({ role: "assistant", content: "I think" });
  });

  it("streams for ever: the answer ends at 2,000 characters", async () => {
    const world = await afterOneTurn({ answer: () => [{ forever: "blah ".repeat(20) }] }, 10_000);
    expect(world.transcript()[2]).toHaveLength("answer: ".length + 2_000);
  });
});

it("an answer that is too long is cut before a character, never through it", async () => {
  const { line, transcript } = await afterOneTurn(
    { answer: () => [{ text: `a${"😀".repeat(1_500)}` }] },
    1_000,
  );
  expect(line.said().at(-1)?.text).toBe(`a${"😀".repeat(999)}`);
  expect(transcript().at(-1)?.isWellFormed()).toBe(true);
});

describe("a tool", () => {
  const book = (number: number) =>
    number === 1 ? [{ call: "book", with: '{"day":"Friday"}' }] : [{ text: "Done." }];
  const speakers = [{ ...SPEAKER, tools: [toolOf("book")] }];

  it("runs after its beginning is durable, and the model gets its result", async () => {
    const world = await afterOneTurn({ speakers, answer: (_request, number) => book(number) }, 2_000);
    expect(world.toolRuns.map(({ toolCallId, arguments: given }) => [toolCallId, given])).toEqual([
      ["call_1-1", { day: "Friday" }],
    ]);
    expect(world.requests[1]?.messages.at(-1)).toEqual({
      role: "tool",
      toolCallId: "call_0",
      content: "200\nfine",
    });
    expect(world.transcript().at(-1)).toBe("answer: Done.");
  });

  it("goes back to the model as it came, with its id and its fields; a repeated id becomes ours", async () => {
    const fields = { extra_content: { google: { thought_signature: "CsUB" } }, function: { strict: true } };
    const world = await afterOneTurn(
      {
        speakers,
        answer: (_request, number) =>
          number < 3
            ? [{ call: "book", with: `{"day":"${number}"}`, id: "D681PevKs", fields }]
            : [{ text: "Done." }],
      },
      4_000,
    );
    const sent = world.requests.at(-1)?.messages.slice(-4) ?? [];
    expect(sent).toMatchObject([
      { role: "assistant", toolCalls: [{ id: "D681PevKs", fields }] },
      { role: "tool", toolCallId: "D681PevKs" },
      { role: "assistant", toolCalls: [{ id: "call_1-2", fields }] },
      { role: "tool", toolCallId: "call_1-2" },
    ]);
  });

  it.each([
    ["a number for a text", '{"day":4711}', { day: "4711" }],
    [
      "a number with more digits than a number keeps",
      '{"day":17841400000000001}',
      { day: "17841400000000001" },
    ],
    ["JSON in JSON", JSON.stringify('{"day":"Friday"}'), { day: "Friday" }],
    ["its only argument without a name", '"Friday"', { day: "Friday" }],
    ["characters that no store keeps", '{"day":"Fri\\u0000\\ud83dday"}', { day: "Fri\ufffd\ufffdday" }],
  ])("takes %s", async (_what, given, read) => {
    const world = await afterOneTurn(
      {
        speakers,
        argumentsSchema: () => ({ type: "object", properties: { day: { type: "string" } } }),
        answer: (_request, number) => (number === 1 ? [{ call: "book", with: given }] : [{ text: "Done." }]),
      },
      2_000,
    );
    expect(world.toolRuns.map((run) => run.arguments)).toEqual([read]);
    expect(world.transcript().at(-1)).toBe("answer: Done.");
  });

  it("does not leave when the log takes more than 2 s", async () => {
    const world = await conversationWorld({
      speakers,
      answer: (_request, number) => book(number),
      wrapStore: (store) => ({
        ...store,
        append: async (stream, expected, events) => {
          if (events.some(({ type }) => type === "CallToolBegan")) await world.clock.sleep(2_500);
          return store.append(stream, expected, events);
        },
      }),
    });
    const line = await world.connect();
    await world.pass(3_000);
    line.say("Book it.");
    await world.pass(6_000);
    expect(world.toolRuns).toEqual([]);
    const ended = world.events().find(({ type }) => type === "CallToolEnded");
    expect(ended?.data).toMatchObject({ outcome: "refused" });
  });

  it("with wrong arguments is answered to the model; the third fault fails the turn", async () => {
    const answer = () => [{ call: "book", with: "nonsense" }];
    const world = await afterOneTurn({ speakers, answer }, 3_000);
    expect(world.requests).toHaveLength(3);
    expect(world.toolRuns).toEqual([]);
    expect(world.transcript().at(-1)).toMatch(/^fallback/);
  });

  it("that changes something is never run again after a crash", async () => {
    const runTool = () => new Promise<never>(() => undefined);
    const world = await conversationWorld({
      speakers,
      runTool,
      answer: (_request, number) => book(number % 2),
    });
    let dead = false;
    const first = world.startProcess(() => dead);
    const line = await world.connect({}, first);
    await world.pass(3_000);
    line.say("Book it.");
    await world.pass(1_000);
    dead = true;
    line.die();
    await world.connect();
    await world.pass(30_000);
    const results = world
      .events()
      .flatMap((event) => (event.type === "CallToolEnded" ? [event.data.outcome] : []));
    expect(world.toolRuns).toHaveLength(1);
    expect(results[0]).toBe("unknown");
    expect(world.transcript().filter((words) => words.startsWith("greeting"))).toHaveLength(1);
  });
});

describe("a transfer", () => {
  const tools = [
    toolOf("transfer_call", {
      type: "TRANSFER_CALL",
      config: { to: "+14155550199", message: "I put you through." },
    }),
  ];
  const speakers = [{ ...SPEAKER, tools }];
  const answer = (_request: unknown, number: number) =>
    number === 1 ? [{ call: "transfer_call" }] : [{ text: "It did not work." }];

  const ends = (world: Pick<ConversationWorld, "events">) =>
    world
      .events()
      .filter(({ type }) => type === "CallToolEnded" || type === "CallSessionEnded")
      .map(({ data }) => data);

  it("goes to the tool's number after its message was heard; its end is the carrier's to report", async () => {
    const world = await afterOneTurn({ speakers, answer }, 5_000);
    expect(world.line.transferredTo()).toBe("+14155550199");
    expect(ends(world)).toMatchObject([{ outcome: "answered" }, { cause: "finished" }]);
    expect([world.wishes, world.types().includes("CallEndRequested")]).toEqual([[], false]);
  });

  it("over a relay is begun by its last word, and done when the other side closes the socket", async () => {
    const world = await conversationWorld({ speakers, answer });
    const { near, far } = socketPair();
    const sent: string[] = [];
    far.onText((text) => sent.push(text));
    const relay = createRelaySession({ socket: near, clock: world.clock, speed: 1 });
    near.onClose(() => relay.close("hung_up"));
    const { conversations } = world.startProcess();
    const arrival = { callId: world.request.callId, session: relay.session };
    const listener = await until(world.clock, conversations.arrive(arrival));
    if (listener === null) throw new Error("refused");
    relay.listen(listener);
    await world.pass(3_000);
    relay.receive({ type: "prompt", voicePrompt: "A colleague, please.", last: true });
    await world.pass(5_000);
    const last = { type: "end", handoffData: JSON.stringify({ transfer: "+14155550199" }) };
    expect(JSON.parse(sent.at(-1) ?? "")).toEqual(last);
    expect(ends(world)).toEqual([]);
    far.close(1_000, "");
    await world.pass(100);
    expect(ends(world)).toMatchObject([{ outcome: "answered" }, { cause: "finished" }]);
    expect([world.wishes, world.types().includes("CallEndRequested")]).toEqual([[], false]);
  });

  it("to a suppressed number does not happen, and the model is told", async () => {
    const world = await afterOneTurn({ speakers, answer, suppressed: ["+14155550199"] }, 6_000);
    expect(world.line.transferredTo()).toBeNull();
    expect(world.transcript().at(-1)).toBe("answer: It did not work.");
  });
});

describe("a machine that answers", () => {
  it.each([
    ["hang_up", null, "voicemail"],
    ["leave_message", "Please call us back.", "voicemail_message_left"],
  ] as const)("with the policy %s", async (voicemailPolicy, voicemailMessage, reason) => {
    const world = await conversationWorld({
      answeredBy: "machine",
      call: { voicemailPolicy, voicemailMessage },
    });
    const line = await world.connect();
    await world.pass(10_000);
    expect(world.wishes).toEqual([{ by: "system", reason }]);
    expect(line.said().map(({ heard }) => heard)).toEqual(
      voicemailMessage === null ? [] : [voicemailMessage],
    );
  });
});

describe("a log that does not answer", () => {
  it("brings a filler after 2 s, and an apology and the end after 10 s", async () => {
    let away = false;
    const world = await conversationWorld({
      wrapStore: (store) => ({
        ...store,
        append: (...given) => (away ? new Promise(() => undefined) : store.append(...given)),
      }),
    });
    const line = await world.connect();
    await world.pass(3_000);
    away = true;
    line.say("Hello?");
    await world.pass(25_000);
    const said = line.said().map(({ text }) => text);
    expect(said[1]).toBe("One moment, please.");
    expect(said[2]).toMatch(/^I am sorry, something does not work/);
    expect(said.join()).not.toContain("Fine");
    expect(world.wishes).toEqual([{ by: "system", reason: "assistant_error" }]);
  });

  it("does not let a flood of words fill the memory", async () => {
    const world = await conversationWorld();
    const line = await world.connect();
    await world.pass(2_000);
    for (let frame = 0; frame < 10_000; frame += 1) line.say("word");
    await world.pass(5_000);
    const words = world
      .events()
      .filter((event) => event.type === "CallMessageAdded" && event.data.message.role === "customer");
    expect(words.length).toBeLessThan(5);
  });
});

describe("a second session", () => {
  it("takes the conversation over, and the first falls silent", async () => {
    const world = await conversationWorld();
    const first = await world.connect();
    await world.pass(3_000);
    await world.connect();
    first.say("Are you there?");
    await world.pass(2_000);
    expect(first.closedWith()).toBe("finished");
    expect(world.transcript().some((words) => words.includes("Are you there"))).toBe(false);
  });
});
