import { describe, expect, it } from "vitest";
import type { ToolRun } from "../../../application/ports/tool-runner.ts";
import { silentMetrics } from "../../../simulation/memory/silent.ts";
import { conversationWorld, SPEAKER, until } from "../../support/conversation/conversation-world.ts";
import { createLineSession } from "../../support/conversation/line-session.ts";
import { keptLines } from "./kept-lines.ts";

const book = {
  toolId: "tool_1",
  name: "book",
  functionName: "book",
  type: "API_REQUEST",
  description: "books",
  config: { method: "POST" },
} as const;

describe("a conversation that breaks off by a fault of ours", () => {
  it("closes the line, asks for the end as the system's, says so in the log of the service, and is over", async () => {
    const logger = keptLines();
    const world = await conversationWorld({ logger });
    const { clock, request } = world;
    const line = createLineSession(clock);
    const session = {
      ...line.session,
      say: () => {
        throw new TypeError("x is undefined");
      },
    };
    const { conversations } = world.startProcess();
    const listener = await until(clock, conversations.arrive({ callId: request.callId, session }));
    await world.pass(1_000);
    expect(line.closedWith()).toBe("finished");
    expect(world.wishes).toEqual([{ by: "system", reason: "assistant_error" }]);
    expect(logger.lines).toEqual([
      {
        level: "error",
        message: "a conversation broke off",
        fields: { callId: "call_1", error: expect.any(TypeError) },
      },
    ]);
    await until(clock, conversations.allOver());
    const told = world.types();
    listener?.speechStarted();
    listener?.customerSaid("Hello?", null, false);
    listener?.closed("finished");
    await world.pass(5_000);
    expect([world.types(), world.requests, logger.lines.length]).toEqual([told, [], 1]);
  });
});

describe("the end of a conversation", () => {
  it("closes the line once the wish is durable, whether the carrier hangs up or not", async () => {
    const world = await conversationWorld({ call: { maxDurationSeconds: 6 } });
    const line = await world.connect();
    await world.pass(7_000);
    expect(world.wishes).toEqual([{ by: "system", reason: "max_duration" }]);
    // Its carrier would have hung up 300 ms later.
    expect(line.closedWith()).toBe("finished");
  });

  it("is there for whoever waits for it", async () => {
    const world = await conversationWorld();
    const process = world.startProcess();
    const line = await world.connect({}, process);
    await world.pass(3_000);
    line.close("hung_up");
    await until(world.clock, process.conversations.allOver());
    expect(world.clock.elapsed()).toBeLessThan(4_000);
  });
});

describe("what a conversation does on its line", () => {
  it("stops a greeting that a machine hears: the rest of it is dropped", async () => {
    const greetingMessage =
      "Good morning, this is a long greeting that takes more than four seconds to be said.";
    const call = { greetingMessage, voicemailPolicy: "leave_message", voicemailMessage: "Call us." } as const;
    const world = await conversationWorld({ answeredBy: "unknown", call });
    const line = await world.connect();
    await world.pass(1_000);
    line.hearMachine(true);
    await world.pass(10_000);
    expect(line.said().map(({ heard }) => heard)).toEqual(["Good morning, ", "Call us."]);
  });

  it("says nothing while the customer speaks, though the answer is there", async () => {
    const world = await conversationWorld();
    const line = await world.connect();
    await world.pass(3_000);
    line.say("How are you?");
    await world.pass(100);
    line.startSpeaking();
    await world.pass(1_000);
    expect(line.said()).toHaveLength(1);
    expect(line.violations).toEqual([]);
  });

  it("takes what the line tells meanwhile after all that it was about to do", async () => {
    const speakers = [{ ...SPEAKER, recordingNotice: "This call is recorded." }];
    const call = { voicemailPolicy: "leave_message", voicemailMessage: "Call us." } as const;
    const world = await conversationWorld({ answeredBy: "unknown", speakers, call });
    const { clock, request } = world;
    const done: string[] = [];
    const session = {
      ...createLineSession(clock).session,
      say: (id: number) => {
        done.push(`say ${id}`);
        if (id === 1) listener?.machineHeard(true);
      },
      clear: (id: number) => void done.push(`clear ${id}`),
    };
    const arrived = world.startProcess().conversations.arrive({ callId: request.callId, session });
    const listener = await until(clock, arrived);
    await world.pass(100);
    expect([...new Set(done)]).toEqual(["say 1", "say 2", "clear 1", "clear 2", "say 3"]);
  });

  it("gives up a tool that is still at work 2 s after the line was closed", async () => {
    const runs: ToolRun[] = [];
    const world = await conversationWorld({
      speakers: [{ ...SPEAKER, tools: [book] }],
      answer: () => [{ call: "book" }],
      runTool: (run) => {
        runs.push(run);
        return new Promise(() => undefined);
      },
    });
    const line = await world.connect();
    await world.pass(3_000);
    line.say("Book it.");
    await world.pass(500);
    line.close("hung_up");
    await world.pass(1_900);
    expect(runs.map(({ owner, signal }) => [owner, signal.aborted])).toEqual([["usr_1", false]]);
    await world.pass(200);
    expect(runs[0]?.signal.aborted).toBe(true);
    expect(line.transferredTo()).toBeNull();
    const result = world.events().find(({ type }) => type === "CallToolEnded");
    expect(result?.data).toMatchObject({ outcome: "unknown" });
  });
});

it("a turn is measured in seconds, and the tokens of its answer are counted", async () => {
  const observed: unknown[] = [];
  const counted: unknown[] = [];
  const world = await conversationWorld({
    metrics: {
      ...silentMetrics,
      observe: (...given) => void observed.push(given),
      count: (...given) => void counted.push(given),
    },
  });
  const line = await world.connect();
  await world.pass(3_000);
  line.say("How are you?");
  await world.pass(4_000);
  expect(observed).toEqual([
    ["ringfold_turn_seconds", 0, { stage: "end_of_turn" }],
    ["ringfold_turn_seconds", 0.2, { stage: "first_token" }],
    ["ringfold_turn_seconds", 0.2, { stage: "first_audio" }],
  ]);
  expect(counted).toEqual([
    ["ringfold_model_tokens_total", { direction: "input" }, 10],
    ["ringfold_model_tokens_total", { direction: "output" }, 5],
  ]);
});
