import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { type EventStore, START } from "../../../application/ports/event-store.ts";
import { eagerFollower, followedLog, follower, positionsOf, settled } from "./followed-log.ts";

const afters = (subscribed: readonly { readonly after: string }[]) => subscribed.map(({ after }) => after);

it("a follower far ahead of a subscription that still catches up takes it along; who is left behind reads by itself", async () => {
  const { append, feed, reads, subscribed } = followedLog();
  const head = await append(3);
  const behind = eagerFollower(feed);
  const ahead = eagerFollower(feed, head);
  await append(1);
  expect(afters(subscribed)).toEqual([START, "3"]);
  expect(subscribed.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(ahead.positions()).toEqual(["4"]);
  expect(behind.positions()).toEqual(["1", "2", "3", "4"]);
  expect(reads[0]).toBe(START);
});

it("who is left behind goes on at once, before the subscription that was taken along has anything", async () => {
  const { append, feed, subscribed } = followedLog({ wrap: oneBatchOfTwo });
  const head = await append(5);
  const behind = eagerFollower(feed);
  await settled();
  expect(behind.positions()).toEqual(["1", "2"]);
  eagerFollower(feed, head);
  await settled();
  expect(behind.positions()).toEqual(["1", "2", "3", "4", "5"]);
  expect(afters(subscribed)).toEqual([START, "5"]);
});

it("a subscription that has caught up is kept, however far ahead a new follower wants to begin", async () => {
  const { append, feed, subscribed } = followedLog();
  await append(1);
  const first = eagerFollower(feed);
  await settled();
  const ahead = eagerFollower(feed, "2");
  await append(2);
  expect([first.positions(), ahead.positions()]).toEqual([["1", "2", "3"], ["3"]]);
  expect(subscribed).toHaveLength(1);
});

it("the subscription outlives a follower that leaves, ends with the last one, and begins anew with the next", async () => {
  const { append, feed, subscribed } = followedLog();
  const [first, second] = [eagerFollower(feed), eagerFollower(feed)];
  await append(1);
  first.stop.abort();
  await first.done;
  await append(1);
  expect(second.positions()).toEqual(["1", "2"]);
  expect(subscribed.map(({ signal }) => signal.aborted)).toEqual([false]);
  second.stop.abort();
  await second.done;
  expect(subscribed.map(({ signal }) => signal.aborted)).toEqual([true]);
  const next = eagerFollower(feed, "2");
  await append(1);
  expect(next.positions()).toEqual(["3"]);
  expect(afters(subscribed)).toEqual([START, "2"]);
});

it("hands the same batch to all, decoded once and not copied", async () => {
  const { append, feed } = followedLog();
  const [first, second] = [eagerFollower(feed), eagerFollower(feed)];
  await append(2);
  expect(first.batches.flatMap(positionsOf)).toEqual(["1", "2"]);
  expect(first.batches.at(-1)).toBe(second.batches.at(-1));
});

it("keeps nothing in memory that everybody has taken: who begins earlier reads it from the log", async () => {
  const { append, feed, reads } = followedLog();
  const quick = [eagerFollower(feed), eagerFollower(feed)];
  await append(3);
  expect(quick[1]?.positions()).toEqual(["1", "2", "3"]);
  expect(reads).toEqual([]);
  const late = eagerFollower(feed);
  await settled();
  expect(late.positions()).toEqual(["1", "2", "3"]);
  expect(reads[0]).toBe(START);
});

it("keeps what one of them has not taken, until it has", async () => {
  const { append, feed, reads } = followedLog();
  const quick = eagerFollower(feed);
  const slow = follower(feed);
  await append(3);
  expect(quick.positions()).toEqual(["1", "2", "3"]);
  for (const position of ["1", "2", "3"]) expect(positionsOf(await slow.take())).toEqual([position]);
  expect(reads).toEqual([]);
  await follower(feed).take();
  expect(reads).toEqual([START]);
});

it("tells who begins at the end that it is there", async () => {
  const { append, feed } = followedLog();
  const head = await append(1);
  const first = eagerFollower(feed, head);
  await settled();
  expect(first.batches).toEqual([{ events: [], position: "1", caughtUp: true }]);
  const late = eagerFollower(feed, head);
  await settled();
  expect(late.batches).toEqual([{ events: [], position: "1", caughtUp: true }]);
});

it("leaves nothing on the signal of a follower that has left", async () => {
  const { append, feed } = followedLog();
  await append(1);
  const { leave, stop, take } = follower(feed);
  expect(positionsOf(await take())).toEqual(["1"]);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  await leave();
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
});

/** The first subscription delivers two events, then nothing; the others nothing at all. */
function oneBatchOfTwo(log: EventStore): EventStore {
  let subscriptions = 0;
  return {
    ...log,
    subscribe: async function* (options) {
      subscriptions += 1;
      if (subscriptions === 1) {
        const { events, next } = await log.readAll({ after: options.after, limit: 2 });
        yield { events, position: next, caughtUp: false };
      }
      await new Promise((resolve) => options.signal.addEventListener("abort", resolve));
    },
  };
}
