import { describe, expect, it } from "vitest";
import { at, ended } from "../../domain/call/example-call.ts";
import { until } from "../../support/conversation/conversation-world.ts";
import { watchedSession } from "./watched-sessions.ts";

const LOST = { lost: ["call_1"] } as const;
const SAID_LAST = ["CallSessionBegan", "CallMessageAdded"];
/** The first look is a second after the session's beginning, the next ones every 2 s. */
const FIRST_LOOK = 1_000;

describe("a session whose process is gone", () => {
  it("ends when its process was seen last, and what it was saying was heard until then", async () => {
    const { world, asked, look } = await watchedSession({ ...LOST, seenAt: async () => at(2) });
    await look(10_000);
    const [cut, end] = world.events().slice(-2);
    expect(cut).toMatchObject({
      type: "CallSpeechCut",
      data: { at: at(2), heard: "Hello, how are", heardMillis: 1_000 },
    });
    expect(end).toMatchObject({
      type: "CallSessionEnded",
      data: { at: at(2), epoch: 1, cause: "process_lost" },
    });
    expect([asked.forgotten, asked.seenAt]).toEqual([["call_1"], ["call_1"]]);
  });

  it("that nobody ever saw counts from its beginning: nothing that it said was heard", async () => {
    const { world, look } = await watchedSession(LOST);
    await look(10_000);
    expect(world.events().slice(-2)).toMatchObject([
      { type: "CallSpeechCut", data: { heard: "", heardMillis: 0 } },
      { type: "CallSessionEnded", data: { cause: "process_lost" } },
    ]);
  });

  it("is ended by the process that found it", async () => {
    const { world, look } = await watchedSession(LOST);
    await look(10_000);
    const last = world.database.streams.get(world.stream)?.events.at(-1);
    expect(JSON.stringify(last)).toContain("process:two");
  });

  it("is left alone for 6 s after its beginning: its process may not have told of it yet", async () => {
    const { world, asked, look } = await watchedSession(LOST);
    await look(6_000 - FIRST_LOOK - 1);
    expect([world.types().slice(-2), asked.forgotten]).toEqual([SAID_LAST, []]);
  });

  it("is ended 6 s after its beginning, to the millisecond", async () => {
    const { world, asked, look } = await watchedSession(LOST);
    await world.pass(5_000);
    await look(1);
    expect([world.types().at(-1), asked.forgotten]).toEqual(["CallSessionEnded", ["call_1"]]);
  });
});

describe("a row that is left of a session", () => {
  it("that said its last word is forgotten at once, and nothing is told", async () => {
    const { world, asked, look, elsewhere } = await watchedSession(LOST);
    const end = { type: "EndSession", cause: "hung_up", epoch: 1, at: at(1), now: at(1) } as const;
    await until(world.clock, elsewhere.handle(world.stream, [end], world.origin));
    await look(500);
    expect([world.types().at(-1), asked.forgotten, asked.seenAt]).toEqual([
      "CallSessionEnded",
      ["call_1"],
      [],
    ]);
    expect(world.events().at(-1)).toMatchObject({ data: { cause: "hung_up" } });
  });

  it("of a call that has ended is forgotten: only its own process may tell last words", async () => {
    const { world, asked, look, elsewhere } = await watchedSession(LOST);
    await world.pass(9_000);
    const over = ended(10, null, { carrierRef: "ref" });
    await until(world.clock, elsewhere.handle(world.stream, [over], world.origin));
    await look(500);
    expect([world.types().at(-1), asked.forgotten, asked.seenAt]).toEqual(["CallCompleted", ["call_1"], []]);
  });

  it("of a call that there is not is forgotten", async () => {
    const { asked, logger, look } = await watchedSession({ lost: ["call_2"] });
    await look(500);
    expect([asked.forgotten, logger.lines]).toEqual([["call_2"], []]);
  });
});

describe("a call that goes on elsewhere", () => {
  it("while it is looked at keeps its session, and its row", async () => {
    const session = await watchedSession(LOST);
    const { world, asked, begin, look, tables } = session;
    tables.seenAt = async () => {
      await begin();
      return at(2);
    };
    await world.pass(8_000);
    await look(500);
    expect([world.types().slice(-2), asked.forgotten]).toEqual([
      ["CallMessageAdded", "CallSessionBegan"],
      [],
    ]);
  });

  it("before the last word could be told is told nothing, and nobody calls it a fault", async () => {
    const { world, asked, begin, look, pinned, logger } = await watchedSession(LOST);
    pinned.read = async () => {
      await begin();
      return null;
    };
    await world.pass(8_000);
    await look(500);
    expect([world.types().slice(-2), asked.forgotten]).toEqual([
      ["CallMessageAdded", "CallSessionBegan"],
      ["call_1"],
    ]);
    expect(logger.lines).toEqual([]);
  });
});

it("a log that is away keeps the row: the session is ended at the next look", async () => {
  let away = false;
  const { world, asked, look, logger } = await watchedSession(LOST, {
    wrapStore: (store) => ({
      ...store,
      append: (...given) => {
        if (!away) return store.append(...given);
        away = false;
        return Promise.reject(new Error("the log is away"));
      },
    }),
  });
  await world.pass(8_000);
  away = true;
  await look(3_000);
  expect([world.types().slice(-2), asked.forgotten]).toEqual([
    ["CallSpeechCut", "CallSessionEnded"],
    ["call_1"],
  ]);
  expect(logger.lines).toEqual([
    {
      level: "error",
      message: "sessions of processes that are gone not looked for; tries again",
      fields: { error: expect.any(Error) },
    },
  ]);
});
