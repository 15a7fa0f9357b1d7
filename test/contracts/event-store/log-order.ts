import { expect, it } from "vitest";
import type { ContractCase } from "./contract-case.ts";
import { exampleEvents, freshStream } from "./example-events.ts";
import { followToPresent, readWholeLog } from "./following.ts";
import { writerStorm } from "./writer-storm.ts";

export function logOrderCases({ store, harness }: ContractCase): void {
  it("31: positions rise in the order of acknowledged appends, whichever store they went through", async () => {
    const stores = [store(), harness().open()];
    const positions: string[] = [];
    for (let n = 0; n < 30; n += 1)
      for (const each of stores)
        positions.push((await each.append(freshStream(), "no_stream", exampleEvents(2))).position);
    const sorted = positions.toSorted(store().comparePositions);
    expect(positions).toEqual(sorted);
    expect(new Set(positions).size).toBe(60);
  });

  it("31: every reader meets the events in the order of their positions", async () => {
    await Promise.all(
      Array.from({ length: 40 }, () => store().append(freshStream(), "no_stream", exampleEvents(3))),
    );
    const followed = await followToPresent(store());
    const events = await readWholeLog(store());
    expect(events).toEqual(followed);
    const positions = events.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted(store().comparePositions));
    expect(positions).toHaveLength(120);
  });

  it("32: 20 writers of 200 appends while a subscriber runs: nothing is lost, streams keep their order", async () => {
    await harness().slowCommits?.();
    const writers = [store(), harness().open(), harness().open(), harness().open()];
    const report = await writerStorm(writers, harness().open());
    expect(report).toEqual({ written: 4_000, delivered: 4_000, lost: 0, outOfOrder: 0 });
  }, 120_000);
}
