import { beforeEach, describe, expect, it } from "vitest";
import { createCheckpointSaver } from "../../../application/log/checkpoint-saver.ts";
import { behindSince, inTurn } from "../../../application/log/in-turn.ts";
import { ageOf, followerProgress, tellProcessors } from "../../../application/log/processor-status.ts";
import type { FeedBatch } from "../../../application/ports/feed.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { silentMetrics } from "../../../simulation/memory/silent.ts";
import { recordedRequest } from "../../projections/example-events.ts";
import { movingClock } from "../../support/moving-clock.ts";

let clock: ReturnType<typeof movingClock>;
beforeEach(() => {
  clock = movingClock();
});
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (millis: number) => {
  clock.advance(millis);
  await settled();
};

describe("the status of a follower", () => {
  const event = recordedRequest(0);
  const batch = (changes: Partial<FeedBatch>): FeedBatch => ({
    events: [event],
    position: "7",
    caughtUp: false,
    ...changes,
  });

  it("tells where it stands, when it moved, and the age of what it has not taken", () => {
    const { took, status } = followerProgress(clock, "name");
    expect(status()).toEqual({ name: "name", position: "", lagMillis: 0, lastMovedAt: null, parked: 0 });
    clock.advance(Date.parse(event.created) - clock.nowMillis() + 5_000);
    took(batch({}));
    expect(status()).toMatchObject({ position: "7", lagMillis: 5_000, lastMovedAt: clock.now() });
    clock.advance(1_000);
    took(batch({ events: [], position: "8" }));
    expect(status()).toMatchObject({ position: "8", lagMillis: 6_000 });
    took(batch({ caughtUp: true }));
    expect(status()).toMatchObject({ lagMillis: 0 });
  });

  it("is never behind by less than nothing", () => {
    expect(ageOf(clock, "2026-09-01T10:00:01.000Z")).toBe(0);
  });

  it("is told in seconds; what never moved has no time of that", () => {
    const told = new Map<string, number>();
    const metrics: typeof silentMetrics = {
      ...silentMetrics,
      gauge: (name, value, labels) => void told.set(`${name} ${Object.values(labels).join()}`, value),
    };
    const standing = { name: "a", position: "12-7", lagMillis: 1_500, lastMovedAt: null, parked: 2 };
    tellProcessors(metrics, [standing, { ...standing, name: "b", position: "", lastMovedAt: clock.now() }]);
    expect(Object.fromEntries(told)).toEqual({
      "ringfold_processor_lag_seconds a": 1.5,
      "ringfold_processor_parked_events a": 2,
      "ringfold_processor_position a": 12,
      "ringfold_processor_lag_seconds b": 1.5,
      "ringfold_processor_parked_events b": 2,
      "ringfold_processor_position b": 0,
      "ringfold_processor_last_moved_timestamp_seconds b": clock.nowMillis() / 1_000,
    });
  });
});

describe("a processor whose turn it may be", () => {
  const turnOf = () => {
    const lost = new AbortController();
    const releases: string[] = [];
    const turn = { lost: lost.signal, release: () => void releases.push("released") };
    return { lost, turn, released: () => releases.length };
  };

  it("asks for it each second while another has it, and then works until it is lost", async () => {
    const { lost, released, turn } = turnOf();
    const asked: string[] = [];
    const meanwhile: string[] = [];
    const turns = {
      tryTake: async (processor: string) => {
        asked.push(processor);
        return asked.length === 3 ? turn : null;
      },
    };
    const stop = new AbortController();
    const work = (signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    const done = inTurn({ turns, clock }, "p", stop.signal, {
      work,
      meanwhile: async () => void meanwhile.push("looked"),
    });
    await settled();
    await pass(999);
    expect(asked).toHaveLength(1);
    await pass(1);
    await pass(1_000);
    expect([asked, meanwhile.length, released()]).toEqual([["p", "p", "p"], 2, 0]);
    lost.abort();
    await settled();
    expect([asked.length, released()]).toEqual([4, 1]);
    stop.abort();
    await done;
    expect(asked).toHaveLength(4);
  });

  it("gives it back when it stops, and when its work fails", async () => {
    for (const fails of [false, true]) {
      const { released, turn } = turnOf();
      const stop = new AbortController();
      const done = inTurn({ turns: { tryTake: async () => turn }, clock }, "p", stop.signal, {
        work: async () => {
          stop.abort();
          if (fails) throw new Error("broken");
        },
        meanwhile: async () => undefined,
      });
      if (fails) await expect(done).rejects.toThrow("broken");
      else await done;
      expect(released()).toBe(1);
    }
  });

  it("is behind since the oldest event was written that it has not taken", async () => {
    const asked: unknown[] = [];
    const log = (created: readonly Instant[]) => ({
      readAll: async (question: unknown) => {
        asked.push(question);
        const events = created.map((at) => ({ ...stored, created: at }));
        return { events, next: "9", atEnd: true };
      },
    });
    expect(await behindSince({ eventStore: log(["2026-09-01T10:00:00.000Z"]) }, "4")).toBe(
      "2026-09-01T10:00:00.000Z",
    );
    expect(await behindSince({ eventStore: log([]) }, "9")).toBeNull();
    expect(asked[0]).toEqual({ after: "4", limit: 1 });
  });
});

const { event: _event, ...heard } = recordedRequest(0);
const stored = { ...heard, type: "CallRequested", data: {} };

describe("a checkpoint", () => {
  /** `position` moves on, `saved` follows; each save takes until `finish`. */
  function saver({ fails = false } = {}) {
    const state = { position: 0, saved: 0, saves: 0 };
    const stop = new AbortController();
    const made = createCheckpointSaver(
      {
        clock,
        isSaved: () => state.saved === state.position,
        save: async () => {
          state.saves += 1;
          const { position } = state;
          await Promise.resolve();
          if (fails) throw new Error("refused");
          state.saved = position;
        },
        retryWhileTransient: (work) => work(),
      },
      stop.signal,
    );
    const move = () => {
      state.position += 1;
      made.moved();
    };
    return { state, stop, move, ...made };
  }

  it("is saved at once when nothing was saved lately, then no more than each 250 ms, with all that came until then", async () => {
    const { state, move } = saver();
    move();
    await settled();
    expect([state.saved, state.saves]).toEqual([1, 1]);
    move();
    move();
    await pass(249);
    expect([state.saved, state.saves]).toEqual([1, 1]);
    await pass(1);
    expect([state.saved, state.saves]).toEqual([3, 2]);
    await pass(1_000);
    expect(state.saves).toBe(2);
  });

  it("that is refused for good stops the work with its next move", async () => {
    const { move, moved } = saver({ fails: true });
    move();
    await settled();
    expect(moved).toThrow("refused");
  });

  it("is saved at the end in one try, and not when it is already; that it cannot be fails nobody", async () => {
    const { state, stop, move, end } = saver();
    move();
    await settled();
    move();
    stop.abort();
    await end();
    expect([state.saved, state.saves]).toEqual([2, 2]);
    await end();
    expect(state.saves).toBe(2);
    const refused = saver({ fails: true });
    refused.stop.abort();
    refused.move();
    expect(refused.state.saves).toBe(0);
    await expect(refused.end()).resolves.toBeUndefined();
    expect(refused.state.saves).toBe(1);
  });
});
