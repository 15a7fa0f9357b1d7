import { expect, it } from "vitest";
import { eagerFollower, followedLog, follower, positionsOf, settled } from "./followed-log.ts";

/** Each event comes in a batch of its own, which weighs 2. */
const TWO_BATCHES = 4;

it.each([
  { taken: 0, flow: ["1", "2", "3"], held: "4" },
  { taken: 1, flow: ["1", "2", "3", "4"], held: "5" },
  { taken: 2, flow: ["1", "2", "3", "4", "5"], held: "6" },
])(
  "waits 250 ms for a follower that stands still after $taken batches, and then leaves it behind",
  async ({ taken, flow, held }) => {
    const { append, feed, pass, reads } = followedLog({ windowWeight: TWO_BATCHES });
    await append(1);
    const quick = eagerFollower(feed);
    const slow = follower(feed);
    for (let batch = 0; batch < taken; batch += 1) {
      await slow.take();
      await append(1);
    }
    await append(Number(held) - taken - 1);
    await pass(249);
    expect(quick.positions()).toEqual(flow);
    await pass(1);
    expect(quick.positions()).toEqual([...flow, held]);
    expect(reads).toEqual([]);
    expect(positionsOf(await slow.take())).toEqual([...flow, held].slice(taken));
    expect(reads).toEqual([taken === 0 ? "" : String(taken)]);
  },
);

it("goes on as soon as the slow one has taken what was needed", async () => {
  const { append, feed, reads } = followedLog({ windowWeight: TWO_BATCHES });
  await append(1);
  const quick = eagerFollower(feed);
  const slow = follower(feed);
  await append(3);
  expect(quick.positions()).toEqual(["1", "2", "3"]);
  expect(positionsOf(await slow.take())).toEqual(["1"]);
  await settled();
  expect(quick.positions()).toEqual(["1", "2", "3", "4"]);
  expect(reads).toEqual([]);
});

it("does not wait for anybody after a batch that is heavier than the whole window, once all have taken it", async () => {
  const { append, feed, pass } = followedLog({ windowWeight: 1 });
  const followers = [eagerFollower(feed), eagerFollower(feed)];
  await append(3);
  await pass(0);
  for (const { positions } of followers) expect(positions()).toEqual(["1", "2", "3"]);
});

it("keeps twenty calls at hand for a slow follower where the window has its usual weight", async () => {
  const { append, feed, reads } = followedLog();
  const quick = eagerFollower(feed);
  const slow = follower(feed);
  await append(20);
  expect(quick.positions()).toHaveLength(20);
  expect(positionsOf(await slow.take())).toEqual(["1"]);
  expect(reads).toEqual([]);
});
