import { beforeEach, describe, expect, it } from "vitest";
import { createAssistantHealth } from "../../../application/call/health/assistant-health.ts";
import { hearEndedCalls } from "../../../application/call/reactions/ended-calls.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { callEnd, dialingBegan, singleRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const callId: CallId = "call_1";
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const AT = "2026-09-01T10:00:00.000Z";
const stream = callStream(callId);

let { codec, eventStore, reads, said, logger, store } = memoryLog();
beforeEach(() => {
  ({ codec, eventStore, reads, said, logger, store } = memoryLog());
});

describe("how answered calls ended", () => {
  const use = { owner: "usr_1", connectionId: "conn_1", model: "m" } as const;
  const versions = { assistantVersion: async () => null };
  const hearing = (assistantHealth = createAssistantHealth()) => {
    const hear = hearEndedCalls({ eventStore, codec, assistantHealth, directory: versions, logger });
    return { hear, assistantHealth, reads: () => reads.length };
  };
  const failed = callEnd(callId, AT, "assistant_error", 5);
  const unknownModel = { owner: "usr_1", connectionId: null, model: null } as const;

  it("is told of those in which the assistant failed, five of which make it unavailable", async () => {
    await store(stream, singleRequest(callId));
    const { hear, assistantHealth } = hearing();
    for (let n = 0; n < 4; n += 1) hear("usr_1", failed);
    await settled();
    expect(assistantHealth.unavailable(unknownModel)).toBe(false);
    hear("usr_1", failed);
    await settled();
    expect(assistantHealth.unavailable(unknownModel)).toBe(true);
    expect(assistantHealth.unavailable(use)).toBe(false);
  });

  it("is looked up of one that went well only while another of its owner has failed", async () => {
    await store(stream, singleRequest(callId));
    const { hear, assistantHealth, reads } = hearing();
    const well = callEnd(callId, AT, "customer_ended", 5);
    hear("usr_1", well);
    await settled();
    expect(reads()).toBe(0);
    hear("usr_1", failed);
    await settled();
    hear("usr_1", well);
    await settled();
    expect([reads(), assistantHealth.anyFailed("usr_1")]).toEqual([2, false]);
  });

  it("is nothing of calls that nobody answered, or that did not end", async () => {
    const { hear, reads } = hearing();
    hear("usr_1", callEnd(callId, AT, "assistant_error", null));
    hear("usr_1", dialingBegan(callId, AT));
    await settled();
    expect(reads()).toBe(0);
  });

  it("says nothing of a call whose request cannot be read", async () => {
    await store(stream, dialingBegan(callId, AT));
    const { hear, assistantHealth } = hearing();
    hear("usr_1", failed);
    await settled();
    expect([assistantHealth.anyFailed("usr_1"), said]).toEqual([false, []]);
  });

  it("is not known of a call that is not in the log; the next one counts all the same", async () => {
    const { hear, assistantHealth } = hearing();
    hear("usr_1", callEnd("call_9", AT, "assistant_error", 5));
    await settled();
    expect(said).toMatchObject([["warn", "not known whose assistant it was", { callId: "call_9" }]]);
    await store(stream, singleRequest(callId));
    hear("usr_1", failed);
    await settled();
    expect(assistantHealth.anyFailed("usr_1")).toBe(true);
  });
});
