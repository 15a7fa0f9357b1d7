import { expect, it } from "vitest";
import { readRequest } from "../../../application/call/read-request.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { dialingBegan, singleRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const REQUEST = singleRequest("call_1");
const began = dialingBegan("call_1", "2026-09-01T10:00:01.000Z");

async function readOf(...events: readonly CallEvent[]) {
  const log = memoryLog();
  await log.store("call-call_1", ...events);
  return readRequest(log, "call_1");
}

it("what a call was made with is its first event", async () => {
  expect(await readOf(REQUEST, began)).toEqual(REQUEST.data);
});

it("is not known of a call that began otherwise, or that cannot be read", async () => {
  expect(await readOf(began)).toBeNull();
  const eventStore = { read: async () => [] };
  expect(await readRequest({ eventStore, codec: { decode: async () => [] } }, "call_1")).toBeNull();
});
