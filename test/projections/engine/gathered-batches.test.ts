import { describe, expect, it } from "vitest";
import type { FeedBatch } from "../../../application/ports/feed.ts";
import { gatheredBatches } from "../../../projections/engine/gathered-batches.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { recordedRequest } from "../example-events.ts";

function batch(position: number): FeedBatch {
  return { events: [recordedRequest(position - 1)], position: `${position}`, caughtUp: false };
}

describe("gathered batches", () => {
  it("gives what arrived meanwhile as one batch, and no more than about the limit", async () => {
    let given = 0;
    async function* source() {
      for (let position = 1; position <= 10; position += 1) {
        given = position;
        yield batch(position);
      }
    }
    const sizes: number[] = [];
    const positions: string[] = [];
    for await (const { events, position } of gatheredBatches(source(), 4)) {
      sizes.push(events.length);
      positions.push(position);
      if (sizes.length === 1) await eventually("the limit", () => given >= 5);
    }
    expect(sizes.reduce((sum, size) => sum + size)).toBe(10);
    expect(Math.max(...sizes)).toBe(4);
    expect(positions.at(-1)).toBe("10");
  });

  it("lets its source go on as soon as its reader took what was waiting", async () => {
    let given = 0;
    async function* source() {
      for (let position = 1; ; position += 1) {
        given = position;
        yield batch(position);
      }
    }
    const reader = gatheredBatches(source(), 2);
    await reader.next();
    for (let limit = 3; limit < 20; limit += 2) {
      await eventually("the limit", () => given >= limit);
      expect((await reader.next()).done).toBe(false);
    }
    await reader.return();
  });

  it("ends its source when its reader leaves", async () => {
    const told = Promise.withResolvers<string>();
    async function* source() {
      try {
        for (let position = 1; ; position += 1) yield batch(position);
      } finally {
        told.resolve("ended");
      }
    }
    for await (const _ of gatheredBatches(source(), 3)) break;
    expect(await told.promise).toBe("ended");
  });

  it("fails as its source fails", async () => {
    async function* source() {
      yield batch(1);
      throw new Error("the source broke");
    }
    const reading = async () => {
      for await (const _ of gatheredBatches(source(), 3));
    };
    await expect(reading()).rejects.toThrow("the source broke");
  });
});
