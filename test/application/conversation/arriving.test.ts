import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { ended, FAR_SIDE } from "../../domain/call/example-call.ts";
import {
  type ConversationWorld,
  conversationWorld,
  until,
} from "../../support/conversation/conversation-world.ts";
import { createLineSession } from "../../support/conversation/line-session.ts";

const GREETING = "Good morning, this is a long greeting that takes more than four seconds to be said.";

/** A session that arrives at a process of its own. */
function arrive(world: ConversationWorld, callId: `call_${string}` = "call_1") {
  const line = createLineSession(world.clock, { kind: "relay" });
  const { conversations } = world.startProcess();
  return until(world.clock, conversations.arrive({ callId, session: line.session })).then((listener) => ({
    line,
    listener,
  }));
}

describe("a session", () => {
  it("of a call that there is not is refused", async () => {
    const world = await conversationWorld();
    expect((await arrive(world, "call_2")).listener).toBeNull();
  });

  it("of a call that is over is refused, and the log has nothing of it", async () => {
    const world = await conversationWorld();
    const over = ended(20, null, { carrierRef: "ref" });
    await until(world.clock, world.aggregates.calls.handle(world.stream, [over], world.origin));
    expect((await arrive(world)).listener).toBeNull();
    expect(world.types().at(-1)).toBe("CallCompleted");
  });

  it("of a call whose answer the carrier has not told proves it, and talks", async () => {
    const world = await conversationWorld();
    const { clock, request, origin, aggregates } = world;
    const stream = "call-call_2";
    await until(
      clock,
      aggregates.calls.handle(
        stream,
        [
          { type: "StartCall", request: { ...request, callId: "call_2" } },
          { type: "BeginDialing", now: clock.now(), suppressed: false, carrier: FAR_SIDE },
          { type: "RecordAccepted", carrierRef: "ref", now: clock.now() },
        ],
        origin,
      ),
    );
    const { line, listener } = await arrive(world, "call_2");
    await world.pass(500);
    expect(listener).not.toBeNull();
    expect(line.said().map(({ text }) => text)).toEqual([request.greetingMessage]);
    const connectedAt = await aggregates.calls.query(stream, (state) => state.connectedAt, { fresh: true });
    expect(connectedAt).toBe(request.at);
  });

  it("that another overtakes while it is taken up is refused", async () => {
    let overtakes = false;
    const world: ConversationWorld = await conversationWorld({
      wrapStore: (store): EventStore => ({
        ...store,
        append: async (...given) => {
          const result = await store.append(...given);
          if (!overtakes) return result;
          overtakes = false;
          const begin = { type: "BeginSession", kind: "relay", now: world.clock.now() } as const;
          await world.startProcess().aggregates.calls.handle(world.stream, [begin], world.origin);
          return result;
        },
      }),
    });
    overtakes = true;
    const { line, listener } = await arrive(world);
    await world.pass(1_000);
    expect([listener, line.said()]).toEqual([null, []]);
    expect(world.types().filter((type) => type === "CallSessionBegan")).toHaveLength(2);
  });

  it("is not refused for good when the log is away: whoever brings it hears that", async () => {
    let away = false;
    const world = await conversationWorld({
      wrapStore: (store) => ({
        ...store,
        append: (...given) => (away ? Promise.reject(new Error("the log is away")) : store.append(...given)),
      }),
    });
    away = true;
    await expect(arrive(world)).rejects.toThrow("the log is away");
  });

  it("that hears silence prompts the customer before our own clock would", async () => {
    const world = await conversationWorld();
    const { line, listener } = await arrive(world);
    if (listener === null) throw new Error("the session was refused");
    line.attach(listener);
    await world.pass(2_000);
    listener.silence();
    await world.pass(500);
    expect(line.said().map(({ text }) => text)).toEqual(["Hello, this is Ada.", "Are you still there?"]);
  });
});

describe("a session after one that was lost", () => {
  /** The first is lost after 2 s, the next one comes a second later. `seen`: ms after the first began. */
  async function resumed(seen: number | null) {
    const world = await conversationWorld({ call: { greetingMessage: GREETING } });
    const { clock, request } = world;
    let dead = false;
    await world.connect(
      {},
      world.startProcess(() => dead),
    );
    await world.pass(2_000);
    dead = true;
    await world.pass(1_000);
    const seenAt = seen === null ? null : plusMillis(request.at, seen);
    await world.connect(
      {},
      world.startProcess(
        () => false,
        () => seenAt,
      ),
    );
    await world.pass(1_000);
    expect(clock.elapsed()).toBeLessThan(5_000);
    return { world, events: world.events() };
  }

  it.each([
    ["its process was seen last, when that is known", 1_000, "Good morning,"],
    ["its beginning, when it was never seen", null, ""],
    [
      "the new one began, also when the row is younger than that",
      60_000,
      "Good morning, this is a long greeting that",
    ],
  ])("says that the greeting was heard until %s", async (_until, seen, heard) => {
    const { events } = await resumed(seen);
    const cuts = events.flatMap(({ type, data }) => (type === "CallSpeechCut" ? [data.heard] : []));
    expect(cuts).toEqual([heard]);
  });

  it("says when that one ended, that its process was lost, and how long nobody talked", async () => {
    const { world, events } = await resumed(1_000);
    const [first, last, next] = events.filter(({ type }) => type.startsWith("CallSession"));
    expect([first?.type, first?.data]).toMatchObject(["CallSessionBegan", { epoch: 1, gapMillis: null }]);
    const lostAt = plusMillis(world.request.at, 1_000);
    expect([last?.type, last?.data]).toEqual([
      "CallSessionEnded",
      { callId: "call_1", at: lostAt, epoch: 1, cause: "process_lost" },
    ]);
    if (next?.type !== "CallSessionBegan") throw new Error("no other session began");
    expect(next.data.epoch).toBe(2);
    expect(next.data.gapMillis).toBe(Date.parse(next.data.at) - Date.parse(lostAt));
    expect(next.data.gapMillis).toBeGreaterThanOrEqual(2_000);
  });

  it("in the same process leaves the end of that one to whoever talks in it", async () => {
    const world = await conversationWorld();
    const process = world.startProcess();
    await world.connect({}, process);
    await world.pass(2_000);
    await world.connect({}, process);
    await world.pass(1_000);
    const sessions = world.events().filter(({ type }) => type.startsWith("CallSession"));
    expect(sessions.map(({ type }) => type)).toEqual(["CallSessionBegan", "CallSessionBegan"]);
  });
});
