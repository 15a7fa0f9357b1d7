import { expect, it } from "vitest";
import { readRequest } from "../../../application/call/read-request.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { createMemoryEventStore } from "../../../simulation/memory/event-store.ts";
import { createTestCodec, eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { callRequest, dialingBegan } from "../../projections/example-events.ts";
import { movingClock } from "../../support/moving-clock.ts";

const AT = "2026-09-01T10:00:00.000Z";
const REQUEST = callRequest({
  callId: "call_1",
  owner: "usr_1",
  campaignId: null,
  contactId: null,
  attempt: 1,
  at: AT,
});

async function readOf(...events: readonly CallEvent[]) {
  const codec = createTestCodec();
  const eventStore = createMemoryEventStore(movingClock());
  await eventStore.append("call-call_1", "no_stream", await eventsToAppend(codec, "usr_1", events));
  return readRequest({ eventStore, codec }, "call_1");
}

it("what a call was made with is its first event", async () => {
  expect(await readOf(REQUEST, dialingBegan("call_1", AT))).toEqual(REQUEST.data);
});

it("is not known of a call that began otherwise, or that cannot be read", async () => {
  expect(await readOf(dialingBegan("call_1", AT))).toBeNull();
  const eventStore = { read: async () => [] };
  expect(await readRequest({ eventStore, codec: { decode: async () => [] } }, "call_1")).toBeNull();
});
