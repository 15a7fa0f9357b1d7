import { expect, it } from "vitest";
import { createLostSessions } from "../../../application/conversation/lost-sessions.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { conversationWorld } from "../../support/conversation/conversation-world.ts";

const GREETING = "Good morning, this is a long greeting that takes more than four seconds to be said.";

/** A process dies while it greets; what was told of it then stands for its row. */
async function lostCall() {
  const world = await conversationWorld({ call: { greetingMessage: GREETING } });
  const { clock, request } = world;
  let dead = false;
  let seenAt: Instant | null = null;
  const dying = world.startProcess(() => dead);
  await world.connect({}, dying);
  await world.pass(2_000);
  seenAt = clock.now();
  dead = true;
  const forgotten: CallId[] = [];
  const watch = createLostSessions({
    calls: world.aggregates.calls,
    eventStore: world.eventStore,
    codec: world.codec,
    pinnedConversations: { read: async () => null },
    clock,
    logger: silentLogger,
    processId: "two",
    admission: { dueLooks: async () => [] },
    presence: {
      lost: async (millis) =>
        forgotten.length === 0 && clock.nowMillis() - Date.parse(String(seenAt)) > millis
          ? [request.callId]
          : [],
      unknown: async () => [],
      forget: async (callId) => void forgotten.push(callId),
      seenAt: async () => seenAt,
    },
  });
  return { world, watch, forgotten };
}

it("ends the session of a process that died, with what was heard until it was seen last", async () => {
  const { world, watch, forgotten } = await lostCall();
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  await world.pass(5_000);
  expect(world.types().slice(-1)).toEqual(["CallMessageAdded"]);
  await world.pass(4_000);
  stop.abort();
  await world.pass(2_000);
  await running;
  const [cut, ended] = world.events().slice(-2);
  expect(cut).toMatchObject({
    type: "CallSpeechCut",
    data: { messageIndex: 0, precision: "estimated", heard: "Good morning, this is a long" },
  });
  expect(ended).toMatchObject({ type: "CallSessionEnded", data: { epoch: 1, cause: "process_lost" } });
  expect(forgotten).toEqual([world.request.callId]);
});

it("leaves a call alone that another process has taken up", async () => {
  const { world, watch } = await lostCall();
  await world.connect();
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  await world.pass(5_000);
  stop.abort();
  await world.pass(2_000);
  await running;
  expect(world.events().filter(({ type }) => type === "CallSessionEnded")).toEqual([]);
});

it("asks when the session before was seen last only when there was one that did not end", async () => {
  const world = await conversationWorld({ call: { greetingMessage: GREETING } });
  let dead = false;
  let asked = 0;
  const seenAt = () => {
    asked += 1;
    return null;
  };
  await world.connect(
    {},
    world.startProcess(() => dead, seenAt),
  );
  await world.pass(2_000);
  expect(asked).toBe(0);
  dead = true;
  await world.connect(
    {},
    world.startProcess(() => false, seenAt),
  );
  expect(asked).toBe(1);
});
