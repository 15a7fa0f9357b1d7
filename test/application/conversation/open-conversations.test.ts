import { describe, expect, it } from "vitest";
import { openConversations } from "../../../application/conversation/open-conversations.ts";
import type { PinnedSpeaker } from "../../../application/ports/pinned-conversations.ts";
import type { ToolRun } from "../../../application/ports/tool-runner.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import {
  ANSWERED,
  conversationWorld,
  SPEAKER,
  until,
} from "../../support/conversation/conversation-world.ts";
import { createLineSession } from "../../support/conversation/line-session.ts";
import { type Answer, scriptedModels } from "../../support/conversation/scripted-models.ts";

const NUMBER = "+14155550199";
const TOOLS: PinnedSpeaker["tools"] = [
  {
    toolId: "tool_1",
    name: "book",
    functionName: "book",
    type: "API_REQUEST",
    description: "books",
    config: { method: "POST", url: "https://shop.example.com/{day}" },
  },
  {
    toolId: "tool_2",
    name: "transfer",
    functionName: "transfer_call",
    type: "TRANSFER_CALL",
    description: "transfers",
    config: { to: NUMBER, message: "One moment." },
  },
];

/** One call, and the conversations of a process named "three"; what it tells the others is kept. */
async function opened(answers: readonly Answer[] = []) {
  const world = await conversationWorld();
  const { clock, eventStore, codec, aggregates } = world;
  const presence: (readonly [string, CallId])[] = [];
  const asked: unknown[] = [];
  const wishes: unknown[] = [];
  const runs: ToolRun[] = [];
  const speakers = [{ ...SPEAKER, tools: TOOLS }];
  const pinned = { version: 1, owner: "usr_1", squadId: null, squadName: null, speakers } as const;
  const models = scriptedModels(clock, (_request, number) => answers[number - 1] ?? [{ text: "Yes." }]);
  const conversing = {
    models: models.models,
    metrics: silentMetrics,
    tools: {
      run: async (run: ToolRun) => {
        runs.push(run);
        return ANSWERED;
      },
    },
    presence: {
      begun: (callId: CallId) => void presence.push(["begun", callId]),
      ended: (callId: CallId) => void presence.push(["ended", callId]),
      seenAt: async (callId: CallId) => {
        presence.push(["seenAt", callId]);
        return null;
      },
      lost: async () => [],
      unknown: async () => [],
      forget: async () => undefined,
    },
  };
  const conversations = openConversations(
    {
      eventStore,
      codec,
      clock,
      aggregates,
      logger: silentLogger,
      pinnedConversations: { read: async () => pinned },
      directory: {
        onOwnList: async (...given) => {
          asked.push(given);
          return new Set(given[1]);
        },
      },
      settings: { processId: "three" },
      conversing,
    },
    async (...given) => void wishes.push(given.slice(0, 2)),
  );
  if (conversations === null) throw new Error("this process talks");
  const process = { conversations, aggregates };
  return { world, process, presence, requests: models.requests, asked, runs, wishes };
}

/** Somebody speaks after the greeting. */
async function spoken(answers: readonly Answer[]) {
  const all = await opened(answers);
  const line = await all.world.connect({}, all.process);
  await all.world.pass(3_000);
  line.say("Hello?");
  await all.world.pass(6_000);
  return { ...all, line };
}

it("a process that has nothing to talk with has no conversations", async () => {
  const { eventStore, codec, clock, aggregates } = await conversationWorld();
  const deps = { eventStore, codec, clock, aggregates, logger: silentLogger };
  const none = openConversations(
    {
      ...deps,
      pinnedConversations: { read: async () => null },
      directory: { onOwnList: async () => new Set() },
      settings: { processId: "three" },
    },
    async () => undefined,
  );
  expect(none).toBeNull();
});

describe("a session that arrives", () => {
  it("is told to the other processes when it has begun, and when its line has closed", async () => {
    const { world, process, presence } = await opened();
    const line = await world.connect({}, process);
    expect(presence).toEqual([["begun", "call_1"]]);
    await world.pass(3_000);
    line.close("hung_up");
    expect(presence).toEqual([
      ["begun", "call_1"],
      ["ended", "call_1"],
    ]);
    await world.pass(1_000);
    expect(world.events().at(-1)).toMatchObject({ type: "CallSessionEnded", data: { cause: "hung_up" } });
  });

  it("of no call that there is is refused, and nobody is told of it", async () => {
    const { world, process, presence } = await opened();
    const { session } = createLineSession(world.clock);
    const arrived = process.conversations.arrive({ callId: "call_2", session });
    expect([await until(world.clock, arrived), presence]).toEqual([null, []]);
  });

  it("is recorded as this process's, and asks when the one before was seen that did not end", async () => {
    const { world, process, presence } = await opened();
    await world.connect({});
    await world.connect({}, process);
    expect(presence.map(([what]) => what)).toEqual(["seenAt", "begun"]);
    expect(JSON.stringify(world.database.streams.get(world.stream)?.events.at(-1))).toContain(
      "process:three",
    );
  });

  it("is waited for until its last word is durable; whose model it may ask is told until then", async () => {
    const { world, process } = await opened();
    expect(process.conversations.connections()).toEqual(new Set());
    const line = await world.connect({}, process);
    expect(process.conversations.connections()).toEqual(new Set([SPEAKER.modelConnectionId]));
    await world.pass(3_000);
    let over = false;
    void process.conversations.allOver().then(() => {
      over = true;
    });
    await world.pass(3_000);
    expect(over).toBe(false);
    line.close("hung_up");
    await world.pass(1_000);
    expect([over, world.types().at(-1)]).toEqual([true, "CallSessionEnded"]);
    expect(process.conversations.connections()).toEqual(new Set());
  });
});

describe("the tools of a conversation", () => {
  it("are offered with a schema of what the model is to fill", async () => {
    const { requests } = await spoken([]);
    expect(requests[0]?.tools.find(({ name }) => name === "book")?.parameters).toEqual({
      type: "object",
      properties: { day: { type: "string" } },
      required: ["day"],
      additionalProperties: false,
    });
  });

  it("run with arguments that fit; the model is told what is wrong with others", async () => {
    const { requests, runs } = await spoken([
      [{ call: "book", with: '{"date":"Friday"}' }],
      [{ call: "book", with: '{"day":"Friday"}' }],
    ]);
    expect(requests[1]?.messages.at(-1)?.content).toContain('The argument "day" is missing');
    expect(runs.map((run) => run.arguments)).toEqual([{ day: "Friday" }]);
  });

  it("hand no line to a number on the owner's do-not-call list", async () => {
    const { asked, line } = await spoken([[{ call: "transfer_call" }]]);
    expect([asked, line.transferredTo()]).toEqual([[["usr_1", [NUMBER]]], null]);
  });

  it("end a call by the process's own way to hang up", async () => {
    const { wishes } = await spoken([[{ text: "Bye." }, { call: "end_call" }]]);
    expect(wishes).toEqual([["call_1", { by: "assistant", reason: "assistant_ended" }]]);
  });
});
