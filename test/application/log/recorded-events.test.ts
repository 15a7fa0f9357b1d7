import { expect, it } from "vitest";
import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { ringing } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const STREAM = "call-call_1";

/** A log whose reads are counted; from `failing` on they fail. */
async function logOf(events: number, failing = Number.POSITIVE_INFINITY) {
  const deps = memoryLog({
    wrap: (memory) => ({
      ...memory,
      read: async (stream, options) => {
        if (deps.reads.length >= failing) throw new Error("away");
        return memory.read(stream, options);
      },
    }),
  });
  const ring = ringing("call_1", "2026-09-01T10:00:00.000Z", "ref");
  await deps.store(STREAM, ...Array.from({ length: events }, () => ring));
  return deps;
}

it.each([
  [2_500, 3],
  [2_000, 3],
  [10, 1],
  [1_000, 2],
])("answers each of %i events once, in order, in %i reads, read ahead or not", async (events, reads) => {
  for (const ahead of [false, true]) {
    const deps = await logOf(events);
    const revisions: number[] = [];
    for await (const { revision } of recordedEvents(deps, STREAM, 0, { ahead })) revisions.push(revision);
    expect(revisions).toEqual(Array.from({ length: events }, (_, revision) => revision));
    expect(deps.reads.length).toBe(reads);
  }
});

it("tells of a page that failed where its events would come", async () => {
  const deps = await logOf(2_500, 2);
  const heard: number[] = [];
  const reading = async () => {
    for await (const { revision } of recordedEvents(deps, STREAM, 0, { ahead: true })) heard.push(revision);
  };
  await expect(reading()).rejects.toThrow("away");
  expect(heard).toHaveLength(1_000);
});

it("is quiet about a page read ahead that failed when its reader has left", async () => {
  const deps = await logOf(2_500, 2);
  for await (const { revision } of recordedEvents(deps, STREAM, 0, { ahead: true }))
    if (revision === 3) break;
  expect(deps.reads.length).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
});
