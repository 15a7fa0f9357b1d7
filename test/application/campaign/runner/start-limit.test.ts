import { describe, expect, it } from "vitest";
import { createStartLimit } from "../../../../application/campaign/runner/start-limit.ts";

/** Some that ask, in this order, and what each may add so far (null: it waits). */
function asking(already = 0) {
  const limit = createStartLimit();
  const under = Array.from({ length: already }, () => limit.began());
  const got: (number | null)[] = [];
  return {
    ...limit,
    under,
    asks: (wanted: number, stop: AbortSignal = new AbortController().signal) => {
      const place = got.push(null) - 1;
      void limit.enter(wanted, stop).then((count) => {
        got[place] = count;
      });
    },
    got: async () => {
      await new Promise(setImmediate);
      return got;
    },
  };
}

describe("the dials that all campaigns of a process have on their way", () => {
  it("are added to by one that asks alone as far as it likes, at most 100", async () => {
    const { asks, got, leave } = asking(50);
    asks(70);
    expect(await got()).toEqual([70]);
    leave(70);
    asks(200);
    expect(await got()).toEqual([70, 100]);
  });

  it("are no more once 51 are, and again as soon as there are 50", async () => {
    const { asks, got, under } = asking(52);
    asks(1);
    under[0]?.();
    under[0]?.();
    expect(await got()).toEqual([null]);
    under[1]?.();
    expect(await got()).toEqual([1]);
  });

  it("are added to in the order of those that ask, 25 each while several do", async () => {
    const { asks, got, leave, under } = asking(51);
    for (const wanted of [100, 100, 3, 100]) asks(wanted);
    under[0]?.();
    expect(await got()).toEqual([25, null, null, null]);
    leave(25);
    expect(await got()).toEqual([25, 25, null, null]);
    leave(25);
    // 53 are too many for the last one.
    expect(await got()).toEqual([25, 25, 3, null]);
    leave(3);
    expect(await got()).toEqual([25, 25, 3, 100]);
  });

  it("are not added to by one that stops, nor does it keep others waiting", async () => {
    const { asks, got, under } = asking(51);
    const [stops, stopped] = [new AbortController(), AbortSignal.abort()];
    asks(5, stops.signal);
    asks(6);
    asks(7, stopped);
    stops.abort();
    expect(await got()).toEqual([0, null, 0]);
    under[0]?.();
    expect(await got()).toEqual([0, 6, 0]);
  });
});
