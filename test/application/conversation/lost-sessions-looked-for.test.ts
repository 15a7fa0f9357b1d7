import { describe, expect, it } from "vitest";
import type { CallEvent } from "../../../domain/call/events.ts";
import { at, completed } from "../../domain/call/example-call.ts";
import { session, sessionEnded } from "../../domain/call/example-conversation.ts";
import { watchedSession } from "./watched-sessions.ts";

const failed: CallEvent = {
  type: "CallFailed",
  data: {
    callId: "call_1",
    at: at(2),
    endReason: "not_placed",
    endedBy: null,
    durationSeconds: null,
    cost: 0,
    recordingStatus: "none",
    carrierRef: null,
    sequence: null,
    error: null,
  },
};

describe("a session that began here or elsewhere", () => {
  it("is asked about once, 6 s after its beginning: by then its process has told of it", async () => {
    const { watch, asked, look, world } = await watchedSession();
    watch.hear(session(1, 1));
    await look(12_000);
    expect(asked.unknown).toEqual([[7_000, "call_1"]]);
    expect(world.types().at(-1)).toBe("CallMessageAdded");
  });

  it("and of which nobody tells is ended", async () => {
    const { watch, asked, look, world } = await watchedSession({ unknown: ["call_1"] });
    watch.hear(session(1, 0));
    await look(7_000);
    expect(world.types().at(-1)).toBe("CallSessionEnded");
    expect(asked.forgotten).toEqual(["call_1"]);
  });

  it.each([
    ["its session ended", sessionEnded(1, 2)],
    ["the call ended", completed],
    ["the call failed", failed],
  ])("is not asked about once %s", async (_why, event) => {
    const { watch, asked, look } = await watchedSession({ unknown: ["call_1"] });
    watch.hear(session(1, 1));
    watch.hear(event);
    await look(12_000);
    expect(asked.unknown).toEqual([]);
  });

  it("is asked about at the same time whatever else happens to the call", async () => {
    const { watch, asked, look } = await watchedSession();
    watch.hear(session(1, 1));
    watch.hear({
      type: "CallRinging",
      data: { callId: "call_1", at: at(2), carrierRef: "ref", sequence: 1 },
    });
    await look(12_000);
    expect(asked.unknown).toEqual([[7_000, "call_1"]]);
  });
});

describe("whoever starts", () => {
  it("asks once for every call that is open, up to a day ahead and 2,000 of them, and about each 6 s later", async () => {
    const { asked, look } = await watchedSession({ live: ["call_1", "call_2"] });
    await look(12_000);
    expect(asked.live).toEqual([[1_000, at(1 + 24 * 60 * 60), 2_000]]);
    expect(asked.unknown).toEqual([[7_000, "call_1", "call_2"]]);
  });

  it("has heard of a session already and asks about it no later for that", async () => {
    const { watch, asked, look } = await watchedSession({ live: ["call_1"] });
    watch.hear(session(1, -1));
    await look(12_000);
    expect(asked.unknown).toEqual([[5_000, "call_1"]]);
  });

  it("asks again for the open calls when the tables were away, and says so", async () => {
    const known = await watchedSession({ live: ["call_1"] });
    const { asked, look, logger, tables } = known;
    let times = 0;
    Object.defineProperty(tables, "live", {
      get: () => {
        times += 1;
        if (times === 1) throw new Error("the database is away");
        return ["call_1"];
      },
    });
    await look(12_000);
    expect(asked.live.map(([millis]) => millis)).toEqual([1_000, 3_000]);
    expect(asked.unknown).toEqual([[9_000, "call_1"]]);
    expect(logger.lines).toEqual([
      {
        level: "error",
        message: "sessions of processes that are gone not looked for; tries again",
        fields: { error: expect.any(Error) },
      },
    ]);
  });
});

it("every 2 s asks for at most 100 calls whose process was not seen for 6 s, and ends those before the unknown ones", async () => {
  const { watch, asked, look } = await watchedSession({ lost: ["call_3"], unknown: ["call_2"] });
  const began = { at: at(-6), epoch: 1, kind: "relay", gapMillis: null } as const;
  watch.hear({ type: "CallSessionBegan", data: { ...began, callId: "call_2" } });
  await look(4_500);
  expect(asked.lost).toEqual([
    [6_000, 100],
    [6_000, 100],
    [6_000, 100],
  ]);
  expect(asked.forgotten).toEqual(["call_3", "call_2"]);
});
