import { afterEach, expect, it } from "vitest";
import { followCalls } from "../../../application/call/reactions/follow-calls.ts";
import { followerProgress } from "../../../application/log/processor-status.ts";
import type { FeedBatch } from "../../../application/ports/feed.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { recordedRequest } from "../../projections/example-events.ts";
import { movingClock } from "../../support/moving-clock.ts";

const HEAD = "41";
const AWAY = new Error("the log is away");
const batchOf = (...revisions: readonly number[]): FeedBatch => {
  const events = revisions.map(recordedRequest);
  return { events, position: events.at(-1)?.position ?? HEAD, caughtUp: true };
};

const stop = new AbortController();
afterEach(() => stop.abort());

it("follows from the log's end of its start on, and after a failure a second later from where it was", async () => {
  const clock = movingClock();
  const asked: unknown[] = [];
  const heard: number[] = [];
  const errors: unknown[] = [];
  const followings = [[batchOf(41, 42), batchOf(43)], [batchOf(44)]];
  const progress = followerProgress(clock, "calls");
  let heads = 0;
  const deps = {
    clock,
    logger: { ...silentLogger, error: (...line: unknown[]) => void errors.push(line) },
    eventStore: {
      head: async () => {
        heads += 1;
        return HEAD;
      },
    },
    feed: {
      async *follow({ after, name }: { readonly after: string; readonly name: string }) {
        asked.push({ after, name });
        yield* followings.shift() ?? [];
        throw AWAY;
      },
    },
  };
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  void followCalls(deps, ({ revision }) => void heard.push(revision), progress, stop.signal);
  await settled();
  expect(heard).toEqual([41, 42, 43]);
  expect(progress.status()).toMatchObject({ position: "44", lagMillis: 0 });
  expect(errors).toEqual([[{ error: AWAY }, "calls are not followed; follows them again"]]);
  clock.advance(999);
  await settled();
  expect(asked).toHaveLength(1);
  clock.advance(1);
  await settled();
  expect(asked).toEqual([HEAD, "44"].map((after) => ({ after, name: "call-follower" })));
  expect(heard).toEqual([41, 42, 43, 44]);
  expect(heads).toBe(1);
});
