import { describe, expect, it } from "vitest";
import { groupRunner } from "../../application/group-runner.ts";
import { oneAtATime } from "../../application/one-at-a-time.ts";
import { unlessStopped } from "../../application/unless-stopped.ts";
import { createWakeSignal } from "../../application/wake-signal.ts";
import { withinLimit } from "../../application/within-limit.ts";
import { movingClock } from "../support/moving-clock.ts";

const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise is settled once everything that can run has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  for (let turn = 0; turn < 5; turn += 1) await turns();
  return settled;
}

describe("a wait that something can cut short", () => {
  const open = () => {
    const clock = movingClock();
    const stop = new AbortController();
    return { clock, stop, signal: createWakeSignal(clock, stop.signal) };
  };

  it("ends when its time is over, not before", async () => {
    const { clock, signal } = open();
    const waiting = signal.wait(1_000);
    clock.advance(999);
    expect(await isSettled(waiting)).toBe(false);
    clock.advance(1);
    expect(await isSettled(waiting)).toBe(true);
  });

  it("ends when it is woken, and the next one waits again", async () => {
    const { signal } = open();
    const first = signal.wait(1_000);
    signal.wake();
    expect(await isSettled(first)).toBe(true);
    expect(signal.isWoken()).toBe(false);
    expect(await isSettled(signal.wait(1_000))).toBe(false);
  });

  it("returns at once after a wake while nobody waited", async () => {
    const { signal } = open();
    signal.wake();
    expect(signal.isWoken()).toBe(true);
    expect(await isSettled(signal.wait(1_000))).toBe(true);
    expect(signal.isWoken()).toBe(false);
  });

  it("is no wait for no time, and none after the stop, which also ends one under way", async () => {
    const { signal, stop } = open();
    expect(await isSettled(signal.wait(0))).toBe(true);
    const waiting = signal.wait(60_000);
    stop.abort();
    expect(await isSettled(waiting)).toBe(true);
    expect(await isSettled(signal.wait(60_000))).toBe(true);
  });
});

describe("work within a limit", () => {
  it("is waited for until it is done, or until the moment has come", async () => {
    const clock = movingClock();
    const work = Promise.withResolvers<void>();
    const first = withinLimit(clock, work.promise, 500);
    clock.advance(499);
    expect(await isSettled(first)).toBe(false);
    clock.advance(1);
    expect(await isSettled(first)).toBe(true);
    const second = withinLimit(clock, work.promise, 5_000);
    work.resolve();
    expect(await isSettled(second)).toBe(true);
  });

  it("whose moment is past is not waited for", async () => {
    const clock = movingClock();
    clock.advance(1_000);
    expect(await isSettled(withinLimit(clock, new Promise(() => undefined), 400))).toBe(true);
  });

  it("leaves no sleep behind when it is done", async () => {
    let slept: AbortSignal | { readonly aborted: boolean } | undefined;
    const clock = movingClock();
    const watched: typeof clock = {
      ...clock,
      sleep: (millis, signal) => {
        slept = signal;
        return clock.sleep(millis, signal);
      },
    };
    await withinLimit(watched, Promise.resolve(), 60_000);
    expect(slept?.aborted).toBe(true);
  });
});

describe("operations that wait together", () => {
  function recording(fail: (group: readonly number[]) => Error | null = () => null, atOnce?: number) {
    const groups: (readonly number[])[] = [];
    const run = groupRunner<number, number>({
      largest: 3,
      ...(atOnce !== undefined && { atOnce }),
      failsForAll: (error) => error instanceof Error && error.message === "away",
      run: async (numbers) => {
        groups.push([...numbers]);
        await turns();
        const error = fail(numbers);
        if (error !== null) throw error;
        return numbers.map((number) => number * 10);
      },
    });
    return { groups, run };
  }

  it("are run in groups of the largest size, one after another, each with its own answer", async () => {
    const { groups, run } = recording();
    expect(await Promise.all([1, 2, 3, 4].map(run))).toEqual([10, 20, 30, 40]);
    expect(groups).toEqual([[1, 2, 3], [4]]);
    expect(await run(5)).toBe(50);
    expect(groups).toHaveLength(3);
  });

  it("begin at once while fewer groups than that are under way, and gather behind so many", async () => {
    const { groups, run } = recording(undefined, 2);
    const first = run(1);
    await turns();
    const second = run(2);
    await turns();
    expect(groups).toEqual([[1], [2]]);
    const third = recording(undefined, 2);
    const all = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(third.run));
    await turns();
    expect(third.groups).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(await all).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
    expect(third.groups.slice(2)).toEqual([[7, 8]]);
    expect(await Promise.all([first, second])).toEqual([10, 20]);
  });

  it("are run one by one after a failure that concerns one of them", async () => {
    const { groups, run } = recording((numbers) => (numbers.includes(2) ? new Error("wrong") : null));
    const settled = await Promise.allSettled([1, 2, 3].map(run));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(groups).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it("all fail at once with what fails for all", async () => {
    const { groups, run } = recording(() => new Error("away"));
    const settled = await Promise.allSettled([1, 2].map(run));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(groups).toEqual([[1, 2]]);
  });
});

describe("work that a stop leaves alone", () => {
  it("is waited for until it is done, or until the stop; no listener stays behind", async () => {
    const stop = new AbortController();
    const heard = { added: 0, removed: 0 };
    const { addEventListener, removeEventListener } = stop.signal;
    Object.assign(stop.signal, {
      addEventListener: (...args: Parameters<typeof addEventListener>) => {
        heard.added += 1;
        addEventListener.apply(stop.signal, args);
      },
      removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
        if (args[0] === "abort") heard.removed += 1;
        removeEventListener.apply(stop.signal, args);
      },
    });
    await unlessStopped(Promise.resolve(), stop.signal);
    expect(heard).toEqual({ added: 1, removed: 1 });
    const waiting = unlessStopped(new Promise(() => undefined), stop.signal);
    expect(await isSettled(waiting)).toBe(false);
    stop.abort();
    expect(await isSettled(waiting)).toBe(true);
  });
});

describe("work of one key", () => {
  it("goes one after the other, also after a failure; another key waits for nobody", async () => {
    const run = oneAtATime<string>();
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = run("a", async () => {
      begun.push("a1");
      await gate.promise;
      throw new Error("broken");
    });
    const second = run("a", async () => void begun.push("a2"));
    await run("b", async () => void begun.push("b1"));
    expect(begun).toEqual(["a1", "b1"]);
    gate.resolve();
    await expect(first).rejects.toThrow("broken");
    await second;
    expect(await run("a", async () => "third")).toBe("third");
    expect(begun).toEqual(["a1", "b1", "a2"]);
  });
});
