import { beforeEach, describe, expect, it } from "vitest";
import type { EventStore, EventToAppend } from "../../../application/ports/event-store.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { countedEventStore } from "../../../infrastructure/log/counted-event-store.ts";
import { createMetrics, type MetricsAdapter } from "../../../infrastructure/metrics.ts";
import { parseExposition, sampleValue } from "../../support/exposition.ts";
import { memoryLog } from "../../support/memory-log.ts";

let measured: MetricsAdapter;
let store: EventStore;
beforeEach(() => {
  measured = createMetrics();
  store = countedEventStore(memoryLog({ clock: systemClock }).eventStore, measured.metrics);
});

const event = (type: string, data: EventToAppend["data"] = {}): EventToAppend => ({
  id: systemIds.uuid(),
  type,
  data,
  metadata: {
    correlationId: "c",
    causationId: null,
    actor: "process:test",
    owner: "usr_1",
    schemaVersion: 1,
  },
});

async function counted(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
  return sampleValue(parseExposition(await measured.metricsText()), name, labels);
}

describe("what is made durable", () => {
  it("is counted: dials, and ends by their reason", async () => {
    await store.append("call-1", "no_stream", [event("CallRequested"), event("CallDialingBegan")]);
    await store.append("call-1", 1, [event("CallFailed", { endReason: "busy" })]);
    await store.append("call-2", "no_stream", [event("CallCompleted", { endReason: "customer_ended" })]);
    expect(await counted("ringfold_dials_total")).toBe(1);
    expect(await counted("ringfold_calls_ended_total")).toBe(2);
    expect(await counted("ringfold_calls_ended_total", { end_reason: "busy" })).toBe(1);
  });

  it("is not counted when the append is refused", async () => {
    await store.append("call-1", "no_stream", [event("CallRequested")]);
    const late = store.append("call-1", "no_stream", [event("CallDialingBegan")]);
    await expect(late).rejects.toThrow("conflict");
    expect(await counted("ringfold_dials_total")).toBe(0);
  });

  it("has a series for every reason from the beginning, and for no other", async () => {
    await store.append("call-1", "no_stream", [event("CallFailed", { endReason: "made up" })]);
    const families = parseExposition(await measured.metricsText());
    const ends = families.find(({ name }) => name === "ringfold_calls_ended_total");
    expect(ends?.samples.length).toBeGreaterThan(20);
    expect(ends?.samples.map(({ value }) => value)).toEqual(ends?.samples.map(() => 0));
  });
});
