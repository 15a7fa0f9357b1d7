import { describe, expect, it } from "vitest";
import { storeWords } from "../../../application/conversation/storing.ts";
import type { Calls } from "../../../application/log/aggregates.ts";
import type { SessionCommand } from "../../../domain/conversation/effects.ts";
import { at, ended } from "../../domain/call/example-call.ts";
import { addUtterance, beginTool, endTool, spoken } from "../../domain/call/example-conversation.ts";
import { conversationWorld, until } from "../../support/conversation/conversation-world.ts";
import { keptLines } from "./kept-lines.ts";

const failTurn = (seconds: number) =>
  ({ type: "FailTurn", turn: 1, kind: "stalled", saidInstead: null, ...spoken(seconds) }) as const;
const judged = (seconds: number) =>
  ({
    type: "RecordMachineJudged",
    answeredBy: "machine",
    by: "sound",
    greetingEnded: false,
    policyApplied: null,
    occurredAt: at(seconds),
    now: at(seconds),
  }) as const;

/** A call with one session, and what its process wants to say; another process tells the end of the call. */
async function openSession() {
  const world = await conversationWorld();
  const { calls } = world.aggregates;
  const { stream, origin } = world;
  const logger = keptLines();
  const handle = (...commands: Parameters<Calls["handle"]>[1]) =>
    until(world.clock, calls.handle(stream, commands, origin));
  await handle({ type: "BeginSession", kind: "relay", now: at(1) });
  const elsewhere = world.startProcess().aggregates.calls;
  return {
    world,
    logger,
    handle,
    end: (seconds: number) =>
      until(world.clock, elsewhere.handle(stream, [ended(seconds, null, { carrierRef: "ref" })], origin)),
    store: (commands: readonly SessionCommand[], by: Pick<Calls, "handle"> = calls) =>
      until(
        world.clock,
        storeWords({ calls: { ...calls, handle: by.handle }, logger }, stream, origin, 7, commands),
      ),
  };
}

describe("words of a call that goes on", () => {
  it("are stored under their ticket, all together", async () => {
    const { world, store } = await openSession();
    expect(await store([beginTool(12, "call_1-1"), addUtterance(13)])).toEqual({
      type: "stored",
      ticket: 7,
      over: false,
    });
    expect(world.types().slice(-2)).toEqual(["CallToolBegan", "CallMessageAdded"]);
  });

  it("of a session that another has followed are not taken, and it is told so", async () => {
    const { world, store, handle, logger } = await openSession();
    await handle({ type: "BeginSession", kind: "relay", now: at(2) });
    expect(await store([addUtterance(12)])).toEqual({ type: "superseded" });
    expect(world.types().at(-1)).toBe("CallSessionBegan");
    expect(logger.lines).toEqual([]);
  });
});

describe("words that the end of the call overtook", () => {
  it("are told as of the end, and what only a live call takes is left out", async () => {
    const { world, store, end } = await openSession();
    await end(20);
    const words = [failTurn(20), addUtterance(20.5), beginTool(21, "call_1-1"), judged(21)];
    expect(await store(words)).toEqual({ type: "stored", ticket: 7, over: true });
    const last = world.events().slice(-2);
    expect(last.map(({ type }) => type)).toEqual(["CallCompleted", "CallMessageAdded"]);
    expect(last[1]?.data.at).toBe(at(20));
  });

  it("are the refusal of a tool that was about to begin: its session is told that the call is over", async () => {
    const { world, store, end } = await openSession();
    await end(20);
    for (const words of [[beginTool(21, "call_1-1")], [beginTool(21, "call_1-2"), failTurn(21)]])
      expect(await store(words)).toEqual({ type: "stored", ticket: 7, over: true });
    expect(world.types().at(-1)).toBe("CallCompleted");
  });

  it("keep the result of a tool that began before", async () => {
    const { world, store, end } = await openSession();
    await store([beginTool(12, "call_1-1")]);
    await end(20);
    expect(await store([endTool(21, "call_1-1")])).toMatchObject({ type: "stored", over: true });
    expect(world.events().at(-1)).toMatchObject({
      type: "CallToolEnded",
      data: { at: at(20), outcome: "answered" },
    });
  });

  it("are nothing when a live call alone would take them: the session falls silent", async () => {
    const { world, store, end, logger } = await openSession();
    await end(20);
    expect(await store([failTurn(21)])).toEqual({ type: "superseded" });
    expect(world.types().at(-1)).toBe("CallCompleted");
    expect(logger.lines).toEqual([]);
  });

  it("are not taken any more 3 s after the end", async () => {
    const { world, store, end } = await openSession();
    await end(20);
    expect(await store([addUtterance(23.001)])).toEqual({ type: "superseded" });
    expect(world.types().at(-1)).toBe("CallCompleted");
  });
});

describe("words that cannot be stored", () => {
  it("because the log is away are given back under their ticket, and the log of the service says so", async () => {
    const { world, store, logger } = await openSession();
    const handle = () => Promise.reject(new Error("the log is away"));
    expect(await store([addUtterance(12)], { handle })).toEqual({ type: "not_stored", ticket: 7 });
    expect(logger.lines).toEqual([
      {
        level: "error",
        message: "words of a conversation could not be stored",
        fields: { stream: world.stream, error: expect.any(Error) },
      },
    ]);
  });

  it("because they make no sense end no session", async () => {
    const { store } = await openSession();
    const cut = { messageIndex: 99, heard: "", heardMillis: 0, precision: "exact" } as const;
    expect(await store([{ type: "CutSpeech", ...cut, ...spoken(12) }])).toEqual({
      type: "not_stored",
      ticket: 7,
    });
  });

  it("after the end because the log is away are not taken for told", async () => {
    const { world, store, end } = await openSession();
    await end(20);
    let tries = 0;
    const handle: Calls["handle"] = (...given) => {
      tries += 1;
      return tries === 1
        ? world.aggregates.calls.handle(...given)
        : Promise.reject(new Error("the log is away"));
    };
    expect(await store([addUtterance(21)], { handle })).toEqual({ type: "not_stored", ticket: 7 });
  });
});
